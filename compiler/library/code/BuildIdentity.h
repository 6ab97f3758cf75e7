//===- BuildIdentity.h - which compiler this is ---------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H
#define TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H

#include <string>

namespace tg {

/// A text that differs between compilers which may make different code of equal
/// kernels: version, a hash of the sources that code follows from, and the LLVM
/// and MLIR in this process.
const std::string &buildIdentity();

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H
