//===- RowGradient.h - gradients of few rows of a table -------------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H

#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// Whether an op gives the gradient of a table of which rows were picked: rows
/// added to zeros.
bool isRowGradient(ScatterOp scatter);

/// Such a gradient and all that follows from it in the shape of the table,
/// where that ends in what can be computed of the rows alone: assigns that
/// leave the other rows as they are, and reductions to which these add nothing.
class RowGradient {
public:
  /// None where something needs all rows.
  static std::optional<RowGradient> find(ScatterOp gradient);

  ScatterOp getGradient() const { return gradient.getDefiningOp<ScatterOp>(); }
  llvm::ArrayRef<AssignOp> getAssigns() const { return assigns; }
  llvm::ArrayRef<ReductionOpInterface> getReductions() const {
    return reductions;
  }
  /// Whether `value` has the shape of the table and follows from the gradient.
  bool contains(mlir::Value value) const { return values.contains(value); }
  /// Whether `value` has an element, or several, for each row of the table.
  bool hasRows(mlir::Value value) const;
  /// The values of the table's shape that `value` is computed from, with it, in
  /// their order.
  llvm::SmallVector<mlir::Value> findChain(mlir::Value value) const;

  /// Whether the assigned value is the old one and a linear function of the
  /// gradient: that of the sum of rows is then the sum of those of the rows.
  bool isLinear(AssignOp assign) const;
  /// The value whose rows are assigned where nothing was added to them.
  mlir::Value oldOf(AssignOp assign) const {
    return elementOf(assign.getValue()).value;
  }

private:
  explicit RowGradient(mlir::Value gradient) : gradient(gradient) {}

  bool collect();
  bool add(mlir::Operation *op);
  KnownElement elementOf(mlir::Value operand) const;
  bool keepsOthers(AssignOp assign) const;
  bool addsNothing(ReductionOpInterface reduction) const;

  mlir::Value gradient;
  /// What the values are in rows that nothing was added to.
  llvm::MapVector<mlir::Value, KnownElement> values;
  llvm::SmallVector<AssignOp> assigns;
  llvm::SmallVector<ReductionOpInterface> reductions;
};

/// The number that all elements of a constant are.
std::optional<double> findNumber(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_ROWGRADIENT_H
