#include "Driver.h"

using namespace tg::simulator;

/// Makes a stream.
static CUresult createStream(const char *name, CUstream *stream,
                             unsigned flags) {
  return callInContext(name, [&](Driver &, CUctx_st &context) {
    if (!stream || (flags & ~CU_STREAM_NON_BLOCKING) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<CUstream_st>();
    made->context = &context;
    made->isNonBlocking = flags != 0;
    *stream = made.get();
    context.streams.emplace(*stream, std::move(made));
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return createStream("cuStreamCreate", stream, flags);
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                    int priority) {
  return createStream("cuStreamCreateWithPriority", stream, flags);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return callInContext("cuStreamDestroy_v2",
                       [&](Driver &driver, CUctx_st &context) {
                         if (!findObject(context.streams, stream))
                           return CUDA_ERROR_INVALID_HANDLE;
                         driver.drain(*stream);
                         context.streams.erase(stream);
                         return CUDA_SUCCESS;
                       });
}

/// Runs a call on a stream of the current context.
template <class Function>
static CUresult callOnStream(const char *name, CUstream stream,
                             Function function) {
  return callInContext(name, [&](Driver &driver, CUctx_st &context) {
    CUstream_st *found = findStream(context, stream);
    return found ? function(driver, context, *found)
                 : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  return callInContext("cuStreamGetCtx", [&](Driver &driver, CUctx_st &own) {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    if (findStream(own, stream)) {
      *context = &own;
      return CUDA_SUCCESS;
    }
    for (const std::unique_ptr<Device> &device : driver.devices)
      if (findObject(device->context.streams, stream)) {
        *context = &device->context;
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return callOnStream(
      "cuStreamSynchronize", stream,
      [](Driver &driver, CUctx_st &context, CUstream_st &found) {
        if (found.capture) {
          found.capture->isValid = false;
          return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
        driver.count(&tgSimulatorCounters::waits, "wait");
        driver.drain(found);
        return context.fault;
      });
}

CUresult cuStreamQuery(CUstream stream) {
  return callOnStream(
      "cuStreamQuery", stream,
      [](Driver &driver, CUctx_st &context, CUstream_st &found) {
        // The work is done right after the answer that it is not.
        bool isReady = found.work.empty();
        driver.drain(found);
        if (context.fault != CUDA_SUCCESS)
          return context.fault;
        return isReady ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
      });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return callOnStream(
      "cuStreamWaitEvent", stream,
      [&](Driver &driver, CUctx_st &context, CUstream_st &found) {
        if (!findObject(context.events, event))
          return CUDA_ERROR_INVALID_HANDLE;
        if (flags != 0)
          return CUDA_ERROR_INVALID_VALUE;
        // An event that was never recorded has nothing to wait for.
        if (event->record)
          driver.submit(found, {0, event->record, nullptr});
        return CUDA_SUCCESS;
      });
}

/// Calls a function of the host, which may not call the driver.
template <class Function>
static void callHost(Driver &driver, Function function) {
  driver.isInHostFunction = true;
  function();
  driver.isInHostFunction = false;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function,
                             void *data, unsigned flags) {
  return callOnStream(
      "cuStreamAddCallback", stream,
      [&](Driver &driver, CUctx_st &context, CUstream_st &found) {
        if (!function || flags != 0)
          return CUDA_ERROR_INVALID_VALUE;
        driver.submit(
            found, {0, nullptr, [&driver, &context, function, stream, data] {
                      callHost(driver,
                               [&] { function(stream, context.fault, data); });
                    }});
        return CUDA_SUCCESS;
      });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return callOnStream(
      "cuLaunchHostFunc", stream,
      [&](Driver &driver, CUctx_st &context, CUstream_st &found) {
        if (!function)
          return CUDA_ERROR_INVALID_VALUE;
        driver.submit(found, {0, nullptr, [&driver, &context, function, data] {
                                if (context.fault == CUDA_SUCCESS)
                                  callHost(driver, [&] { function(data); });
                              }});
        return CUDA_SUCCESS;
      });
}

TG_ALIAS(cuStreamDestroy, cuStreamDestroy_v2)
