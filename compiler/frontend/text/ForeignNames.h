//===- ForeignNames.h - ops under other frameworks' names -------*- C++ -* ===//
#ifndef TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
#define TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tg {

/// The name of an op in another framework, and the ops of tg to use instead.
struct ForeignName {
  /// The mnemonic in the other framework.
  llvm::StringLiteral name;
  /// The end of the error message, after "; ". Refers to ops of tg by their
  /// names with the dialect prefix.
  llvm::StringLiteral hint;
};

/// Returns the names of all such ops, in no particular order.
llvm::ArrayRef<ForeignName> getForeignNames();

/// Returns the hint for a mnemonic, or "" if the table does not contain it.
llvm::StringRef hintForForeign(llvm::StringRef mnemonic);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
