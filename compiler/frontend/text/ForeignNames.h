//===- ForeignNames.h - ops under other frameworks' names -------*- C++ -* ===//
#ifndef TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
#define TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tg {

/// The form of another framework's op in the text language.
struct ForeignName {
  /// The mnemonic in the other framework.
  llvm::StringLiteral name;
  /// The text after "; " in the message. It names existing ops, with the
  /// dialect prefix.
  llvm::StringLiteral hint;
};

/// Returns the whole table; the order has no meaning.
llvm::ArrayRef<ForeignName> getForeignNames();

/// Returns the hint for a mnemonic, or "".
llvm::StringRef hintForForeign(llvm::StringRef mnemonic);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
