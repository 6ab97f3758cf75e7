//===- SyntaxMessages.h - clearer messages of MLIR's parser -----*- C++ -* ===//
#ifndef TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H
#define TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace tg {

/// A use of a value with a type that differs from an earlier one, and the place
/// of the first mention of the value.
struct TypeClash {
  mlir::FileLineColLoc use, first;
  /// The name of the value, and its types at the two places.
  std::string value, useType, firstType;
};

/// The braces of a text, and the functions that they belong to.
struct Braces {
  explicit Braces(llvm::StringRef text);

  struct Brace {
    size_t offset;
    /// The name of the function whose body it opens; "" for other braces.
    llvm::StringRef function;
  };
  /// The offset of the first function inside another one, and the brace of the
  /// outer function.
  std::optional<std::pair<size_t, Brace>> nested;
  /// The braces that are never closed.
  llvm::SmallVector<Brace> open;
};

/// A handler that rewrites the errors of MLIR's parser while it lives,
/// following the message rules of language.md: the expected and the found text,
/// the nearest name for a misspelt one, and a missing brace as such. Records
/// the first type clash for later analysis of the module.
class SyntaxMessages : public mlir::ScopedDiagnosticHandler {
public:
  /// `text` is the text that is parsed.
  SyntaxMessages(mlir::MLIRContext *context, llvm::StringRef text);

  const std::optional<TypeClash> &getClash() const { return clash; }
  /// Returns the error for a word without a dialect in place of an op in a
  /// region: a `}` or a `tg.yield` that is missing before it, or a misspelt
  /// name. Returns nothing if there is no such word.
  std::optional<std::string> describeWord(mlir::FileLineColLoc place) const;

private:
  /// Rewrites a diagnostic, or fails to leave it to the next handler.
  mlir::LogicalResult take(mlir::Diagnostic &diagnostic);
  /// Returns the location of a missing `}` at or before `place`, and the
  /// message; nothing if the braces match.
  std::optional<std::pair<mlir::Location, std::string>>
  findMissingBrace(mlir::FileLineColLoc place);
  /// Returns the replacement for a message of the parser.
  std::string rephrase(llvm::StringRef sentence,
                       mlir::FileLineColLoc place) const;
  std::string rephraseCustom(llvm::StringRef op, llvm::StringRef sentence,
                             size_t offset) const;
  std::string rephraseUndeclared(llvm::StringRef name, size_t offset) const;
  bool takeClash(mlir::Diagnostic &diagnostic, llvm::StringRef sentence);
  /// Returns the byte offset of a place; the length of the text if it is past
  /// the end.
  size_t offsetOf(mlir::FileLineColLoc place) const;
  /// Returns the place of a byte offset, in the file of `like`.
  mlir::FileLineColLoc placeOf(size_t offset, mlir::FileLineColLoc like) const;

  mlir::MLIRContext *context;
  llvm::StringRef text;
  unsigned errors = 0;
  /// The braces of the text, computed at the first error.
  std::optional<Braces> braces;
  std::optional<TypeClash> clash;
};

/// Returns the message for an unknown op. It suggests the form of another
/// framework's op, or the nearest name.
std::string describeUnknownOp(mlir::MLIRContext *context, llvm::StringRef name);

/// Reports a type clash: as an error of the op that defines the value if the
/// verifier finds one there, otherwise as an error of the use. `text` is the
/// parsed text.
void reportTypeClash(const TypeClash &clash, llvm::StringRef text);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H
