#include "support/Cuda.h"

#include <cstdlib>

using namespace tg::test;

namespace {

/// Tests streams and events, with work that is deferred.
class StreamTest : public CudaTest {
protected:
  void SetUp() override {
    setenv("TG_SIMULATOR_DEFER", "1", 1);
    CudaTest::SetUp();
    unsetenv("TG_SIMULATOR_DEFER");
    EXPECT_EQ(cuda.cuStreamCreate(&first, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING,
                                              /*priority=*/-1),
              CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemHostAlloc(&pinned, 16, 0), CUDA_SUCCESS);
    host = static_cast<int *>(pinned);
    host[0] = 1;
    EXPECT_EQ(cuda.cuMemAlloc_v2(&memory, 16), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuda.cuStreamDestroy_v2(first), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuStreamDestroy_v2(second), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemFree_v2(memory), CUDA_SUCCESS);
    CudaTest::TearDown();
  }

  /// Submits a fill of the memory and a copy of it to the host.
  void fillAndCopy(unsigned value, CUstream stream) {
    EXPECT_EQ(cuda.cuMemsetD32Async(memory, value, 1, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(host, memory, 4, stream), CUDA_SUCCESS);
  }

  CUstream first = nullptr, second = nullptr;
  void *pinned = nullptr;
  int *host = nullptr;
  CUdeviceptr memory = 0;
};

TEST_F(StreamTest, WorkWaitsForASynchronization) {
  fillAndCopy(5, first);
  EXPECT_EQ(host[0], 1);
  EXPECT_EQ(cuda.cuStreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 1);
  EXPECT_EQ(cuda.cuStreamSynchronize(first), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 5);
  fillAndCopy(6, second);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 6);
}

TEST_F(StreamTest, QueriesSayOnceThatWorkIsNotDone) {
  fillAndCopy(5, first);
  EXPECT_EQ(cuda.cuStreamQuery(first), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(host[0], 5);
  EXPECT_EQ(cuda.cuStreamQuery(first), CUDA_SUCCESS);
}

/// The default stream and those that block follow each other; others do not.
TEST_F(StreamTest, TheDefaultStreamOrdersOthers) {
  fillAndCopy(5, first);
  EXPECT_EQ(cuda.cuMemsetD32_v2(memory, 6, 1), CUDA_SUCCESS);
  fillAndCopy(7, second);
  int seen = 0;
  EXPECT_EQ(cuda.cuMemcpyDtoH_v2(&seen, memory, 4), CUDA_SUCCESS);
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(host[0], 5);
  EXPECT_EQ(cuda.cuStreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 7);
  EXPECT_EQ(cuda.cuMemsetD32_v2(memory, 8, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(host, memory, 4, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(first), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 8);
}

/// Ordinary memory is copied within the call.
TEST_F(StreamTest, PageableMemoryWaits) {
  int ordinary = 9, back = 0;
  EXPECT_EQ(cuda.cuMemcpyHtoDAsync_v2(memory, &ordinary, 4, first),
            CUDA_SUCCESS);
  ordinary = 10;
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(&back, memory, 4, first), CUDA_SUCCESS);
  EXPECT_EQ(back, 9);
}

/// Pinned memory is read when the copy runs.
TEST_F(StreamTest, PinnedMemoryIsReadLate) {
  host[1] = 11;
  EXPECT_EQ(cuda.cuMemcpyHtoDAsync_v2(memory, host + 1, 4, first),
            CUDA_SUCCESS);
  host[1] = 12;
  int back = 0;
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(&back, memory, 4, first), CUDA_SUCCESS);
  EXPECT_EQ(back, 12);
}

TEST_F(StreamTest, EventsOrderStreams) {
  CUevent event = nullptr;
  EXPECT_EQ(cuda.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  // An event that was not recorded is no obstacle.
  EXPECT_EQ(cuda.cuEventQuery(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemsetD32Async(memory, 5, 1, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventRecord(event, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemsetD32Async(memory, 6, 1, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(host, memory, 4, second), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 5);
  EXPECT_EQ(cuda.cuEventRecord(event, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuda.cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventDestroy_v2(event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(StreamTest, TimesBetweenEvents) {
  CUevent begin = nullptr, end = nullptr;
  EXPECT_EQ(cuda.cuEventCreate(&begin, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventCreate(&end, 0), CUDA_SUCCESS);
  float milliseconds = -1;
  EXPECT_EQ(cuda.cuEventElapsedTime(&milliseconds, begin, end),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuda.cuEventRecord(begin, first), CUDA_SUCCESS);
  EXPECT_EQ(launch(kernel(kernelOf(0, ""), "k"), 1000, 1, {}, first),
            CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventRecord(end, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventElapsedTime(&milliseconds, begin, end),
            CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuda.cuEventSynchronize(end), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventElapsedTime(&milliseconds, begin, end), CUDA_SUCCESS);
  EXPECT_FLOAT_EQ(milliseconds, 0.001f);
  EXPECT_EQ(cuda.cuEventDestroy_v2(begin), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventDestroy_v2(end), CUDA_SUCCESS);
}

/// The observations of functions of the host.
struct Seen {
  const Cuda *cuda;
  int value;
  CUresult status;
};

TEST_F(StreamTest, HostFunctionsRunInOrderAndMayNotCallTheDriver) {
  Seen seen = {&cuda, 0, CUDA_SUCCESS};
  auto note = [](void *data) {
    auto *found = static_cast<Seen *>(data);
    found->value = 3;
    found->status = found->cuda->cuCtxSynchronize();
  };
  EXPECT_EQ(cuda.cuLaunchHostFunc(first, note, &seen), CUDA_SUCCESS);
  EXPECT_EQ(seen.value, 0);
  EXPECT_EQ(cuda.cuStreamSynchronize(first), CUDA_SUCCESS);
  EXPECT_EQ(seen.value, 3);
  EXPECT_EQ(seen.status, CUDA_ERROR_NOT_PERMITTED);
  auto callback = [](CUstream, CUresult status, void *data) {
    auto *found = static_cast<Seen *>(data);
    ++found->value;
    found->status = status;
  };
  EXPECT_EQ(cuda.cuStreamAddCallback(first, callback, &seen, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(seen.value, 4);
  EXPECT_EQ(seen.status, CUDA_SUCCESS);
}

TEST_F(StreamTest, WrongHandles) {
  auto wrong = reinterpret_cast<CUstream>(host);
  EXPECT_EQ(cuda.cuStreamSynchronize(wrong), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuda.cuStreamDestroy_v2(nullptr), CUDA_ERROR_INVALID_HANDLE);
  CUstream stream = nullptr;
  EXPECT_EQ(cuda.cuStreamCreate(&stream, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

} // namespace
