/// The version of a kernel that a run launches depends on its extents.
#include "support/Mlp.h"

using namespace tg::test;

namespace {

/// The operations of a device that has no memory and runs no kernel.
struct EmptyDevice {
  EmptyDevice() {
    ops = {sizeof(ops), 0,   launch, copy,   fill,
           wait,        run, text,   nullptr};
  }

  static tg_status_t launch(void *device, void *, void *, uint32_t kernel,
                            uint32_t, uint32_t, const uint64_t *, uint32_t) {
    static_cast<EmptyDevice *>(device)->launched.push_back(kernel);
    return TG_OK;
  }
  /// Copies the report of a run without errors.
  static tg_status_t copy(void *, void *, void *to, const void *,
                          uint64_t bytes, uint32_t direction) {
    if (direction == TG_COPY_FROM_DEVICE)
      std::fill_n(static_cast<int64_t *>(to), bytes / 8, INT64_MAX);
    return TG_OK;
  }
  static tg_status_t fill(void *, void *, void *, uint8_t, uint64_t) {
    return TG_OK;
  }
  static tg_status_t wait(void *, void *) { return TG_OK; }
  static tg_status_t run(void *, void *, const tg_device_key_t *,
                         tg_enqueue_fn *enqueue, void *argument) {
    return enqueue(argument);
  }
  static const char *text(void *) { return ""; }

  tg_device_ops_t ops;
  /// The indices of the launched kernels.
  std::vector<uint32_t> launched;
};

/// Transposes a tensor [rows, columns, 8], and returns the names of the
/// launched kernels.
std::vector<std::string> transpose(int64_t rows, int64_t columns) {
  const LoadedTable table(TG_TRANSPOSE_SO, TG_TARGET_CUDA_80);
  const tg_function_t &function = table.function("test");
  // No memory is accessed at this address.
  auto *memory = reinterpret_cast<void *>(int64_t(1) << 40);
  Arguments inputs, outputs;
  inputs.add(memory, {rows, columns, 8}, kF32);
  outputs.add(static_cast<char *>(memory) + (int64_t(1) << 40),
              {columns, rows, 8}, kF32);
  inputs[0].device = outputs[0].device = {TG_DEVICE_CUDA, 0};
  int64_t symbols[] = {rows, columns};
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols;
  EXPECT_EQ(function.plan(&function, &plan, &error), TG_OK) << error.message;
  const AlignedMemory block(plan.host_block_bytes);
  EmptyDevice device;
  void *image = nullptr;
  tg_device_call_t deviceCall = {};
  deviceCall.struct_size = sizeof(deviceCall);
  deviceCall.ops = &device.ops;
  deviceCall.device = &device;
  deviceCall.images = &image;
  deviceCall.host_block = block.data();
  deviceCall.host_block_bytes = plan.host_block_bytes;
  deviceCall.id = {TG_DEVICE_CUDA, 0};
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.inputs = inputs.data();
  call.input_count = inputs.size();
  call.outputs = outputs.data();
  call.output_count = outputs.size();
  call.error = &error;
  call.workspace = static_cast<char *>(memory) + (int64_t(1) << 41);
  call.workspace_bytes = plan.workspace_bytes;
  call.device = &deviceCall;
  EXPECT_EQ(function.run(&function, &call), TG_OK) << error.message;
  std::vector<std::string> names;
  for (uint32_t kernel : device.launched)
    names.push_back(table.model().images[0]->kernels[kernel]);
  return names;
}

bool isWide(const std::string &name) {
  return name.find("wide") != std::string::npos;
}

} // namespace

TEST(IndexWidth, FollowsFromTheNumberOfElements) {
  for (auto [rows, columns, expectsWide] :
       {std::tuple(3, 5, false), std::tuple(1 << 13, 1 << 13, false),
        std::tuple((1 << 13) + 1, 1 << 13, true),
        std::tuple(1 << 15, 1 << 15, true)}) {
    const std::vector<std::string> names = transpose(rows, columns);
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(isWide(names[0]), expectsWide) << rows << " rows: " << names[0];
  }
}
