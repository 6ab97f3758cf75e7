//===- SourceOrder.h - diagnostics in source order ------------------------===//
//
// A check that continues after an error finds errors rule by rule. Users read
// them line by line.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H
#define TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H

#include "mlir/IR/Diagnostics.h"
#include <vector>

namespace tg {

/// Collects the diagnostics of a context while it lives, and emits them in
/// source order in its destructor. Files are ordered by their first diagnostic.
class SourceOrder : public mlir::ScopedDiagnosticHandler {
public:
  explicit SourceOrder(mlir::MLIRContext *context);
  SourceOrder(const SourceOrder &) = delete;
  SourceOrder &operator=(const SourceOrder &) = delete;
  ~SourceOrder();

  /// Returns true if there are enough diagnostics. A check should then stop.
  bool isFull() const { return diagnostics.size() >= kMaximum; }

private:
  static constexpr size_t kMaximum = 100;
  mlir::MLIRContext *context;
  std::vector<mlir::Diagnostic> diagnostics;
  bool isEmitting = false;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SOURCEORDER_H
