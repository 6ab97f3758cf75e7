//===- PanelPacking.h - copies of operands as panels ----------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Returns `value`, with its computation hidden from LLVM, which would
/// otherwise recompute it, divisions included, in each iteration of a loop.
mlir::Value keepInRegister(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value);

/// Copies `count` contiguous elements as one vector.
void copyElements(KernelFrame &frame, const Elements &source,
                  mlir::Value sourceOffset, const Elements &target,
                  mlir::Value targetOffset, unsigned count);

/// Copies `count` contiguous elements by vectors of `lanes`, and the remainder
/// one by one.
void copyRow(KernelFrame &frame, const Elements &source,
             mlir::Value sourceOffset, const Elements &target,
             mlir::Value targetOffset, mlir::Value count, unsigned lanes);

/// Stores zeros to `count` contiguous elements.
void fillRow(KernelFrame &frame, const Elements &target, mlir::Value offset,
             mlir::Value count, unsigned lanes);

/// Transposes lanes x lanes elements in registers.
void transposeBlock(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::SmallVectorImpl<mlir::Value> &rows);

/// Columns of a matrix to pack. Element (k, j) of the panel is element
///   first + columnOffset + k * rowStride + j * columnStride
/// of `elements`, for j < `columns`. `first` is the offset of the first row,
/// and `columnOffset` the offset of the first column within a row, or 0 if
/// `first` includes it.
struct PanelSource {
  Elements elements;
  mlir::Value first, columnOffset, rowStride, columnStride, columns;
};

/// Packs the columns into `target`, [K, width], padded with zeros after the
/// last column. The source is column-major (`rowStride` is 1) if `transposed`,
/// otherwise row-major (`columnStride` is 1).
void packPanel(KernelFrame &frame, const PanelSource &source,
               const Elements &target, mlir::Value kExtent, int64_t width,
               unsigned lanes, bool transposed);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H
