//===- WorkDiagnostics.h - diagnostics of equal work on several threads ---===//
#ifndef TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H
#define TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>
#include <vector>

namespace tg {

/// While it lives, holds back the diagnostics of a context. Several pieces of
/// work that do the same for several targets say the same: only what the first
/// of them said goes on.
class WorkDiagnostics {
public:
  explicit WorkDiagnostics(mlir::MLIRContext *context);
  ~WorkDiagnostics();

  /// Says that this thread now does the given piece of work.
  void enter(size_t work);

  /// Gives the context the diagnostics of the piece of work with the least
  /// number that has any, and holds back no more.
  void emitFirst();

private:
  struct Entry {
    size_t work;
    mlir::Diagnostic diagnostic;
  };
  mlir::DiagnosticEngine &engine;
  mlir::DiagnosticEngine::HandlerID handler;
  std::mutex mutex;
  /// The work of each thread.
  llvm::DenseMap<uint64_t, size_t> threads;
  std::vector<Entry> entries;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_WORKDIAGNOSTICS_H
