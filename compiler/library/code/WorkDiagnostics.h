//===- WorkDiagnostics.h - diagnostics of parallel work -------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H
#define TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>
#include <vector>

namespace tg {

/// Captures the diagnostics of a context during its lifetime. Work items for
/// several targets emit equal diagnostics, so only the diagnostics of one item
/// are passed on.
class WorkDiagnostics {
public:
  explicit WorkDiagnostics(mlir::MLIRContext *context);
  ~WorkDiagnostics();

  /// Records that this thread now runs the given work item.
  void enter(size_t work);

  /// Emits the diagnostics of the lowest-numbered work item that has an error,
  /// or that has any diagnostics if none has an error. Ends the capture.
  void emitFirst();

private:
  struct Entry {
    size_t work;
    mlir::Diagnostic diagnostic;
  };
  mlir::DiagnosticEngine &engine;
  mlir::DiagnosticEngine::HandlerID handler;
  std::mutex mutex;
  /// The current work item of each thread.
  llvm::DenseMap<uint64_t, size_t> threads;
  std::vector<Entry> entries;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H
