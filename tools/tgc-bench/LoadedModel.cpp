//===- LoadedModel.cpp - a compiled model that can run --------------------===//
#include "LoadedModel.h"

using namespace tg::bench;

LoadedModel::~LoadedModel() {
  tg_context_destroy(context);
  tg_pool_destroy(pool, nullptr);
  if (module)
    tg_module_unload(module, nullptr);
}

std::string LoadedModel::load(llvm::StringRef file, unsigned threads) {
  std::string error =
      call(tg_module_load_memory, static_cast<const void *>(file.data()),
           uint64_t(file.size()),
           static_cast<const tg_load_options_t *>(nullptr), &module);
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  if (error.empty() && threads > 1) {
    error = call(tg_pool_create, uint32_t(threads), &pool);
    if (error.empty())
      options.parallel = tg_pool_parallel(pool);
  }
  if (error.empty())
    error = call(tg_context_create, module,
                 static_cast<const tg_context_options_t *>(&options), &context);
  return error;
}
