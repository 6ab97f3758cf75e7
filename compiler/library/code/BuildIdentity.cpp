//===- BuildIdentity.cpp - which compiler this is -------------------------===//
#include "compiler/library/code/BuildIdentity.h"
#include "compiler/library/Library.h"
#include "compiler/library/SourceHash.h.inc"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include <dlfcn.h>

using namespace tg;

/// Size and time of the file of this process that holds `address`, as ccache
/// tells compilers apart: updates of a library keep its name and version.
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
           describeFileOf(reinterpret_cast<void *>(&LLVMInitializeX86Target)) +
           describeFileOf(reinterpret_cast<void *>(&mlir::verify));
  }();
  return identity;
}
