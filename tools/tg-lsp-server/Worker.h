//===- Worker.h - MLIR's language server in a child process ---------------===//
#ifndef TG_TOOLS_TG_LSP_SERVER_WORKER_H
#define TG_TOOLS_TG_LSP_SERVER_WORKER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <sys/types.h>

namespace llvm::lsp {
class JSONTransportInput;
} // namespace llvm::lsp

namespace tg {

/// A child process that runs MLIR's language server over the dialects of
/// models. If a text or a request ends it, only its answer is missing.
///
/// One thread uses a worker, and no other thread may run while it is made,
/// because the child continues with the memory of this process.
class Worker {
public:
  /// Starts the child. Fails if the system has no process or pipe left.
  static llvm::Expected<std::unique_ptr<Worker>> start();
  /// Tells the child to end, and waits for it.
  ~Worker();

  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Sends a request and returns its reply. Returns nothing if the child ended
  /// before it replied. Notifications of the child are dropped: its diagnostics
  /// are those of MLIR instead of tgc's.
  std::optional<llvm::json::Object> call(const llvm::json::Object &request);
  /// Sends a notification and waits until the child has handled it. Returns
  /// false if the child ended before.
  bool notify(const llvm::json::Object &notification);

private:
  Worker(pid_t child, int input, std::FILE *replies);

  pid_t child;
  llvm::raw_fd_ostream requests;
  std::FILE *file;
  std::unique_ptr<llvm::lsp::JSONTransportInput> replies;
};

} // namespace tg

#endif // TG_TOOLS_TG_LSP_SERVER_WORKER_H
