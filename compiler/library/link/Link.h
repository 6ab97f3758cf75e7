//===- Link.h - from object files to one library --------------------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_LINK_H
#define TG_COMPILER_LIBRARY_LINK_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace tg {

/// Bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// The final names of symbols. Several may get one name: they are local then.
using SymbolNames = llvm::StringMap<std::string>;

/// Links objects to a shared library without symbol table and debug sections,
/// whose data is read-only once it is loaded. Hidden symbols stay inside. With
/// `names` the symbol table stays, and has them.
///
/// Runs lld in this process, one link at a time, without files of its own.
llvm::Error linkShared(llvm::ArrayRef<FileBytes> objects,
                       llvm::SmallVectorImpl<char> &library,
                       const SymbolNames *names = nullptr);

/// Links objects to one relocatable object in which hidden symbols are local.
/// With `names` all stay, and have them.
llvm::Error linkRelocatable(llvm::ArrayRef<FileBytes> objects,
                            llvm::SmallVectorImpl<char> &object,
                            const SymbolNames *names = nullptr);

/// Makes the hidden symbols of an object local; gives local ones their names,
/// or takes away those that nothing needs.
llvm::Error localizeHidden(llvm::ArrayRef<char> object,
                           llvm::SmallVectorImpl<char> &result,
                           const SymbolNames *names = nullptr);

/// Fails when a linked library needs another function than memcpy, memmove,
/// memset and memcmp, or has data that can be written.
llvm::Error checkLibrary(llvm::ArrayRef<char> library);

/// Returns true if the bytes are an object file of x86-64 that can be linked to
/// a library beside others: it defines all the functions of these names, and
/// nothing else that other objects see, needs no other function than
/// checkLibrary allows, and has no data that can be written.
bool isObjectOf(llvm::ArrayRef<char> object,
                llvm::ArrayRef<llvm::StringRef> functions);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_LINK_H
