/// Copies of tensors in the memory of the host.
#include "support/EmptyDevice.h"

#include <cstring>

using namespace tg::test;

namespace {

/// Returns the copies between host and device of a transposition of [rows,
/// columns, 8], without those of the report. areStaged[i] tells whether copy i
/// is from or to the host block.
std::vector<HostCopy> copyTensors(int64_t rows, int64_t columns,
                                  std::vector<bool> &areStaged) {
  const LoadedTable table(TG_TRANSPOSE_SO, TG_TARGET_CUDA_80);
  std::vector<float> x(rows * columns * 8), y(rows * columns * 8);
  Arguments inputs, outputs;
  inputs.add(x.data(), {rows, columns, 8}, kF32);
  outputs.add(y.data(), {columns, rows, 8}, kF32);
  EmptyDevice device;
  device.run(table, {rows, columns}, inputs, outputs);
  const char *block = static_cast<const char *>(device.block->data());
  std::vector<HostCopy> copies;
  areStaged.clear();
  for (const HostCopy &copy : device.copies) {
    const char *host = static_cast<const char *>(copy.host);
    const bool isStaged = host >= block && host < block + device.blockBytes;
    if (copy.bytes != x.size() * 4)
      continue;
    EXPECT_TRUE(!isStaged || host + copy.bytes <= block + device.blockBytes);
    copies.push_back(copy);
    areStaged.push_back(isStaged);
  }
  EXPECT_EQ(device.copies.size(), copies.size() + 2); // the report
  EXPECT_EQ(device.waits, 1u);
  float expected;
  std::memset(&expected, 0xff, sizeof(expected));
  EXPECT_EQ(std::memcmp(&y[0], &expected, 4), 0); // the bytes of the device
  return copies;
}

class StagingTest : public CudaTest {};

} // namespace

TEST_F(StagingTest, smallTensorsPassThroughTheHostBlock) {
  std::vector<bool> areStaged;
  const std::vector<HostCopy> copies = copyTensors(3, 5, areStaged);
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].direction, uint32_t(TG_COPY_TO_DEVICE));
  EXPECT_EQ(copies[1].direction, uint32_t(TG_COPY_FROM_DEVICE));
  EXPECT_EQ(areStaged, std::vector<bool>({true, true}));
}

TEST_F(StagingTest, tensorsFrom16MebibytesOnAreCopiedDirectly) {
  std::vector<bool> areStaged;
  EXPECT_EQ(copyTensors(1024, 512, areStaged).size(), 2u);
  EXPECT_EQ(areStaged, std::vector<bool>({true, true}));
  EXPECT_EQ(copyTensors(1024, 513, areStaged).size(), 2u);
  EXPECT_EQ(areStaged, std::vector<bool>({false, false}));
}

/// An output is written only by a run that succeeds.
TEST_F(StagingTest, aFailedRunLeavesOutputsAsTheyWere) {
  BareHost device;
  MlpCalls calls(device);
  ASSERT_EQ(calls.init(1), TG_OK) << device.error.message;
  MlpBatch batch(2, 1);
  batch.labels[1] = 10;
  calls.loss = 7;
  EXPECT_EQ(calls.train(batch), TG_ERROR_INDEX);
  EXPECT_EQ(calls.loss, 7);
  batch.labels[1] = 9;
  EXPECT_EQ(calls.train(batch), TG_OK) << device.error.message;
  EXPECT_NE(calls.loss, 7);
}
