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

/// A use of a value with another type than at its first mention, and the places
/// of both.
struct TypeClash {
  mlir::FileLineColLoc use, first;
  /// The name of the value, and its types at the two places.
  std::string value, useType, firstType;
};

/// The braces of a text that are never closed, and the first function that is
/// nested in another one because a brace is missing.
struct Braces {
  explicit Braces(llvm::StringRef text);

  struct Brace {
    size_t offset;
    /// The name of the function whose body the brace opens; "" for other
    /// braces.
    llvm::StringRef function;
  };
  /// The offset of the first function that is inside another one, and the
  /// opening brace of the outer function.
  std::optional<std::pair<size_t, Brace>> nested;
  /// The opening braces that are never closed.
  llvm::SmallVector<Brace> open;
};

/// A handler that rewrites the errors of MLIR's parser while it lives. Messages
/// follow the rules of dialects/tg/language.md: they contain the expected and
/// the found text, suggest the nearest name for a misspelt one, and say where a
/// brace is missing. Records the first type clash, for reportTypeClash() after
/// parsing.
class SyntaxMessages : public mlir::ScopedDiagnosticHandler {
public:
  /// `text` is the text that is parsed.
  SyntaxMessages(mlir::MLIRContext *context, llvm::StringRef text);

  const std::optional<TypeClash> &getClash() const { return clash; }
  /// Returns the error message for a word without dialect prefix at a place in
  /// a region where an op is expected. The message says that a `}` or a
  /// `tg.yield` is missing before the word, or that the word is misspelt.
  /// Returns nothing if there is no such word.
  std::optional<std::string> describeWord(mlir::FileLineColLoc place) const;

private:
  /// Rewrites a diagnostic. Returns failure to leave it to the next handler.
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

/// Reports a type clash. If the verifier rejects the op that defines the value,
/// reports the verifier's error there, otherwise an error at the use. `text` is
/// the parsed text.
void reportTypeClash(const TypeClash &clash, llvm::StringRef text);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H
