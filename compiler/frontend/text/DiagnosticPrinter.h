//===- DiagnosticPrinter.h - Prints diagnostics for people ------*- C++ -*-===//
//
// The one place that turns diagnostics into lines of text.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H
#define TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tg {

/// While it lives, prints the diagnostics of a context as
/// `file:line:col: error: message`, with the line of the text if it is at hand.
///
/// Unlike MLIR's own handler it opens no file that a location names, writes no
/// control character that a name may hold, and stops after a number of errors:
/// all three are in the hands of whoever wrote the model. For the same reason
/// it turns off MLIR's notes that print the whole op.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  /// `sourceMgr` holds the texts whose lines can be shown. It and `stream` must
  /// outlive the printer. After `maxErrors` errors only one more line is
  /// printed, which says so.
  DiagnosticPrinter(mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
                    llvm::raw_ostream &stream, unsigned maxErrors = 20);

  /// Returns the label of the rule that the first error with one ends with,
  /// "C2" of [C2]; "" without one.
  llvm::StringRef getFirstRule() const { return firstRule; }

private:
  void print(mlir::Diagnostic &diagnostic);
  /// Prints one message and the line of text that `location` is in.
  void printAt(mlir::Location location, llvm::StringRef severity,
               const std::string &message);
  /// Prints the line that `location` points at, with a mark below the column.
  void printLine(mlir::FileLineColLoc location);

  llvm::SourceMgr &sourceMgr;
  llvm::raw_ostream &stream;
  unsigned maxErrors;
  unsigned errors = 0;
  std::string firstRule;
};

/// `text` with control characters and bytes that are no UTF-8 written as `\0A`,
/// like in MLIR's strings.
std::string escapeControls(llvm::StringRef text);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H
