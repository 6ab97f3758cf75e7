//===- SyntaxMessages.h - what MLIR's parser says, in our words -*- C++ -*-===//
#ifndef TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H
#define TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace tg {

/// A use of a value with another type than before: where it stands, and where
/// the value was named first.
struct TypeClash {
  mlir::FileLineColLoc use, first;
  /// The value, and its types there.
  std::string value, useType, firstType;
};

/// The braces of a text, and which functions they are of.
struct Braces {
  explicit Braces(llvm::StringRef text);

  struct Brace {
    size_t offset;
    /// The name of the function whose body it begins; "" for others.
    llvm::StringRef function;
  };
  /// The place of the first function inside another one, and the brace of the
  /// outer one.
  std::optional<std::pair<size_t, Brace>> nested;
  /// The braces that nothing closes.
  llvm::SmallVector<Brace> open;
};

/// While it lives, says what MLIR's parser says of a text as the rules of
/// language.md say it: what was expected and what was found, misspelt names
/// with the nearest, a brace that is missing as such. Keeps the first clash of
/// types, for findings that need the module.
class SyntaxMessages : public mlir::ScopedDiagnosticHandler {
public:
  /// `text` is what is parsed.
  SyntaxMessages(mlir::MLIRContext *context, llvm::StringRef text);

  const std::optional<TypeClash> &getClash() const { return clash; }
  /// Returns what is wrong where a region has a word of no dialect in place of
  /// an op: a `}` or a `tg.yield` that is missing before it, or a misspelt
  /// name; nothing where there is no such word.
  std::optional<std::string> describeWord(mlir::FileLineColLoc place) const;

private:
  mlir::LogicalResult take(mlir::Diagnostic &diagnostic);
  /// Returns where a `}` that is missing at or before a place should stand, and
  /// the sentence; nothing where the braces match.
  std::optional<std::pair<mlir::Location, std::string>>
  findMissingBrace(mlir::FileLineColLoc place);
  /// Returns the sentence for one that the parser said at a place.
  std::string rephrase(llvm::StringRef sentence,
                       mlir::FileLineColLoc place) const;
  std::string rephraseCustom(llvm::StringRef op, llvm::StringRef sentence,
                             size_t offset) const;
  std::string rephraseUndeclared(llvm::StringRef name, size_t offset) const;
  bool takeClash(mlir::Diagnostic &diagnostic, llvm::StringRef sentence);
  /// The byte of the text at a place; the length of the text past its end.
  size_t offsetOf(mlir::FileLineColLoc place) const;
  /// The place of a byte, in the file of another one.
  mlir::FileLineColLoc placeOf(size_t offset, mlir::FileLineColLoc like) const;

  mlir::MLIRContext *context;
  llvm::StringRef text;
  unsigned errors = 0;
  /// The braces of a text with a mistake.
  std::optional<Braces> braces;
  std::optional<TypeClash> clash;
};

/// Returns the sentence about an op that there is not, with what may be meant:
/// how another framework's op is written, or the nearest name.
std::string describeUnknownOp(mlir::MLIRContext *context, llvm::StringRef name);

/// Tells a clash of types: as the mistake of the op that gave the value its
/// type, where the verifier finds one there, else as that of the use. `text` is
/// what was parsed.
void tellTypeClash(const TypeClash &clash, llvm::StringRef text);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_SYNTAXMESSAGES_H
