//===- BuildIdentity.cpp - the identity of this compiler ------------------===//
#include "compiler/library/code/BuildIdentity.h"
#include "compiler/codegen/Backend.h"
#include "compiler/library/Library.h"
#include "compiler/library/SourceHash.h.inc"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

using namespace tg;

/// Returns the size and modification time of the file that `address` was loaded
/// from. A library may be updated without a change of its name or version; the
/// size and time then still differ. ccache identifies compilers in the same
/// way.
static std::string describeFileOf(const void *address) {
  Dl_info info = {};
  llvm::sys::fs::file_status status;
  if (!dladdr(address, &info) || llvm::sys::fs::status(info.dli_fname, status))
    return "unknown\n";
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return std::to_string(status.getSize()) + " " + std::to_string(time) + "\n";
}

const std::string &tg::buildIdentity() {
  static const std::string identity = [] {
    return compilerVersion() + "\n" TG_SOURCE_HASH "\n" +
           describeFileOf(getCpuBackend().getCpuCode()->getCodeGenerator()) +
           describeFileOf(reinterpret_cast<void *>(&mlir::verify));
  }();
  return identity;
}
