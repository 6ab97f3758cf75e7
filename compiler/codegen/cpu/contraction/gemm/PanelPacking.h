//===- PanelPacking.h - copies that contractions make of their operands ---===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// The same number, of which LLVM does not know how it is made: it would
/// compute it again in each round of a loop, with all its divisions.
mlir::Value keepInRegister(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value number);

/// Copies `count` neighbouring elements as one vector.
void copyElements(KernelFrame &frame, const Elements &source,
                  mlir::Value sourceOffset, const Elements &target,
                  mlir::Value targetOffset, unsigned count);

/// Copies `count` neighbouring elements by vectors of `lanes`, the remainder
/// one by one.
void copyRow(KernelFrame &frame, const Elements &source,
             mlir::Value sourceOffset, const Elements &target,
             mlir::Value targetOffset, mlir::Value count, unsigned lanes);

/// Stores zeros to `count` neighbouring elements.
void fillRow(KernelFrame &frame, const Elements &target, mlir::Value offset,
             mlir::Value count, unsigned lanes);

/// Transposes lanes x lanes elements in registers.
void transposeBlock(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::SmallVectorImpl<mlir::Value> &rows);

/// Columns of a matrix: element (k, j) of the panel lies at
/// first + column + k * rowStride + j * columnStride, for j < `columns`.
struct PanelSource {
  Elements elements;
  mlir::Value first, column, rowStride, columnStride, columns;
};

/// Fills `target`, [K, width], with the columns, and with 0 beyond them.
/// `transposed`: its columns are strided in memory, its rows are neighbours.
void packPanel(KernelFrame &frame, const PanelSource &source,
               const Elements &target, mlir::Value kExtent, int64_t width,
               unsigned lanes, bool transposed);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_PANELPACKING_H
