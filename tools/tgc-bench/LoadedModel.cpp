//===- LoadedModel.cpp - a compiled model that can run --------------------===//
#include "LoadedModel.h"

using namespace tg::bench;

LoadedModel::~LoadedModel() {
  tg_context_destroy(context);
  tg_pool_destroy(pool, nullptr);
  if (module)
    tg_module_unload(module, nullptr);
}

std::string LoadedModel::load(llvm::StringRef file, unsigned threads,
                              tg_device_t device) {
  tg_load_options_t loading = {};
  loading.struct_size = sizeof(loading);
  loading.device = device;
  std::string error =
      call(tg_module_load_memory, static_cast<const void *>(file.data()),
           uint64_t(file.size()),
           static_cast<const tg_load_options_t *>(&loading), &module);
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

std::string LoadedModel::timeSteps(uint32_t function,
                                   llvm::ArrayRef<tg_tensor_t> inputs,
                                   llvm::ArrayRef<tg_tensor_t> outputs,
                                   double &seconds) {
  uint32_t count = getTables().functions[function]->step_count;
  std::vector<uint64_t> begin(count + 1), end(count + 1);
  tg_profile_t profile = {};
  profile.struct_size = sizeof(profile);
  profile.step_count = count;
  profile.begin = begin.data();
  profile.end = end.data();
  std::string error =
      call(tg_context_run_profiled, context, function, inputs.data(),
           uint32_t(inputs.size()), outputs.data(), uint32_t(outputs.size()),
           static_cast<const tg_profile_t *>(&profile));
  seconds = 0;
  for (uint32_t i = 0; i < count; ++i)
    seconds += double(end[i] - begin[i]) * 1e-9;
  return error;
}
