//===- Server.cpp - between an editor and MLIR's language server ----------===//
#include "tools/tg-lsp-server/Server.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/text/PreScan.h"
#include "tools/tg-lsp-server/CheckText.h"
#include "tools/tg-lsp-server/Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LSP/Transport.h"

using namespace tg;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// Parses the parameters of a message. Returns nothing if they are wrong.
template <typename Params>
static std::optional<Params> parseParams(const json::Object &message) {
  Params params;
  json::Path::Root root;
  const json::Value *value = message.get("params");
  if (!value || !fromJSON(*value, params, root))
    return std::nullopt;
  return params;
}

/// Returns the reply of an error to a request.
static json::Object makeErrorReply(const json::Object &request,
                                   lsp::ErrorCode code, StringRef sentence) {
  return json::Object{
      {"jsonrpc", "2.0"},
      {"id", *request.get("id")},
      {"error", json::Object{{"code", int(code)}, {"message", sentence}}}};
}

/// Removes the word at a position of a text, or the part of it after its last
/// dot. Returns the number of removed characters before the position.
static size_t removeWord(std::string &text, lsp::Position position) {
  size_t line = 0;
  for (int i = 0; i < position.line; ++i) {
    line = text.find('\n', line);
    if (line == std::string::npos)
      return 0;
    ++line;
  }
  size_t cursor = line + position.character;
  if (position.character < 0 ||
      cursor > std::min(text.find('\n', line), text.size()))
    return 0;
  auto isOfWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  size_t begin = cursor, end = cursor;
  while (begin > line && isOfWord(text[begin - 1]))
    --begin;
  while (end < text.size() && isOfWord(text[end]))
    ++end;
  text.erase(begin, end - begin);
  return cursor - begin;
}

llvm::Expected<int> Server::run(lsp::JSONTransportInput &input) {
  if (llvm::Error error = restart())
    return error;
  while (std::optional<json::Object> message = readMessage(input)) {
    // A message without a method replies to a request; this server makes none.
    std::optional<StringRef> method = message->getString("method");
    if (!method)
      continue;
    if (*method == "exit")
      return isShutDown ? 0 : 1;
    if (llvm::Error error = message->get("id")
                                ? handleRequest(*message, *method)
                                : handleNotification(*message, *method))
      return error;
  }
  return 1;
}

llvm::Error Server::handleRequest(const json::Object &message,
                                  StringRef method) {
  if (method == "initialize")
    initialize = message;
  if (method == "shutdown")
    isShutDown = true;
  std::optional<json::Object> reply = method == "textDocument/completion"
                                          ? complete(message)
                                          : worker->call(message);
  if (!reply) {
    writeMessage(stream,
                 makeErrorReply(message, lsp::ErrorCode::InternalError,
                                "the request ended MLIR's server, which was "
                                "started again"),
                 pretty);
    return restart();
  }
  json::Object *result = reply->getObject("result");
  if (method == "initialize" && result)
    (*result)["serverInfo"] =
        json::Object{{"name", "tg-lsp-server"}, {"version", compilerVersion()}};
  writeMessage(stream, *reply, pretty);
  return llvm::Error::success();
}

std::optional<json::Object> Server::complete(const json::Object &request) {
  auto params = parseParams<lsp::CompletionParams>(request);
  auto found = documents.end();
  if (params)
    found = documents.find(params->textDocument.uri.uri());
  if (found == documents.end() || !found->second.shown)
    return worker->call(request);
  const Document &document = found->second;
  std::string text = *document.shown;
  size_t length = removeWord(text, params->position);
  // The rest of the text could be one that the pre-scan refuses.
  if (length == 0 || preScan(text))
    return worker->call(request);
  if (!show(found->first, text, document.version))
    return std::nullopt;
  json::Object moved = request;
  (*moved.getObject("params"))["position"] =
      lsp::Position(params->position.line, params->position.character - length);
  std::optional<json::Object> reply = worker->call(moved);
  if (!reply || !show(found->first, *document.shown, document.version))
    return std::nullopt;
  return reply;
}

llvm::Error Server::handleNotification(const json::Object &message,
                                       StringRef method) {
  if (method == "textDocument/didOpen") {
    if (auto params = parseParams<lsp::DidOpenTextDocumentParams>(message))
      return update(params->textDocument.uri, params->textDocument.text,
                    params->textDocument.version);
    return llvm::Error::success();
  }
  if (method == "textDocument/didChange") {
    auto params = parseParams<lsp::DidChangeTextDocumentParams>(message);
    if (!params)
      return llvm::Error::success();
    auto found = documents.find(params->textDocument.uri.uri());
    if (found == documents.end())
      return llvm::Error::success();
    std::string text = found->second.text;
    if (failed(lsp::TextDocumentContentChangeEvent::applyTo(
            params->contentChanges, text)))
      return llvm::Error::success();
    return update(params->textDocument.uri, std::move(text),
                  params->textDocument.version);
  }
  if (method == "textDocument/didClose")
    if (auto params = parseParams<lsp::DidCloseTextDocumentParams>(message)) {
      lsp::PublishDiagnosticsParams none(params->textDocument.uri, 0);
      writeMessage(stream,
                   makeNotification("textDocument/publishDiagnostics", none),
                   pretty);
      documents.erase(params->textDocument.uri.uri().str());
    }
  return worker->notify(message) ? llvm::Error::success() : restart();
}

llvm::Error Server::update(const lsp::URIForFile &uri, std::string text,
                           int64_t version) {
  llvm::Expected<TextCheck> check = checkText(text, uri);
  if (!check)
    return check.takeError();
  lsp::PublishDiagnosticsParams params(uri, version);
  params.diagnostics = std::move(check->diagnostics);
  writeMessage(stream,
               makeNotification("textDocument/publishDiagnostics", params),
               pretty);
  Document &document = documents[uri.uri().str()];
  document.version = version;
  document.text = std::move(text);
  if (!check->isSafe)
    return llvm::Error::success();
  document.shown = document.text;
  if (show(uri.uri(), document.text, version))
    return llvm::Error::success();
  document.shown.reset();
  return restart();
}

bool Server::show(StringRef uri, StringRef text, int64_t version) {
  return worker->notify(makeNotification(
      "textDocument/didOpen",
      json::Object{{"textDocument", json::Object{{"uri", uri},
                                                 {"languageId", "mlir"},
                                                 {"version", version},
                                                 {"text", text}}}}));
}

llvm::Error Server::restart() {
  bool isComplete = false;
  while (!isComplete) {
    worker.reset();
    llvm::Expected<std::unique_ptr<Worker>> started = Worker::start();
    if (!started)
      return started.takeError();
    worker = std::move(*started);
    if (initialize && !worker->call(*initialize))
      return llvm::createStringError("MLIR's server ends at once");
    isComplete = true;
    for (auto &[uri, document] : documents)
      if (isComplete && document.shown &&
          !show(uri, *document.shown, document.version)) {
        document.shown.reset();
        isComplete = false;
      }
  }
  return llvm::Error::success();
}
