//===- DiagnosticPrinter.cpp - Prints diagnostics for people --------------===//
//
// Finds file, line and column in a location and the line in the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/DiagnosticPrinter.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

/// The most characters of a line of text that are shown.
static constexpr size_t maxLineLength = 400;

std::string tg::escapeControls(StringRef text) {
  std::string result;
  for (unsigned char c : text) {
    if (c >= 0x20 && c != 0x7f) {
      result += c;
      continue;
    }
    result += '\\';
    result += llvm::hexdigit(c >> 4);
    result += llvm::hexdigit(c & 15);
  }
  return result;
}

/// The word for `severity`.
static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

DiagnosticPrinter::DiagnosticPrinter(MLIRContext &context,
                                     llvm::SourceMgr &sourceMgr,
                                     llvm::raw_ostream &stream,
                                     unsigned maxErrors)
    : ScopedDiagnosticHandler(&context), sourceMgr(sourceMgr), stream(stream),
      maxErrors(maxErrors) {
  context.printOpOnDiagnostic(false);
  setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
      ++errors > maxErrors) {
    if (errors == maxErrors + 1)
      stream << "more than " << maxErrors << " errors, the rest is not shown\n";
    return;
  }
  printAt(diagnostic.getLocation(), severityName(diagnostic.getSeverity()),
          diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    printAt(note.getLocation(), "note", note.str());
}

void DiagnosticPrinter::printAt(Location location, StringRef severity,
                                const std::string &message) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (place)
    stream << escapeControls(place.getFilename()) << ":" << place.getLine()
           << ":" << place.getColumn() << ": ";
  stream << severity << ": " << escapeControls(message) << "\n";
  if (place)
    printLine(place);
}

void DiagnosticPrinter::printLine(FileLineColLoc location) {
  for (unsigned id = 1; id <= sourceMgr.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sourceMgr.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != location.getFilename())
      continue;
    llvm::SMLoc start =
        sourceMgr.FindLocForLineAndColumn(id, location.getLine(), /*ColNo=*/1);
    if (!start.isValid())
      return;
    StringRef line(start.getPointer(),
                   buffer->getBufferEnd() - start.getPointer());
    line = line.take_until([](char c) { return c == '\n' || c == '\r'; });
    if (line.size() > maxLineLength)
      return;
    // Tabs take one column, like in the location.
    std::string shown = line.str();
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    stream << escapeControls(shown) << "\n";
    stream.indent(location.getColumn() > 0 ? location.getColumn() - 1 : 0)
        << "^\n";
    return;
  }
}
