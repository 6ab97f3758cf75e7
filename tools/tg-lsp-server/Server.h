//===- Server.h - between an editor and MLIR's language server ------------===//
#ifndef TG_TOOLS_TG_LSP_SERVER_SERVER_H
#define TG_TOOLS_TG_LSP_SERVER_SERVER_H

#include "tools/tg-lsp-server/Worker.h"
#include "llvm/Support/LSP/Protocol.h"

#include <map>
#include <string>

namespace tg {

/// A server of models as text. Diagnostics are those of tgc; requests such as
/// hover and completion are answered by MLIR's server, which only gets texts
/// that are safe to parse. Messages are handled one after the other.
class Server {
public:
  /// `stream` leads to the editor and must outlive the server. `pretty` breaks
  /// messages into lines.
  Server(llvm::raw_ostream &stream, bool pretty)
      : stream(stream), pretty(pretty) {}

  /// Handles messages until `exit` or the end of the input. Returns the exit
  /// status of the process: 0 if the editor asked to shut down before. The
  /// error says why no worker can be started.
  llvm::Expected<int> run(llvm::lsp::JSONTransportInput &input);

private:
  /// A document that is open in the editor.
  struct Document {
    std::string text;
    int64_t version = 0;
    /// The last text that is safe to parse, which the worker has; nothing if
    /// there is none or if it ended a worker.
    std::optional<std::string> shown;
  };

  /// Handles a notification other than `exit`.
  llvm::Error handleNotification(const llvm::json::Object &message,
                                 llvm::StringRef method);
  /// Answers a request.
  llvm::Error handleRequest(const llvm::json::Object &message,
                            llvm::StringRef method);
  /// Returns the reply of the worker to a request for completions; nothing if
  /// the worker ended. MLIR's server completes only at the beginning of a word,
  /// so it gets a text without the word at the cursor.
  std::optional<llvm::json::Object> complete(const llvm::json::Object &request);
  /// Takes over a new text, publishes its diagnostics, and shows it to the
  /// worker.
  llvm::Error update(const llvm::lsp::URIForFile &uri, std::string text,
                     int64_t version);
  /// Gives a text of a document to the worker. Returns false if the worker
  /// ended.
  bool show(llvm::StringRef uri, llvm::StringRef text, int64_t version);
  /// Starts a worker, with the documents of the one before it. A document that
  /// ends it is withheld until it changes.
  llvm::Error restart();

  llvm::raw_ostream &stream;
  bool pretty;
  std::unique_ptr<Worker> worker;
  /// The request with which the editor began, for further workers.
  std::optional<llvm::json::Object> initialize;
  std::map<std::string, Document, std::less<>> documents;
  bool isShutDown = false;
};

} // namespace tg

#endif // TG_TOOLS_TG_LSP_SERVER_SERVER_H
