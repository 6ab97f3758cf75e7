//===- Backends.cpp - the back ends of this compiler ----------------------===//
#include "compiler/codegen/cpu/CpuBackend.h"

using namespace tg;

llvm::ArrayRef<const Backend *> tg::getBackends() {
  static const CpuBackend cpu;
  static const Backend *const backends[] = {&cpu};
  return backends;
}

const Backend *tg::findBackend(llvm::StringRef kind) {
  for (const Backend *backend : getBackends())
    if (backend->getKind() == kind)
      return backend;
  return nullptr;
}
