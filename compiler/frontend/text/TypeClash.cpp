//===- TypeClash.cpp - which of two types of a value is wrong -------------===//
//
// MLIR's parser blames the use that does not fit, and stops. A wrong result
// type is the mistake of the op that has it: what stands above the use is
// parsed again, and verified.
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

/// Longer texts are not parsed twice.
static constexpr size_t kLongestText = size_t(1) << 20;

/// Returns the lines above a line, with what closes their braces behind them;
/// nothing where another bracket is open.
static std::optional<std::string> linesAbove(StringRef text, unsigned line) {
  // A blob stands behind all functions, and constants of none are not verified.
  if (text.contains("dense_resource"))
    return std::nullopt;
  size_t end = 0;
  for (unsigned number = 1; number < line && end != StringRef::npos; ++number)
    end = text.find('\n', end + 1);
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
/// Keeps the first error about a line, and drops all diagnostics, those among
/// them that miss what the cut took: the last op of a block.
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

void tg::tellTypeClash(const TypeClash &clash, StringRef text) {
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
                       << clash.firstType << "', as line "
                       << clash.first.getLine() << " has it, found '"
                       << clash.useType << "' [M0]";
}
