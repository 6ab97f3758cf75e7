//===- DiagnosticPrinter.h - Prints diagnostics for people ------*- C++ -* ===//
//
// Prints all diagnostics of tgc as lines of text.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H
#define TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tg {

/// A handler that prints the diagnostics of a context as `file:line:col: error:
/// message`, followed by the source line if its text is known.
///
/// Unlike MLIR's handler it opens no file that a location names, writes no
/// control characters from names, and stops after a number of errors, because
/// whoever wrote the model controls all three. For the same reason it turns off
/// MLIR's notes that print the whole op.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  /// `sourceMgr` holds the texts whose lines can be shown. It and `stream` must
  /// outlive the printer. After `maxErrors` errors one more line says that
  /// there are more. `program` is named before messages without a location.
  DiagnosticPrinter(mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
                    llvm::raw_ostream &stream, llvm::StringRef program,
                    unsigned maxErrors = 20);

  /// Returns the rule label of the first error that ends with one, "C2" for
  /// [C2]; "" if there is none.
  llvm::StringRef getFirstRule() const { return firstRule; }

private:
  /// Prints a diagnostic with its notes, up to the maximum of errors.
  void print(mlir::Diagnostic &diagnostic);
  /// Prints one message and the source line at `location`.
  void printAt(mlir::Location location, llvm::StringRef severity,
               const std::string &message);
  /// Prints the source line at `location`, with a caret below the column.
  void printLine(mlir::FileLineColLoc location);

  llvm::SourceMgr &sourceMgr;
  llvm::raw_ostream &stream;
  std::string program;
  unsigned maxErrors;
  unsigned errors = 0;
  std::string firstRule;
};

/// Returns `text` with control characters and invalid UTF-8 bytes escaped like
/// `\0A`, as in MLIR's strings.
std::string escapeControls(llvm::StringRef text);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_DIAGNOSTICPRINTER_H
