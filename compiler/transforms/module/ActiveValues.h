//===- ActiveValues.h - values that depend on requested values ------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H
#define TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Forward activity before a gradient request: the values that depend
/// differentiably on the requested values and variables, and the content that
/// every read returns.
class ActiveValues {
public:
  /// Visits the ops before the request in order.
  explicit ActiveValues(GradientOp request);

  bool isActive(mlir::Value value) const { return active.contains(value); }

  /// Visits an op that was inserted before the request.
  void visit(mlir::Operation *op);

  /// Makes one value active if another value is.
  void copy(mlir::Value from, mlir::Value to) {
    if (isActive(from))
      active.insert(to);
  }
  void forget(mlir::Value value) { active.erase(value); }

  /// The content of a variable at a point of the program.
  struct Content {
    /// The last assignment or update before that point, including one that may
    /// not have run; null for the content on entry.
    mlir::Operation *writer = nullptr;
    /// True if the content depends on the requested values.
    bool active = false;
  };

  /// Returns the content that a read returns.
  Content getContent(ReadOp read) const {
    return reads.lookup(read.getOperation());
  }

private:
  /// Visits the ops in the regions of an op until no more values become active.
  void visitRegions(mlir::Operation *op);
  /// Visits an op that accesses variables. Returns false for other ops. An op
  /// that may not run only adds to the activity of the content.
  bool visitState(mlir::Operation *op, bool mayNotRun);
  void visitUpdate(UpdateOp update, bool mayNotRun);
  void setContent(llvm::StringRef variable, mlir::Operation *writer,
                  bool isActive, bool mayNotRun);
  void visitPlain(mlir::Operation *op);
  void activate(mlir::Value value) { isChanged |= active.insert(value).second; }

  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Operation *, Content> reads;
  llvm::StringMap<Content> contents;
  /// True if a value became active.
  bool isChanged = false;
};

/// Returns true if a cotangent of a result of `op` passes on to the operand.
/// Ops without a rule pass it on, so that the missing rule is noticed.
bool passesCotangent(mlir::Operation *op, mlir::OpOperand &operand);

/// Returns true if the elements are floating point. Only these values have
/// cotangents.
bool hasFloatElements(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_ACTIVEVALUES_H
