//===- ActiveValues.h - what depends on the wanted values -----------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H
#define TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Forward activity before a gradient request: the values that depend
/// differentiably on the wanted values and variables, and what every read
/// stands for.
class ActiveValues {
public:
  /// Visits the ops before the request in order.
  explicit ActiveValues(GradientOp request);

  bool isActive(mlir::Value value) const { return active.contains(value); }

  /// Visits an op that is put before the request.
  void visit(mlir::Operation *op);

  /// Says of a value what holds for another one.
  void copy(mlir::Value from, mlir::Value to) {
    if (isActive(from))
      active.insert(to);
  }
  void forget(mlir::Value value) { active.erase(value); }

  /// The content of a variable at a point of the program.
  struct Content {
    /// The last assign or update before, or one that may have run before; null
    /// for the content on entry.
    mlir::Operation *writer = nullptr;
    /// Whether it depends on the wanted values.
    bool active = false;
  };

  /// What a read gives.
  Content getContent(ReadOp read) const {
    return reads.lookup(read.getOperation());
  }

private:
  /// Visits the ops in the regions of an op until nothing more is active.
  void visitRegions(mlir::Operation *op);
  /// Visits an op that touches variables; whether it is one. What may not run
  /// adds to the content of a variable.
  bool visitState(mlir::Operation *op, bool mayNotRun);
  void visitUpdate(UpdateOp update, bool mayNotRun);
  void setContent(llvm::StringRef variable, mlir::Operation *writer,
                  bool isActive, bool mayNotRun);
  void visitPlain(mlir::Operation *op);
  void activate(mlir::Value value) { isChanged |= active.insert(value).second; }

  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Operation *, Content> reads;
  llvm::StringMap<Content> contents;
  /// Whether something got active.
  bool isChanged = false;
};

/// Whether a cotangent of a result of `op` passes on to the operand. Ops
/// without a rule pass it on, so that it is seen to reach them.
bool passesCotangent(mlir::Operation *op, mlir::OpOperand &operand);

/// Whether the elements are floating point: only such values have cotangents.
bool hasFloatElements(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H
