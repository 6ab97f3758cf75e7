/// The version of a kernel that a run launches depends on its extents.
#include "support/EmptyDevice.h"

using namespace tg::test;

namespace {

/// Transposes a tensor [rows, columns, 8], and returns the names of the
/// launched kernels.
std::vector<std::string> transpose(int64_t rows, int64_t columns) {
  const LoadedTable table(TG_TRANSPOSE_SO, TG_TARGET_CUDA_80);
  // No memory is accessed at these addresses.
  auto *memory = reinterpret_cast<char *>(int64_t(1) << 40);
  Arguments inputs, outputs;
  inputs.add(memory, {rows, columns, 8}, kF32);
  outputs.add(memory + (int64_t(1) << 40), {columns, rows, 8}, kF32);
  inputs[0].device = outputs[0].device = {TG_DEVICE_CUDA, 0};
  EmptyDevice device;
  device.run(table, {rows, columns}, inputs, outputs);
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
