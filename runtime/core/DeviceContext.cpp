/// Streams and host blocks of contexts whose module runs on a device.
#include "DeviceContext.h"

using namespace tg;

/// The alignment of a host block.
static constexpr uint64_t blockAlignment = 64;

DeviceContext::~DeviceContext() {
  module.hostMemory().release(hostBlock, hostBlockBytes);
}

tg_status_t DeviceContext::growHostBlock(uint64_t bytes, tg_error_t *error) {
  if (bytes <= hostBlockBytes)
    return TG_OK;
  char *grown;
  const tg_status_t status =
      allocateBlock(module.hostMemory(), bytes, blockAlignment,
                    "host memory that the device uses", grown, error);
  if (status != TG_OK)
    return status;
  module.hostMemory().release(hostBlock, hostBlockBytes);
  hostBlock = grown;
  hostBlockBytes = bytes;
  return TG_OK;
}

tg_status_t DeviceContext::reserveHostBlock(const tg_function_t &function,
                                            const tg_plan_t &plan,
                                            tg_error_t *error) {
  if (TG_HAS(tg_plan_t, &plan, host_block_bytes))
    return growHostBlock(plan.host_block_bytes, error);
  tg_plan_t full = {};
  full.struct_size = sizeof(full);
  full.worker_count = plan.worker_count;
  full.symbols = plan.symbols;
  const tg_status_t status = function.plan(&function, &full, error);
  return status == TG_OK ? growHostBlock(full.host_block_bytes, error) : status;
}

tg_status_t DeviceContext::reserveHostBlocks(const tg_model_t &model,
                                             int64_t *symbols,
                                             tg_error_t *error) {
  for (uint32_t f = 0; f < model.function_count; ++f) {
    const tg_function_t &function = *model.functions[f];
    for (uint32_t i = 0; i < function.symbol_count; ++i) {
      const tg_symbol_t &symbol = *function.symbols[i];
      const uint64_t multiple = symbol.multiple > 0 ? symbol.multiple : 1;
      symbols[i] = static_cast<int64_t>(
          roundUp(static_cast<uint64_t>(symbol.minimum), multiple));
    }
    tg_plan_t plan = {};
    plan.struct_size = sizeof(plan);
    plan.symbols = symbols;
    // Only tensors of the host depend on the symbols. The least ones may not
    // fit together; then the context reserves the block with the workspace.
    if (function.plan(&function, &plan, nullptr) != TG_OK)
      continue;
    const tg_status_t status = growHostBlock(plan.host_block_bytes, error);
    if (status != TG_OK)
      return status;
  }
  return TG_OK;
}

tg_status_t DeviceContext::reserveKeys(const tg_model_t &model,
                                       tg_error_t *error) {
  uint32_t largest = 0;
  for (uint32_t f = 0; f < model.function_count; ++f) {
    const tg_function_t &function = *model.functions[f];
    largest = std::max(largest, function.symbol_total + function.input_count +
                                    function.output_count);
  }
  return stream->reserveKeys(largest + /*blocks=*/8, error);
}

tg_device_call_t DeviceContext::describe() const {
  tg_device_call_t call = {};
  call.struct_size = sizeof(call);
  stream->describe(call);
  module.describe(call);
  call.host_block = hostBlock;
  call.host_block_bytes = hostBlockBytes;
  return call;
}
