//===- RowGradient.h - gradients of few rows of a table -------------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H

#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// Returns true if an op computes the gradient of a table from which rows were
/// gathered: updates of rows added to zeros.
bool isRowGradient(ScatterOp scatter);

/// A row gradient and all values with the shape of the table that depend on it.
/// These values must end in ops that can be computed from the touched rows
/// alone: assignments that leave the other rows unchanged, and reductions to
/// which the other rows add nothing.
class RowGradient {
public:
  /// Returns none if an op needs all rows.
  static std::optional<RowGradient> find(ScatterOp gradient);

  ScatterOp getGradient() const { return gradient.getDefiningOp<ScatterOp>(); }
  llvm::ArrayRef<AssignOp> getAssigns() const { return assigns; }
  llvm::ArrayRef<ReductionOpInterface> getReductions() const {
    return reductions;
  }
  /// Returns true if `value` has the shape of the table and depends on the
  /// gradient.
  bool contains(mlir::Value value) const { return values.contains(value); }
  /// Returns true if `value` has one or more elements for each row of the
  /// table.
  bool hasRows(mlir::Value value) const;
  /// Returns `value` and the values of the table's shape that it is computed
  /// from, in their order.
  llvm::SmallVector<mlir::Value> findChain(mlir::Value value) const;

  /// Returns true if the assigned value is the old value plus a linear function
  /// of the gradient. The function of a sum of updates is then the sum of the
  /// functions of the updates.
  bool isLinear(AssignOp assign) const;
  /// Returns the value that the assigned value equals in untouched rows.
  mlir::Value oldOf(AssignOp assign) const {
    return elementOf(assign.getValue()).value;
  }

private:
  explicit RowGradient(mlir::Value gradient) : gradient(gradient) {}

  bool collect();
  bool add(mlir::Operation *op);
  KnownElement elementOf(mlir::Value operand) const;
  bool keepsUntouchedRows(AssignOp assign) const;
  bool ignoresUntouchedRows(ReductionOpInterface reduction) const;

  mlir::Value gradient;
  /// The values, with their content in untouched rows.
  llvm::MapVector<mlir::Value, KnownElement> values;
  llvm::SmallVector<AssignOp> assigns;
  llvm::SmallVector<ReductionOpInterface> reductions;
};

/// Returns the number that all elements of a constant equal.
std::optional<double> findNumber(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H
