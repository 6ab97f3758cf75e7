//===- EmbeddedObject.h - the object of the embedded runtime --------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H
#define TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H

#include "llvm/ADT/ArrayRef.h"

namespace tg {

/// Returns the object file of the embedded runtime, which is part of the
/// compiler's binary. Each function has its own section.
llvm::ArrayRef<char> embeddedObject();

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_EMBEDDEDOBJECT_H
