#include "Functions.h"

using namespace tg;
using namespace tg::simulator;

/// The shared memory of a block, and its most with cuFuncSetAttribute.
static constexpr uint32_t sharedBytes = 48 << 10;
static constexpr uint32_t mostSharedBytes = 163 << 10;
/// The most threads of a block.
static constexpr uint64_t mostThreads = 1024;

bool tg::simulator::isFunction(const CUctx_st &context,
                               const CUfunc_st *function) {
  for (const auto &[handle, module] : context.modules)
    for (const auto &[name, known] : module->functions)
      if (&known == function)
        return true;
  return false;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  return callInContext("cuModuleGetFunction", [&](Driver &, CUctx_st &context) {
    if (!function || !name)
      return CUDA_ERROR_INVALID_VALUE;
    if (!findObject(context.modules, module))
      return CUDA_ERROR_INVALID_HANDLE;
    const ptx::Code *code = module->program.findKernel(name);
    if (!code)
      return CUDA_ERROR_NOT_FOUND;
    CUfunc_st made{module, code,
                   sharedBytes - std::min(sharedBytes, code->sharedBytes)};
    *function = &module->functions.try_emplace(name, made).first->second;
    return CUDA_SUCCESS;
  });
}

uint64_t tg::simulator::threadLimit(const ptx::Code &code) {
  const auto &given =
      code.requiredThreads ? code.requiredThreads : code.maxThreads;
  if (!given)
    return mostThreads;
  uint64_t threads = uint64_t((*given)[0]) * (*given)[1] * (*given)[2];
  return std::min(mostThreads, threads);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function) {
  return callInContext(
      "cuFuncGetAttribute", [&](Driver &driver, CUctx_st &context) {
        if (!value)
          return CUDA_ERROR_INVALID_VALUE;
        if (!isFunction(context, function))
          return CUDA_ERROR_INVALID_HANDLE;
        const CUmod_st &module = *function->module;
        const int values[] = {int(threadLimit(*function->code)),
                              int(function->code->sharedBytes),
                              /*constant bytes=*/0,
                              int(function->code->localBytes),
                              int(function->code->slotCount),
                              int(module.parsed.version),
                              driver.settings.capability,
                              /*cache mode=*/0,
                              int(function->maxDynamicShared),
                              /*carveout=*/-1};
        if (attribute < 0 || size_t(attribute) >= std::size(values))
          return CUDA_ERROR_INVALID_VALUE;
        *value = values[attribute];
        return CUDA_SUCCESS;
      });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value) {
  return callInContext("cuFuncSetAttribute", [&](Driver &, CUctx_st &context) {
    if (!isFunction(context, function))
      return CUDA_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
      return CUDA_SUCCESS;
    int64_t total = int64_t(value) + function->code->sharedBytes;
    bool isDynamic =
        attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    if (!isDynamic || value < 0 || total > mostSharedBytes)
      return CUDA_ERROR_INVALID_VALUE;
    function->maxDynamicShared = value;
    return CUDA_SUCCESS;
  });
}
