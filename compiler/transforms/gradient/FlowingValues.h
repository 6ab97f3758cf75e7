//===- FlowingValues.h - what follows from values of floats ---------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace tg {

/// The float values that something reaches from where it begins: by ops that
/// hand it on, by variables that are assigned and read, and by what branches
/// and loops carry.
class FlowingValues {
public:
  /// Whether the results of an op have it, which is no read, assignment, branch
  /// or loop. `reached`: an operand has it.
  using HandsOn = llvm::function_ref<bool(mlir::Operation *op, bool reached)>;

  /// It begins in these values and variables, and where `handsOn` says so of
  /// an op that it has not reached. Visits the ops in `scope` until nothing
  /// more is reached.
  FlowingValues(mlir::Operation *scope, mlir::ValueRange values,
                llvm::ArrayRef<std::string> variables, HandsOn handsOn);

  bool contains(mlir::Value value) const { return values.contains(value); }

  /// Says of a value what holds for another one.
  void copy(mlir::Value from, mlir::Value to) {
    if (contains(from))
      add(to);
  }

private:
  void visit(mlir::Operation *op, HandsOn handsOn);
  void add(mlir::Value value);

  llvm::DenseSet<mlir::Value> values;
  llvm::StringSet<> variables;
  bool isChanged = true;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_FLOWINGVALUES_H
