#include "Driver.h"

#include <algorithm>

using namespace tg::simulator;

/// The calls that captures of a thread forbid to it, because they may wait for
/// the device.
static constexpr std::string_view forbiddenCalls[] = {
    "cuMemAlloc_v2",   "cuMemFree_v2",         "cuMemHostAlloc",
    "cuMemFreeHost",   "cuModuleLoadData",     "cuModuleLoadDataEx",
    "cuModuleUnload",  "cuCtxSynchronize",     "cuEventSynchronize",
    "cuEventQuery",    "cuMemcpyHtoD_v2",      "cuMemcpyDtoH_v2",
    "cuMemcpyDtoD_v2", "cuMemsetD8_v2",        "cuMemsetD16_v2",
    "cuMemsetD32_v2",  "cuGraphInstantiate_v2"};

CUresult tg::simulator::checkCaptures(CUctx_st &context,
                                      std::string_view name) {
  CUresult status = CUDA_SUCCESS;
  for (const auto &[handle, stream] : context.streams) {
    if (!stream->capture ||
        stream->capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
      continue;
    const bool isOfThread =
        stream->capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL ||
        stream->capture->thread == std::this_thread::get_id();
    if (!isOfThread ||
        std::ranges::find(forbiddenCalls, name) == std::end(forbiddenCalls))
      continue;
    stream->capture->isValid = false;
    status = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return status;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return callInContext("cuStreamBeginCapture_v2",
                       [&](Driver &, CUctx_st &context) {
                         CUstream_st *found = findStream(context, stream);
                         if (!found)
                           return CUDA_ERROR_INVALID_HANDLE;
                         if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL ||
                             mode > CU_STREAM_CAPTURE_MODE_RELAXED)
                           return CUDA_ERROR_INVALID_VALUE;
                         if (found == &context.defaultStream)
                           return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
                         if (found->capture)
                           return CUDA_ERROR_ILLEGAL_STATE;
                         found->capture = std::make_unique<Capture>();
                         found->capture->mode = mode;
                         found->capture->thread = std::this_thread::get_id();
                         return CUDA_SUCCESS;
                       });
}

/// Ends a capture, unless the call itself is wrong.
static CUresult endCapture(CUstream stream, CUgraph *graph) {
  return callInContext(
      "cuStreamEndCapture", [&](Driver &driver, CUctx_st &context) {
        CUstream_st *found = findStream(context, stream);
        if (!graph)
          return CUDA_ERROR_INVALID_VALUE;
        *graph = nullptr;
        if (!found)
          return CUDA_ERROR_INVALID_HANDLE;
        if (!found->capture)
          return CUDA_ERROR_ILLEGAL_STATE;
        if (found->capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
            found->capture->thread != std::this_thread::get_id())
          return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
        const std::unique_ptr<Capture> ended = std::move(found->capture);
        if (!ended->isValid)
          return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        auto made = std::make_unique<CUgraph_st>(std::move(ended->graph));
        *graph = made.get();
        context.graphs.emplace(*graph, std::move(made));
        ++driver.counters.captures;
        return CUDA_SUCCESS;
      });
}

/// Drops the capture of a stream of the current context, if there is one.
static void dropCapture(CUstream stream) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  CUctx_st *context = contextStack().empty() ? nullptr : contextStack().back();
  if (CUstream_st *found = context ? findStream(*context, stream) : nullptr)
    found->capture.reset();
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  const CUresult result = endCapture(stream, graph);
  // A failure ends the capture, too, also one that is planted.
  if (result != CUDA_SUCCESS &&
      result != CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    dropCapture(stream);
  return result;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  return callInContext("cuStreamIsCapturing", [&](Driver &, CUctx_st &context) {
    CUstream_st *found = findStream(context, stream);
    if (!status)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found)
      return CUDA_ERROR_INVALID_HANDLE;
    *status = !found->capture           ? CU_STREAM_CAPTURE_STATUS_NONE
              : found->capture->isValid ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                        : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return callInContext("cuGraphGetNodes", [&](Driver &, CUctx_st &context) {
    CUgraph_st *found = findObject(context.graphs, graph);
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found)
      return CUDA_ERROR_INVALID_HANDLE;
    const size_t size = found->nodes.size();
    for (size_t i = 0; nodes && i < *count; ++i)
      nodes[i] = i < size ? &found->nodes[i] : nullptr;
    *count = nodes ? std::min(*count, size) : size;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphInstantiate_v2(CUgraphExec *made, CUgraph graph,
                               CUgraphNode *wrong, char *log, size_t bytes) {
  return callInContext("cuGraphInstantiate_v2", [&](Driver &,
                                                    CUctx_st &context) {
    CUgraph_st *found = findObject(context.graphs, graph);
    if (!made)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found)
      return CUDA_ERROR_INVALID_HANDLE;
    if (wrong)
      *wrong = nullptr;
    if (log && bytes)
      *log = 0;
    auto exec = std::make_unique<CUgraphExec_st>();
    exec->nodes = std::make_shared<std::vector<CUgraphNode_st>>(found->nodes);
    *made = exec.get();
    context.graphExecs.emplace(*made, std::move(exec));
    return CUDA_SUCCESS;
  });
}

/// Compares the nodes of a graph with those of another one, which may have
/// other arguments. Sets *wrong to the first node that differs.
static CUgraphExecUpdateResult
compareNodes(const std::vector<CUgraphNode_st> &old, CUgraph_st &captured,
             CUgraphNode &wrong) {
  if (old.size() != captured.nodes.size())
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (size_t i = 0; i < old.size(); ++i)
    if (old[i].kind != captured.nodes[i].kind) {
      wrong = &captured.nodes[i];
      return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

CUresult cuGraphExecUpdate(CUgraphExec graph, CUgraph captured,
                           CUgraphNode *wrong,
                           CUgraphExecUpdateResult *result) {
  return callInContext("cuGraphExecUpdate", [&](Driver &driver,
                                                CUctx_st &context) {
    CUgraphExec_st *found = findObject(context.graphExecs, graph);
    CUgraph_st *source = findObject(context.graphs, captured);
    if (!wrong || !result)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found || !source)
      return CUDA_ERROR_INVALID_HANDLE;
    *wrong = nullptr;
    *result = compareNodes(*found->nodes, *source, *wrong);
    if (*result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
      return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    found->nodes = std::make_shared<std::vector<CUgraphNode_st>>(source->nodes);
    ++driver.counters.graphUpdates;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  return callInContext("cuGraphLaunch", [&](Driver &driver, CUctx_st &context) {
    CUgraphExec_st *found = findObject(context.graphExecs, graph);
    CUstream_st *target = findStream(context, stream);
    if (!found || !target)
      return CUDA_ERROR_INVALID_HANDLE;
    if (target->capture) {
      target->capture->isValid = false;
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    driver.count(&tgSimulatorCounters::graphLaunches, "graph");
    for (const CUgraphNode_st &node : *found->nodes)
      driver.countNode(node.kind);
    driver.submit(*target, {0, nullptr, [nodes = found->nodes] {
                              for (const CUgraphNode_st &node : *nodes)
                                node.execute();
                            }});
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec graph) {
  return callInContext("cuGraphExecDestroy", [&](Driver &, CUctx_st &context) {
    return context.graphExecs.erase(graph) ? CUDA_SUCCESS
                                           : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return callInContext("cuGraphDestroy", [&](Driver &, CUctx_st &context) {
    return context.graphs.erase(graph) ? CUDA_SUCCESS
                                       : CUDA_ERROR_INVALID_HANDLE;
  });
}

TG_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_v2)
TG_ALIAS(cuGraphInstantiate, cuGraphInstantiate_v2)
