//===- Worker.cpp - MLIR's language server in a child process -------------===//
#include "tools/tg-lsp-server/Worker.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/text/Stack.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tools/tg-lsp-server/Messages.h"
#include "llvm/Support/LSP/Transport.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg;
namespace json = llvm::json;

/// The method of a request that MLIR's server does not know. Its reply shows
/// that the messages before it have been handled.
static constexpr llvm::StringLiteral kBarrier = "$/tgBarrier";

/// Runs MLIR's server over the standard input and output. Returns its status.
static int serve() {
  mlir::DialectRegistry registry;
  registerModelDialects(registry);
  char name[] = "tg-lsp-server", log[] = "--log=error";
  char *arguments[] = {name, log, nullptr};
  bool isDone = false;
  llvm::Error error = runOnLargeStack([&] {
    isDone = mlir::succeeded(mlir::MlirLspServerMain(2, arguments, registry));
  });
  if (error) {
    llvm::consumeError(std::move(error));
    return 1;
  }
  llvm::outs().flush();
  return isDone ? 0 : 1;
}

/// Returns an error for the errno value of a failed call.
static llvm::Error makeError(llvm::StringRef what) {
  return llvm::createStringError(
      std::error_code(errno, std::generic_category()),
      "cannot " + what + ": " + std::generic_category().message(errno));
}

Worker::Worker(pid_t child, int input, std::FILE *replies)
    : child(child), requests(input, /*shouldClose=*/true), file(replies),
      replies(
          std::make_unique<llvm::lsp::JSONTransportInputOverFile>(replies)) {}

llvm::Expected<std::unique_ptr<Worker>> Worker::start() {
  int input[2], output[2];
  if (::pipe2(input, O_CLOEXEC) != 0)
    return makeError("make a pipe");
  if (::pipe2(output, O_CLOEXEC) != 0) {
    ::close(input[0]);
    ::close(input[1]);
    return makeError("make a pipe");
  }
  pid_t child = ::fork();
  if (child == 0) {
    ::dup2(input[0], STDIN_FILENO);
    ::dup2(output[1], STDOUT_FILENO);
    for (int end : {input[0], input[1], output[0], output[1]})
      ::close(end);
    // The buffers and files of the parent are left to the parent.
    ::_exit(serve());
  }
  ::close(input[0]);
  ::close(output[1]);
  std::FILE *replies = child > 0 ? ::fdopen(output[0], "r") : nullptr;
  if (replies)
    return std::unique_ptr<Worker>(new Worker(child, input[1], replies));
  llvm::Error error = makeError("start MLIR's server");
  ::close(input[1]);
  ::close(output[0]);
  if (child > 0)
    ::waitpid(child, nullptr, 0);
  return error;
}

Worker::~Worker() {
  // A child that ended cannot be written to; that is no error here.
  writeMessage(requests, makeNotification("exit", nullptr));
  requests.clear_error();
  requests.close();
  requests.clear_error();
  std::fclose(file);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    continue;
}

std::optional<json::Object> Worker::call(const json::Object &request) {
  const json::Value *id = request.get("id");
  writeMessage(requests, request);
  while (std::optional<json::Object> message = readMessage(*replies))
    if (id && isReply(*message, *id))
      return message;
  return std::nullopt;
}

bool Worker::notify(const json::Object &notification) {
  writeMessage(requests, notification);
  json::Object barrier = makeNotification(kBarrier, nullptr);
  barrier["id"] = kBarrier;
  return call(barrier).has_value();
}
