//===- Messages.cpp - messages of the language server protocol ------------===//
#include "tools/tg-lsp-server/Messages.h"
#include "llvm/Support/LSP/Transport.h"

namespace json = llvm::json;

std::optional<json::Object>
tg::readMessage(llvm::lsp::JSONTransportInput &input) {
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (failed(input.readMessage(text)))
      continue;
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    if (json::Object *message = value->getAsObject())
      return std::move(*message);
  }
  return std::nullopt;
}

void tg::writeMessage(llvm::raw_ostream &stream, const json::Object &message,
                      bool pretty) {
  std::string text;
  llvm::raw_string_ostream out(text);
  json::OStream json(out, pretty ? 2 : 0);
  json.value(json::Object(message));
  stream << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  stream.flush();
}

json::Object tg::makeNotification(llvm::StringRef method, json::Value params) {
  return json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

bool tg::isReply(const json::Object &message, const json::Value &id) {
  const json::Value *found = message.get("id");
  return !message.get("method") && found && *found == id;
}
