//===- BuildIdentity.h - the identity of this compiler --------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H
#define TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H

#include <string>

namespace tg {

/// Returns a text that differs between compilers that may emit different code
/// for equal kernels: the version, a hash of the sources that affect code, and
/// the LLVM and MLIR libraries in this process.
const std::string &buildIdentity();

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_BUILDIDENTITY_H
