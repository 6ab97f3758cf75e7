//===- ActiveValues.h - what depends on the wanted values -----------------===//
#ifndef TG_COMPILER_TRANSFORMS_ACTIVEVALUES_H
#define TG_COMPILER_TRANSFORMS_ACTIVEVALUES_H

#include "dialects/tg/GradientOps.h"
#include "dialects/tg/StateOps.h"
#include "dialects/tg/Tg.h"
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

  /// The content of a variable at a point of the program.
  struct Content {
    /// The last assign or update before; null for the content on entry.
    mlir::Operation *writer = nullptr;
    /// Whether it depends on the wanted values.
    bool active = false;
  };

  /// What a read gives.
  Content getContent(ReadOp read) const {
    return reads.lookup(read.getOperation());
  }

private:
  void visit(mlir::Operation *op);
  void visitUpdate(UpdateOp update);

  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Operation *, Content> reads;
  llvm::StringMap<Content> contents;
};

/// Whether the elements are floating point: only such values have cotangents.
bool hasFloatElements(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_ACTIVEVALUES_H
