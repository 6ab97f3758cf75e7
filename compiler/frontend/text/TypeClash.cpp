//===- TypeClash.cpp - decides which of two types of a value is wrong -----===//
//
// MLIR's parser reports the use with another type, and stops. A wrong result
// type is an error of the op that defines the value. To find it, the lines
// above the use are parsed again and verified.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/SyntaxMessages.h"
#include "compiler/frontend/text/Tokens.h"
#include "compiler/frontend/text/VerifyModel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tg;

/// The size of the longest text that is parsed twice, in bytes.
static constexpr size_t kLongestText = size_t(1) << 20;

/// Returns the lines above a line, followed by the closing braces for all open
/// ones. Returns nothing if another kind of bracket is open.
static std::optional<std::string> linesAbove(StringRef text, unsigned line) {
  // Blobs follow all functions, and a constant without its blob cannot be
  // verified.
  if (text.contains("dense_resource"))
    return std::nullopt;
  size_t end = 0, next = 0;
  for (unsigned number = 1; number < line && end != StringRef::npos; ++number) {
    end = text.find('\n', next);
    next = end + 1;
  }
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef above = text.take_front(end);
  std::string closers;
  Tokenizer tokens(std::string_view(above.data(), above.size()));
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.kind == TokenKind::Open)
      closers += token.text[0];
    else if (token.kind == TokenKind::Close && !closers.empty())
      closers.pop_back();
  }
  if (closers.find_first_not_of('{') != std::string::npos)
    return std::nullopt;
  return above.str() + "\n" + std::string(closers.size(), '}');
}

namespace {
/// A handler that records the first error at a line and drops all other
/// diagnostics, including errors about terminators that linesAbove() removed.
class LineErrors : public ScopedDiagnosticHandler {
public:
  LineErrors(MLIRContext *context, unsigned line)
      : ScopedDiagnosticHandler(context, [this, line](Diagnostic &diagnostic) {
          auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
          std::string said = diagnostic.str();
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && place &&
              place.getLine() == line && !found &&
              !StringRef(said).contains("' at its end, found "))
            found.emplace(diagnostic.getLocation(), std::move(said));
          return success();
        }) {}

  std::optional<std::pair<Location, std::string>> found;
};
} // namespace

void tg::reportTypeClash(const TypeClash &clash, StringRef text) {
  MLIRContext *context = clash.use.getContext();
  std::optional<std::pair<Location, std::string>> mistake;
  std::optional<std::string> above;
  if (text.size() <= kLongestText)
    above = linesAbove(text, clash.use.getLine());
  if (above) {
    LineErrors errors(context, clash.first.getLine());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        *above, ParserConfig(context, /*verifyAfterParse=*/false),
        clash.use.getFilename());
    if (module)
      (void)verifyModel(*module);
    mistake = std::move(errors.found);
  }
  if (mistake) {
    emitError(mistake->first) << mistake->second;
    return;
  }
  emitError(clash.use) << "expected " << clash.value << " to be '"
                       << clash.firstType << "', as in line "
                       << clash.first.getLine() << ", found '" << clash.useType
                       << "' [M0]";
}
