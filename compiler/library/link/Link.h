//===- Link.h - from object files to one library --------------------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_LINK_H
#define TG_COMPILER_LIBRARY_LINK_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace tg {

/// The bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// The final name of each symbol, by its original name. Several symbols may get
/// the same final name, because they are local.
using SymbolNames = llvm::StringMap<std::string>;

/// Links objects to a shared library. Its data is read-only after loading, and
/// hidden symbols are not exported. It has no debug sections, and no symbol
/// table unless `names` is given, in which case the table has these names.
///
/// Runs lld in this process, one link at a time, without creating files.
llvm::Error linkShared(llvm::ArrayRef<FileBytes> objects,
                       llvm::SmallVectorImpl<char> &library,
                       const SymbolNames *names = nullptr);

/// Links objects to one relocatable object in which hidden symbols are local.
/// If `names` is given, keeps all symbols and renames them.
llvm::Error linkRelocatable(llvm::ArrayRef<FileBytes> objects,
                            llvm::SmallVectorImpl<char> &object,
                            const SymbolNames *names = nullptr);

/// Makes the hidden symbols of an object local. If `names` is given, renames
/// the local symbols; otherwise removes the local symbols that no relocation
/// needs.
llvm::Error localizeHidden(llvm::ArrayRef<char> object,
                           llvm::SmallVectorImpl<char> &result,
                           const SymbolNames *names = nullptr);

/// Fails if a linked library needs a function other than memcpy, memmove,
/// memset and memcmp, or has writable data.
llvm::Error checkLibrary(llvm::ArrayRef<char> library);

/// Returns true if the bytes are an x86-64 object file that can be linked to a
/// library with others. It must define exactly the given functions as symbols
/// visible to other objects, need no function that checkLibrary() rejects, and
/// have no writable data.
bool isObjectOf(llvm::ArrayRef<char> object,
                llvm::ArrayRef<llvm::StringRef> functions);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_LINK_H
