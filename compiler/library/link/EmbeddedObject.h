//===- EmbeddedObject.h - the checks that every model carries -------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H
#define TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H

#include "llvm/ADT/ArrayRef.h"

namespace tg {

/// The object file of the embedded runtime, part of the program. Each function
/// has a section of its own.
llvm::ArrayRef<char> embeddedObject();

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H
