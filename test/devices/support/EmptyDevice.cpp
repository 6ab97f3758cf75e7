#include "EmptyDevice.h"

namespace tg::test {

EmptyDevice::EmptyDevice() {
  ops = {sizeof(ops), 0, launch, copy, fill, wait, run, text, nullptr};
}

tg_status_t EmptyDevice::launch(void *device, void *, void *, uint32_t kernel,
                                uint32_t, uint32_t, const uint64_t *,
                                uint32_t) {
  static_cast<EmptyDevice *>(device)->launched.push_back(kernel);
  return TG_OK;
}

tg_status_t EmptyDevice::copy(void *device, void *, void *to, const void *from,
                              uint64_t bytes, uint32_t direction) {
  const bool isToHost = direction == TG_COPY_FROM_DEVICE;
  if (isToHost)
    std::fill_n(static_cast<int64_t *>(to), bytes / 8, INT64_MAX);
  auto &empty = *static_cast<EmptyDevice *>(device);
  empty.copies.push_back(
      {isToHost ? to : from, bytes, direction, empty.isInRun});
  return TG_OK;
}

tg_status_t EmptyDevice::fill(void *, void *, void *, uint8_t, uint64_t) {
  return TG_OK;
}

tg_status_t EmptyDevice::wait(void *device, void *) {
  ++static_cast<EmptyDevice *>(device)->waits;
  return TG_OK;
}

tg_status_t EmptyDevice::run(void *device, void *, const tg_device_key_t *key,
                             tg_enqueue_fn *enqueue, void *argument) {
  auto &empty = *static_cast<EmptyDevice *>(device);
  empty.isInRun = key != nullptr;
  const tg_status_t status = enqueue(argument);
  empty.isInRun = false;
  return status;
}

const char *EmptyDevice::text(void *) { return ""; }

void EmptyDevice::run(const LoadedTable &table, std::vector<int64_t> symbols,
                      Arguments &inputs, Arguments &outputs) {
  const tg_function_t &function = table.function("test");
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols.data();
  EXPECT_EQ(function.plan(&function, &plan, &error), TG_OK) << error.message;
  blockBytes = plan.host_block_bytes;
  block = std::make_unique<AlignedMemory>(blockBytes);
  void *image = nullptr;
  tg_device_call_t deviceCall = {};
  deviceCall.struct_size = sizeof(deviceCall);
  deviceCall.ops = &ops;
  deviceCall.device = this;
  deviceCall.images = &image;
  deviceCall.host_block = block->data();
  deviceCall.host_block_bytes = blockBytes;
  deviceCall.id = {TG_DEVICE_CUDA, 0};
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.inputs = inputs.data();
  call.input_count = inputs.size();
  call.outputs = outputs.data();
  call.output_count = outputs.size();
  call.error = &error;
  call.workspace = reinterpret_cast<void *>(int64_t(3) << 40);
  call.workspace_bytes = plan.workspace_bytes;
  call.device = &deviceCall;
  EXPECT_EQ(function.run(&function, &call), TG_OK) << error.message;
}

} // namespace tg::test
