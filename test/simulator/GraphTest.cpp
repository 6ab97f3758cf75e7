#include "support/Cuda.h"

#include <cstdlib>
#include <thread>

using namespace tg::test;

namespace {

/// Tests graphs of a stream, with work that is deferred.
class GraphTest : public CudaTest {
protected:
  void SetUp() override {
    setenv("TG_SIMULATOR_DEFER", "1", 1);
    CudaTest::SetUp();
    unsetenv("TG_SIMULATOR_DEFER");
    EXPECT_EQ(cuda.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
              CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemHostAlloc(&pinned, 16, 0), CUDA_SUCCESS);
    host = static_cast<int *>(pinned);
    host[0] = host[1] = 1;
    EXPECT_EQ(cuda.cuMemAlloc_v2(&memory, 16), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuda.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
    if (memory)
      EXPECT_EQ(cuda.cuMemFree_v2(memory), CUDA_SUCCESS);
    CudaTest::TearDown();
  }

  CUresult begin() {
    return cuda.cuStreamBeginCapture_v2(stream,
                                        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  }
  /// Captures a copy to the device, a kernel that adds `number`, a fill of the
  /// second number and a copy back.
  CUgraph captureGraph(int number) {
    const CUfunction add =
        kernel(kernelOf(1, "ld.global.b32 %r1, [%p0];\nadd.s32 %r1, %r1, " +
                               std::to_string(number) +
                               ";\nst.global.b32 [%p0], %r1;\n"),
               "k");
    CUgraph graph = nullptr;
    EXPECT_EQ(begin(), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemcpyHtoDAsync_v2(memory, host, 8, stream), CUDA_SUCCESS);
    EXPECT_EQ(launch(add, 1, 1, {memory}, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemsetD8Async(memory + 4, 7, 1, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(host, memory, 8, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
    return graph;
  }
  /// Captures a graph that adds 1. Returns what can be launched.
  CUgraphExec capture() {
    const CUgraph graph = captureGraph(1);
    CUgraphExec exec = nullptr;
    size_t count = 0;
    EXPECT_EQ(cuda.cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    EXPECT_EQ(count, 4u);
    EXPECT_EQ(cuda.cuGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0),
              CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuGraphDestroy(graph), CUDA_SUCCESS);
    return exec;
  }
  /// Ends a capture that is not valid.
  void endInvalid() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph),
              CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(graph, nullptr);
  }

  CUstream stream = nullptr;
  void *pinned = nullptr;
  int *host = nullptr;
  CUdeviceptr memory = 0;
};

} // namespace

TEST_F(GraphTest, ACaptureRunsNothing) {
  const CUgraphExec exec = capture();
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 1);
  const tgSimulatorCounters found = counters();
  EXPECT_EQ(found.launches + found.copies + found.fills, 0u);
  EXPECT_EQ(found.captures, 1u);
  EXPECT_EQ(found.graphs, 0u);
  EXPECT_EQ(found.graphExecs, 1u);
  EXPECT_EQ(cuda.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(GraphTest, LaunchesRepeatTheWork) {
  const CUgraphExec exec = capture();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 1);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 4);
  EXPECT_EQ(host[1], 7);
  const tgSimulatorCounters found = counters();
  EXPECT_EQ(found.launches + found.copies + found.fills, 0u);
  EXPECT_EQ(found.graphLaunches, 3u);
  EXPECT_EQ(found.graphKernels, 3u);
  EXPECT_EQ(found.graphCopies, 6u);
  EXPECT_EQ(found.graphFills, 3u);
  // A launch keeps what it needs.
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 5);
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(GraphTest, AnUpdateReplacesTheArguments) {
  const CUgraphExec exec = capture();
  const CUgraph changed = captureGraph(10);
  CUgraphNode wrong = nullptr;
  CUgraphExecUpdateResult result;
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS); // as it is
  EXPECT_EQ(cuda.cuGraphExecUpdate(exec, changed, &wrong, &result),
            CUDA_SUCCESS);
  EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_EQ(cuda.cuGraphDestroy(changed), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 12);
  EXPECT_EQ(counters().graphUpdates, 1u);
  EXPECT_EQ(cuda.cuGraphExecDestroy(exec), CUDA_SUCCESS);
}

TEST_F(GraphTest, AnUpdateKeepsTheKindsOfNodes) {
  const CUgraphExec exec = capture();
  CUgraphNode wrong = nullptr;
  CUgraphExecUpdateResult result;
  for (const int fills : {1, 4}) {
    CUgraph graph = nullptr;
    EXPECT_EQ(begin(), CUDA_SUCCESS);
    for (int i = 0; i < fills; ++i)
      EXPECT_EQ(cuda.cuMemsetD8Async(memory, 7, 1, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuGraphExecUpdate(exec, graph, &wrong, &result),
              CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    EXPECT_EQ(result, fills == 1
                          ? CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
                          : CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    EXPECT_EQ(wrong != nullptr, fills == 4);
    EXPECT_EQ(cuda.cuGraphExecUpdate(nullptr, graph, &wrong, &result),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuda.cuGraphExecUpdate(exec, graph, nullptr, &result),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuda.cuGraphDestroy(graph), CUDA_SUCCESS);
  }
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 2); // the old graph
  EXPECT_EQ(counters().graphUpdates, 0u);
  EXPECT_EQ(cuda.cuGraphExecDestroy(exec), CUDA_SUCCESS);
}

TEST_F(GraphTest, MemoryThatIsGoneIsAFault) {
  const CUgraphExec exec = capture();
  EXPECT_EQ(cuda.cuMemFree_v2(memory), CUDA_SUCCESS);
  memory = 0;
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuda.cuGraphLaunch(exec, stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  modules.clear();
  renew();
  EXPECT_EQ(cuda.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemHostAlloc(&pinned, 16, 0), CUDA_SUCCESS);
}

TEST_F(GraphTest, CapturesForbidWaitsToTheirThread) {
  CUdeviceptr other = 0;
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemAlloc_v2(&other, 4),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  EXPECT_EQ(cuda.cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  endInvalid();
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  endInvalid();
  // Ordinary memory would be copied within the call.
  int ordinary = 0;
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyHtoDAsync_v2(memory, &ordinary, 4, stream),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  endInvalid();
}

TEST_F(GraphTest, OtherThreadsMayWait) {
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  CUgraph graph = nullptr;
  std::thread([&] {
    EXPECT_EQ(cuda.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph),
              CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    CUcontext popped;
    EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphDestroy(graph), CUDA_SUCCESS);
}

TEST_F(GraphTest, AFailureEndsTheCapture) {
  CUgraph graph = nullptr;
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_TRUE(cuda.fail("cuStreamEndCapture", 1, CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
}

TEST_F(GraphTest, WrongCalls) {
  CUgraph graph = nullptr;
  EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(cuda.cuStreamBeginCapture_v2(nullptr,
                                         CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(begin(), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(cuda.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuGraphDestroy(graph), CUDA_ERROR_INVALID_HANDLE);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cuda.cuGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0),
            CUDA_ERROR_INVALID_HANDLE);
}
