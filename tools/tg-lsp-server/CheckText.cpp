//===- CheckText.cpp - the diagnostics of a text in an editor -------------===//
#include "tools/tg-lsp-server/CheckText.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/text/DiagnosticPrinter.h"
#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/Stack.h"
#include "dialects/tg/rules/UnusedRules.h"
#include "mlir/Tools/lsp-server-support/SourceMgrUtils.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace tg;

/// The number of diagnostics after which the rest is not shown.
static constexpr size_t kMaxDiagnostics = 100;

/// Returns the severity as editors number it.
static llvm::lsp::DiagnosticSeverity toSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
  case DiagnosticSeverity::Remark:
    return llvm::lsp::DiagnosticSeverity::Information;
  case DiagnosticSeverity::Warning:
    return llvm::lsp::DiagnosticSeverity::Warning;
  case DiagnosticSeverity::Error:
    return llvm::lsp::DiagnosticSeverity::Error;
  }
  llvm_unreachable("unknown severity");
}

namespace {
/// A handler that collects the diagnostics of a text.
class Collector : public ScopedDiagnosticHandler {
public:
  Collector(MLIRContext &context, llvm::SourceMgr &sources,
            const llvm::lsp::URIForFile &uri,
            std::vector<llvm::lsp::Diagnostic> &found)
      : ScopedDiagnosticHandler(&context), sources(sources), uri(uri),
        found(found) {
    context.printOpOnDiagnostic(false);
    setHandler([this](mlir::Diagnostic &diagnostic) { take(diagnostic); });
  }

private:
  void take(mlir::Diagnostic &diagnostic);
  /// Returns the range of the word at a location; the beginning of the text for
  /// a location outside of it.
  llvm::lsp::Range rangeOf(Location location) const;
  /// Converts a place in the text, whose column is in bytes, to a position,
  /// whose column is in UTF-16 units.
  llvm::lsp::Position positionOf(llvm::SMLoc place) const;

  llvm::SourceMgr &sources;
  const llvm::lsp::URIForFile &uri;
  std::vector<llvm::lsp::Diagnostic> &found;
};
} // namespace

llvm::lsp::Position Collector::positionOf(llvm::SMLoc place) const {
  llvm::lsp::Position position(sources, place);
  llvm::SmallVector<llvm::UTF16> units;
  StringRef before(place.getPointer() - position.character, position.character);
  if (llvm::convertUTF8ToUTF16String(before, units))
    position.character = units.size();
  return position;
}

llvm::lsp::Range Collector::rangeOf(Location location) const {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place || sources.getNumBuffers() == 0)
    return {};
  llvm::SMLoc start = sources.FindLocForLineAndColumn(
      sources.getMainFileID(), std::max(place.getLine(), 1u),
      std::max(place.getColumn(), 1u));
  if (!start.isValid())
    return {};
  llvm::SMRange word = mlir::lsp::convertTokenLocToRange(start, "$-.");
  return {positionOf(word.Start), positionOf(word.End)};
}

void Collector::take(mlir::Diagnostic &diagnostic) {
  if (found.size() >= kMaxDiagnostics)
    return;
  llvm::lsp::Diagnostic &shown = found.emplace_back();
  shown.severity = toSeverity(diagnostic.getSeverity());
  shown.range = rangeOf(diagnostic.getLocation());
  shown.source = "tgc";
  shown.message = escapeControls(diagnostic.str());
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    if (!shown.relatedInformation)
      shown.relatedInformation.emplace();
    shown.relatedInformation->emplace_back(
        llvm::lsp::Location(uri, rangeOf(note.getLocation())),
        escapeControls(note.str()));
  }
}

/// Checks a text on the stack of the caller.
static void check(StringRef text, const llvm::lsp::URIForFile &uri,
                  TextCheck &result) {
  DialectRegistry registry;
  registerModelDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  Collector collector(context, sources, uri, result.diagnostics);
  result.isSafe = !preScan({text.data(), text.size()});
  OwningOpRef<ModuleOp> module = parseModel(
      context, sources, llvm::MemoryBuffer::getMemBufferCopy(text, uri.file()));
  if (!module)
    return;
  warnOfUnused(*module);
  CompileOptions options;
  options.stopAfter = Phase::grad;
  CompileResult ignored;
  // Failures are among the diagnostics.
  (void)compileModule(*module, options, ignored);
}

llvm::Expected<TextCheck> tg::checkText(StringRef text,
                                        const llvm::lsp::URIForFile &uri) {
  TextCheck result;
  if (llvm::Error error = runOnLargeStack([&] { check(text, uri, result); }))
    return error;
  return result;
}
