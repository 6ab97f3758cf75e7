//===- RowReduction.h - reductions of one row after another ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H

#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/cpu/reduction/RowPass.h"
#include <optional>

namespace tg {

/// Emits a kernel that processes its rows one after another. A row is the set
/// of elements that are reduced to one result. Each phase of the kernel is one
/// pass over the row.
class RowReduction : RowState {
public:
  RowReduction(KernelFrame &frame, const ReductionPlan &plan)
      : RowState(frame, plan) {}
  llvm::LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  mlir::AffineExpr countUnits() const;
  int64_t linesOfUnit() const;
  mlir::Value countParts(EntryExtents &entry);
  void makeParts();
  void setPart();
  void findSavedValues();
  void allocateBuffers();
  void reduceTile(const TileGrid &tiles);
  void combineParts();
  void enterRow(mlir::Value row);
  void emitRow(mlir::Value row);
  void finishRow(mlir::ValueRange results);
  void storeReduced();

  std::optional<ReductionParts> parts;
  /// The values that later phases load from memory.
  llvm::SmallVector<mlir::Value> saved;
  /// The index of the part that the tile reduces of each of its rows.
  mlir::Value part;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
