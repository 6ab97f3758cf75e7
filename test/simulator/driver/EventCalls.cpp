#include "Driver.h"

using namespace tg::simulator;

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return callInContext("cuEventCreate", [&](Driver &, CUctx_st &context) {
    if (!event || (flags & ~CU_EVENT_ALL) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<CUevent_st>();
    made->context = &context;
    made->hasTime = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    *event = made.get();
    context.events.emplace(*event, std::move(made));
    return CUDA_SUCCESS;
  });
}

/// Runs a call on an event of the current context.
template <class Function>
static CUresult callOnEvent(const char *name, CUevent event,
                            Function function) {
  return callInContext(name, [&](Driver &driver, CUctx_st &context) {
    return findObject(context.events, event) ? function(driver, context)
                                             : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return callOnEvent("cuEventDestroy_v2", event,
                     [&](Driver &, CUctx_st &context) {
                       context.events.erase(event);
                       return CUDA_SUCCESS;
                     });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return callOnEvent(
      "cuEventRecord", event, [&](Driver &driver, CUctx_st &context) {
        CUstream_st *found = findStream(context, stream);
        if (!found)
          return CUDA_ERROR_INVALID_HANDLE;
        auto record = std::make_shared<EventRecord>();
        record->stream = found;
        event->record = record;
        driver.submit(*found, {0, nullptr, [&driver, record] {
                                 record->time = driver.counters.instructions;
                                 record->isDone = true;
                               }});
        return CUDA_SUCCESS;
      });
}

CUresult cuEventQuery(CUevent event) {
  return callOnEvent("cuEventQuery", event,
                     [&](Driver &driver, CUctx_st &context) {
                       // The work is done right after the answer that it is
                       // not.
                       bool isReady = !event->record || event->record->isDone;
                       if (!isReady)
                         driver.reach(*event->record);
                       if (context.fault != CUDA_SUCCESS)
                         return context.fault;
                       return isReady ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
                     });
}

CUresult cuEventSynchronize(CUevent event) {
  return callOnEvent("cuEventSynchronize", event,
                     [&](Driver &driver, CUctx_st &context) {
                       driver.count(&tgSimulatorCounters::waits, "wait");
                       if (event->record)
                         driver.reach(*event->record);
                       return context.fault;
                     });
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent first, CUevent last) {
  return callInContext("cuEventElapsedTime", [&](Driver &, CUctx_st &context) {
    if (!milliseconds)
      return CUDA_ERROR_INVALID_VALUE;
    for (CUevent event : {first, last}) {
      const CUevent_st *found = findObject(context.events, event);
      if (!found || !found->hasTime || !found->record)
        return CUDA_ERROR_INVALID_HANDLE;
      if (!found->record->isDone)
        return CUDA_ERROR_NOT_READY;
    }
    // An instruction takes a nanosecond.
    double elapsed = static_cast<double>(last->record->time) -
                     static_cast<double>(first->record->time);
    *milliseconds = static_cast<float>(elapsed * 1e-6);
    return CUDA_SUCCESS;
  });
}

TG_ALIAS(cuEventDestroy, cuEventDestroy_v2)
