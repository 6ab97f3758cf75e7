//===- Backends.cpp - the back ends of this compiler ----------------------===//
#include "compiler/codegen/AllBackends.h"

using namespace tg;

std::optional<int> Backend::parseTarget(llvm::StringRef word) const {
  for (int level : getLevels())
    if (nameOf(level) == word)
      return level;
  return std::nullopt;
}

/// Returns the only object of a class of back ends.
template <typename Class> static const Backend *getInstance() {
  static const Class instance;
  return &instance;
}

llvm::ArrayRef<const Backend *> tg::getBackends() {
#define TG_BACKEND(Class) getInstance<Class>(),
  static const Backend *const backends[] = {
#include "compiler/codegen/Backends.inc"
  };
#undef TG_BACKEND
  return backends;
}

const Backend *tg::findBackend(llvm::StringRef kind) {
  for (const Backend *backend : getBackends())
    if (backend->getKind() == kind)
      return backend;
  return nullptr;
}

const Backend &tg::getCpuBackend() {
  for (const Backend *backend : getBackends())
    if (backend->getCpuCode())
      return *backend;
  llvm_unreachable("a compiler without a back end for the CPU");
}
