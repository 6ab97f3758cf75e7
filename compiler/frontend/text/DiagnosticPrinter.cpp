//===- DiagnosticPrinter.cpp - Prints diagnostics for people --------------===//
//
// Extracts file, line and column from a location, and the line from the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/DiagnosticPrinter.h"

#include "dialects/tg/Sentences.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace tg;

/// The length of the longest line that is shown, in bytes.
static constexpr size_t maxLineLength = 400;

/// Returns the length in bytes of the first character of `text` if a terminal
/// can show it; 0 for a control character or invalid UTF-8.
static unsigned shownBytes(StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f;
  unsigned bytes =
      llvm::getUTF8SequenceSize(text.bytes_begin(), text.bytes_end());
  // U+0080 to U+009F are control characters.
  bool isControl =
      bytes == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return isControl ? 0 : bytes;
}

std::string tg::escapeControls(StringRef text) {
  std::string result;
  while (!text.empty()) {
    unsigned bytes = shownBytes(text);
    if (bytes == 0) {
      unsigned char first = text.front();
      result += '\\';
      result += llvm::hexdigit(first >> 4);
      result += llvm::hexdigit(first & 15);
    }
    result += text.take_front(bytes);
    text = text.drop_front(std::max(bytes, 1u));
  }
  return result;
}

/// Returns the word for `severity`.
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
                                     llvm::StringRef program,
                                     unsigned maxErrors)
    : ScopedDiagnosticHandler(&context), sourceMgr(sourceMgr), stream(stream),
      program(program), maxErrors(maxErrors) {
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
  std::string sentence = diagnostic.str();
  if (firstRule.empty() &&
      diagnostic.getSeverity() == DiagnosticSeverity::Error &&
      hasRule(sentence))
    firstRule = StringRef(sentence).rsplit('[').second.drop_back();
  printAt(diagnostic.getLocation(), severityName(diagnostic.getSeverity()),
          sentence);
  for (Diagnostic &note : diagnostic.getNotes())
    printAt(note.getLocation(), "note", note.str());
}

void DiagnosticPrinter::printAt(Location location, StringRef severity,
                                const std::string &message) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  // Diagnostics of a whole file are reported at its beginning.
  if (place)
    stream << escapeControls(place.getFilename()) << ":"
           << std::max(place.getLine(), 1u) << ":"
           << std::max(place.getColumn(), 1u) << ": ";
  else
    stream << program << ": ";
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
        sourceMgr.FindLocForLineAndColumn(id, std::max(location.getLine(), 1u),
                                          /*ColNo=*/1);
    if (!start.isValid())
      return;
    StringRef line(start.getPointer(),
                   buffer->getBufferEnd() - start.getPointer());
    line = line.take_until([](char c) { return c == '\n' || c == '\r'; });
    if (line.size() > maxLineLength)
      return;
    // A tab counts as one column in a location.
    std::string shown = line.str();
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    stream << escapeControls(shown) << "\n";
    stream.indent(location.getColumn() > 0 ? location.getColumn() - 1 : 0)
        << "^\n";
    return;
  }
}
