//===- FlowingValues.h - float values that a property reaches -------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace tg {

/// The set of float values that have a property, such as a value that may be
/// NaN. It starts with given values. The property spreads through ops that pass
/// it on, through assigned and read variables, and through the values that
/// branches and loops carry.
class FlowingValues {
public:
  /// Returns true if the results of an op have the property. The op is no read,
  /// assignment, branch or loop. `reached` is true if an operand has the
  /// property.
  using Propagates =
      llvm::function_ref<bool(mlir::Operation *op, bool reached)>;

  /// Starts from the given values and variables, and from ops for which
  /// `propagates` returns true without a reached operand. Visits the ops in
  /// `scope` until the set no longer grows.
  FlowingValues(mlir::Operation *scope, mlir::ValueRange values,
                llvm::ArrayRef<std::string> variables, Propagates propagates);

  bool contains(mlir::Value value) const { return values.contains(value); }

  /// Gives one value the property if another value has it.
  void copy(mlir::Value from, mlir::Value to) {
    if (contains(from))
      add(to);
  }

private:
  void visit(mlir::Operation *op, Propagates propagates);
  void add(mlir::Value value);

  llvm::DenseSet<mlir::Value> values;
  llvm::StringSet<> variables;
  bool isChanged = true;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H
