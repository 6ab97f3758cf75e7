/// Copies of tensors in the memory of the host.
#include "support/EmptyDevice.h"

#include <cstring>
#include <tuple>

using namespace tg::test;

namespace {

/// The bytes of the report of errors of a function without checks.
constexpr uint64_t reportBytes = 64;

/// A transposition of [rows, columns, 8], and what it copies.
struct Transposition {
  Transposition(int64_t rows, int64_t columns, int32_t deviceType) {
    const LoadedTable table(TG_TRANSPOSE_SO, TG_TARGET_CUDA_80);
    std::vector<float> x(rows * columns * 8), y(rows * columns * 8);
    bytes = x.size() * 4;
    Arguments inputs, outputs;
    inputs.add(x.data(), {rows, columns, 8}, kF32);
    outputs.add(y.data(), {columns, rows, 8}, kF32);
    inputs[0].device.device_type = outputs[0].device.device_type = deviceType;
    device.run(table, {rows, columns}, inputs, outputs);
    EXPECT_EQ(device.waits, 1u);
    float expected;
    std::memset(&expected, 0xff, sizeof(expected));
    EXPECT_EQ(std::memcmp(&y[0], &expected, 4), 0); // the bytes of the device
  }

  /// Returns true if a copy is from or to the host block.
  bool isStaged(const HostCopy &copy) const {
    const char *block = static_cast<const char *>(device.block->data());
    const char *host = static_cast<const char *>(copy.host);
    return host >= block && host + copy.bytes <= block + device.blockBytes;
  }
  /// Returns the copies, each as the bytes of a tensor that it has, whether it
  /// is staged, and whether it is one of the operations that may be repeated.
  std::vector<std::tuple<uint64_t, bool, bool>> copies() const {
    std::vector<std::tuple<uint64_t, bool, bool>> found;
    for (const HostCopy &copy : device.copies)
      found.emplace_back(copy.bytes - copy.bytes % reportBytes, isStaged(copy),
                         copy.isInRun);
    return found;
  }

  EmptyDevice device;
  uint64_t bytes = 0;
};

class StagingTest : public CudaTest {};

} // namespace

/// Tensors and the report of errors are one copy in each direction.
TEST_F(StagingTest, smallTensorsPassThroughTheHostBlock) {
  for (int32_t type : {TG_DEVICE_CPU, TG_DEVICE_CUDA_HOST}) {
    const Transposition run(3, 5, type);
    ASSERT_EQ(run.device.copies.size(), 2u);
    for (const HostCopy &copy : run.device.copies) {
      EXPECT_TRUE(run.isStaged(copy));
      EXPECT_TRUE(copy.isInRun);
      EXPECT_GT(copy.bytes, run.bytes);
      EXPECT_LT(copy.bytes, run.bytes + 512); // aligned parts
    }
    EXPECT_EQ(run.device.copies[0].direction, uint32_t(TG_COPY_TO_DEVICE));
    EXPECT_EQ(run.device.copies[1].direction, uint32_t(TG_COPY_FROM_DEVICE));
  }
}

TEST_F(StagingTest, tensorsFrom16MebibytesOnAreCopiedDirectly) {
  EXPECT_EQ(Transposition(1024, 512, TG_DEVICE_CPU).device.copies.size(), 2u);
  const Transposition run(1024, 513, TG_DEVICE_CPU);
  const std::vector<std::tuple<uint64_t, bool, bool>> expected = {
      {run.bytes, false, false},
      {reportBytes, true, true},
      {reportBytes, true, true},
      {run.bytes, false, false}};
  EXPECT_EQ(run.copies(), expected);
}

TEST_F(StagingTest, largePinnedTensorsAreCopiedByTheRepeatedRun) {
  const Transposition run(1024, 513, TG_DEVICE_CUDA_HOST);
  const std::vector<std::tuple<uint64_t, bool, bool>> expected = {
      {reportBytes, true, true},
      {run.bytes, false, true},
      {reportBytes, true, true},
      {run.bytes, false, true}};
  EXPECT_EQ(run.copies(), expected);
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
