//===- Link.h - from object files to one library --------------------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_LINK_H
#define TG_COMPILER_CODEGEN_LIBRARY_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tg {

/// Bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// Links objects to a shared library without symbol table and debug sections,
/// whose data is read-only once it is loaded. Hidden symbols stay inside; the
/// symbol table with the names of functions does where symbols are kept.
///
/// Runs lld in this process, one link at a time, without files of its own.
llvm::Error linkShared(llvm::ArrayRef<FileBytes> objects,
                       llvm::SmallVectorImpl<char> &library,
                       bool keepsSymbols = false);

/// Links objects to one relocatable object in which hidden symbols are local,
/// and have names where symbols are kept.
llvm::Error linkRelocatable(llvm::ArrayRef<FileBytes> objects,
                            llvm::SmallVectorImpl<char> &object,
                            bool keepsSymbols = false);

/// Makes the hidden symbols of an object local; takes local ones away where
/// symbols are not kept.
llvm::Error localizeHidden(llvm::ArrayRef<char> object,
                           llvm::SmallVectorImpl<char> &result,
                           bool keepsSymbols = false);

/// Fails when a linked library needs another function than memcpy, memmove,
/// memset and memcmp, or has data that can be written.
llvm::Error checkLibrary(llvm::ArrayRef<char> library);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_LINK_H
