//===- Messages.h - messages of the language server protocol --------------===//
//
// LLVM's library reads messages. Its class that writes them writes only
// messages that it made itself.
//
//===----------------------------------------------------------------------===//
#ifndef TG_TOOLS_TG_LSP_SERVER_MESSAGES_H
#define TG_TOOLS_TG_LSP_SERVER_MESSAGES_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace llvm::lsp {
class JSONTransportInput;
} // namespace llvm::lsp

namespace tg {

/// Reads the next message that is an object, and skips others. Returns nothing
/// at the end of the input and after an error.
std::optional<llvm::json::Object>
readMessage(llvm::lsp::JSONTransportInput &input);

/// Writes a message with its header; `pretty` breaks it into lines.
void writeMessage(llvm::raw_ostream &stream, const llvm::json::Object &message,
                  bool pretty = false);

/// Returns the notification of a method.
llvm::json::Object makeNotification(llvm::StringRef method,
                                    llvm::json::Value params);

/// Returns true if a message is the reply to the request `id`.
bool isReply(const llvm::json::Object &message, const llvm::json::Value &id);

} // namespace tg

#endif // TG_TOOLS_TG_LSP_SERVER_MESSAGES_H
