//===- ForeignNames.h - ops as other frameworks call them -------*- C++ -*-===//
#ifndef TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
#define TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tg {

/// The way to write another framework's op in the text language.
struct ForeignName {
  /// The mnemonic that somebody may try.
  llvm::StringLiteral name;
  /// The text behind "; " in the message: existing ops, with the dialect in
  /// front.
  llvm::StringLiteral hint;
};

/// Returns all of them, in no order that counts.
llvm::ArrayRef<ForeignName> getForeignNames();

/// Returns the hint for a mnemonic, "" where there is none.
llvm::StringRef hintForForeign(llvm::StringRef mnemonic);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_FOREIGNNAMES_H
