//===- Link.h - from object files to one library --------------------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_LINK_H
#define TG_COMPILER_LIBRARY_LINK_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace tg {

/// The bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// The final names of symbols. Several symbols may get one name, because they
/// are local.
using SymbolNames = llvm::StringMap<std::string>;

/// Links objects to a shared library without symbol table and debug sections,
/// whose data is read-only after loading. Hidden symbols are not exported. With
/// `names` the library keeps a symbol table that contains these names.
///
/// Runs lld in this process, one link at a time, without creating files.
llvm::Error linkShared(llvm::ArrayRef<FileBytes> objects,
                       llvm::SmallVectorImpl<char> &library,
                       const SymbolNames *names = nullptr);

/// Links objects to one relocatable object in which hidden symbols are local.
/// With `names` all symbols stay and are renamed.
llvm::Error linkRelocatable(llvm::ArrayRef<FileBytes> objects,
                            llvm::SmallVectorImpl<char> &object,
                            const SymbolNames *names = nullptr);

/// Makes the hidden symbols of an object local. With `names` renames local
/// symbols, otherwise removes those that no relocation needs.
llvm::Error localizeHidden(llvm::ArrayRef<char> object,
                           llvm::SmallVectorImpl<char> &result,
                           const SymbolNames *names = nullptr);

/// Fails if a linked library needs a function other than memcpy, memmove,
/// memset and memcmp, or has writable data.
llvm::Error checkLibrary(llvm::ArrayRef<char> library);

/// Returns true if the bytes are an x86-64 object file that can be linked to a
/// library with others: it defines exactly the given functions as symbols
/// visible to other objects, needs no function that checkLibrary rejects, and
/// has no writable data.
bool isObjectOf(llvm::ArrayRef<char> object,
                llvm::ArrayRef<llvm::StringRef> functions);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_LINK_H
