#include "Driver.h"

using namespace tg::simulator;

void Driver::count(WorkKind kind) {
  // The counts of kernels contain their launches.
  counters.launches += kind == WorkKind::Kernel;
  if (kind == WorkKind::Copy)
    count(&tgSimulatorCounters::copies, "copy");
  if (kind == WorkKind::Fill)
    count(&tgSimulatorCounters::fills, "fill");
}

void Driver::countNode(WorkKind kind) {
  counters.graphKernels += kind == WorkKind::Kernel;
  if (kind == WorkKind::Copy)
    count(&tgSimulatorCounters::graphCopies, "graph_copy");
  if (kind == WorkKind::Fill)
    count(&tgSimulatorCounters::graphFills, "graph_fill");
}

void Driver::submit(CUstream_st &stream, Work work) {
  if (stream.capture) {
    // Events and functions of the host are not simulated in graphs.
    if (work.kind == WorkKind::Other)
      stream.capture->isValid = false;
    else
      stream.capture->graph.nodes.push_back({work.kind, work.execute});
    return;
  }
  count(work.kind);
  work.number = ++workCount;
  stream.work.push_back(std::move(work));
  if (!settings.isDeferred)
    drain(stream);
}

void Driver::execute(CUstream_st &stream, Work &work) {
  CUctx_st &context = *stream.context;
  // The default stream waits for the streams that block, and they for it.
  if (&stream == &context.defaultStream) {
    for (const auto &[handle, other] : context.streams)
      if (!other->isNonBlocking)
        drain(*other, work.number);
  } else if (!stream.isNonBlocking) {
    drain(context.defaultStream, work.number);
  }
  if (work.awaited)
    reach(*work.awaited);
  if (work.execute)
    work.execute();
}

void Driver::drain(CUstream_st &stream, uint64_t before) {
  // Work leaves the queue after it ran: streams that it waits for must not run
  // it again, and they do not, as its number is not before their own.
  while (!stream.work.empty() && stream.work.front().number < before) {
    Work work = stream.work.front();
    execute(stream, work);
    stream.work.pop_front();
  }
}

void Driver::drain(CUctx_st &context) {
  drain(context.defaultStream);
  for (const auto &[handle, stream] : context.streams)
    drain(*stream);
}

void Driver::reach(const EventRecord &record) {
  while (!record.isDone)
    drain(*record.stream, record.stream->work.front().number + 1);
}
