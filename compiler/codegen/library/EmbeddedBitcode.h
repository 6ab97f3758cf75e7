//===- EmbeddedBitcode.h - the checks that every model carries
//----------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_EMBEDDEDBITCODE_H
#define TG_COMPILER_CODEGEN_LIBRARY_EMBEDDEDBITCODE_H

#include "llvm/ADT/StringRef.h"

namespace tg {

/// The LLVM bitcode of the embedded runtime, part of the program.
llvm::StringRef embeddedBitcode();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_EMBEDDEDBITCODE_H
