//===- SourceOrder.h - diagnostics in the order of the text -----*- C++ -*-===//
//
// A check that goes on after a mistake finds them rule by rule; people read
// them line by line.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H
#define TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H

#include "mlir/IR/Diagnostics.h"
#include <vector>

namespace tg {

/// While it lives, keeps the diagnostics of a context; at its end emits them
/// in the order of the lines that they are about. Those of files that are not
/// told of before come in the order in which they were found.
class SourceOrder : public mlir::ScopedDiagnosticHandler {
public:
  explicit SourceOrder(mlir::MLIRContext *context);
  SourceOrder(const SourceOrder &) = delete;
  SourceOrder &operator=(const SourceOrder &) = delete;
  ~SourceOrder();

  /// Whether so many are kept that looking for more helps nobody: a check
  /// ends then.
  bool isFull() const { return kept.size() >= kMaximum; }

private:
  static constexpr size_t kMaximum = 100;
  mlir::MLIRContext *context;
  std::vector<mlir::Diagnostic> kept;
  bool isEmitting = false;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H
