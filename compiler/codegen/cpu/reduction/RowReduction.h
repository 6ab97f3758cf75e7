//===- RowReduction.h - reductions of one group after another -------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H

#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/cpu/reduction/RowPass.h"
#include <optional>

namespace tg {

/// Emits a kernel row by row, with one pass per phase.
class RowReduction : RowState {
public:
  RowReduction(KernelFrame &frame, const ReductionPlan &plan)
      : RowState(frame, plan) {}
  llvm::LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  mlir::Value countParts(EntryExtents &entry);
  void makeParts();
  void setPart();
  void allocateRowBuffers();
  void reduceTile(const TileGrid &tiles);
  void combineParts();
  void enterRow(mlir::Value row);
  void emitRow(mlir::Value row);
  void finishRow(mlir::ValueRange results);
  void storeReduced();

  std::optional<ReductionParts> parts;
  /// The index of the part of its rows that the tile reduces.
  mlir::Value part;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
