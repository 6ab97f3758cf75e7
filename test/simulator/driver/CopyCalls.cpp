#include "Driver.h"

#include <cstring>

using namespace tg;
using namespace tg::simulator;

namespace {

/// One side of a copy.
struct Side {
  uint8_t *bytes = nullptr;
  /// True for ordinary host memory, which the driver copies through a buffer.
  bool isPageable = false;
  /// For each byte 1 if it was written, or null if that is not known.
  uint8_t *written = nullptr;
};

/// Copies bytes of one side, which lie at `source`. Copies of bytes that
/// nothing has written are such bytes again.
void copyBytes(const Side &to, const Side &from, const uint8_t *source,
               size_t bytes) {
  std::memmove(to.bytes, source, bytes);
  if (to.written && from.written)
    std::memmove(to.written, from.written, bytes);
  else if (to.written)
    std::memset(to.written, 1, bytes);
}

/// The sides that may be ordinary host memory.
enum class Hosts : uint8_t { None, Source, Target, Both };

/// A copy that was asked for.
struct Copy {
  CUdeviceptr to, from;
  size_t bytes;
  Hosts hosts;
  /// True if the call waits for the copy.
  bool waits;
};

} // namespace

/// Returns the memory of one side, or nothing if it is not all in one
/// allocation.
static std::optional<Side> findSide(Driver &driver, CUctx_st &context,
                                    CUdeviceptr address, size_t bytes,
                                    bool mayBeHost) {
  ptx::Region region = driver.findMemory(driver.deviceOf(context), address);
  if (region.bytes) {
    if (region.end - address < bytes)
      return std::nullopt;
    uint64_t offset = address - region.begin;
    return Side{region.bytes + offset, /*isPageable=*/false,
                region.written ? region.written + offset : nullptr};
  }
  if (!mayBeHost || address == 0)
    return std::nullopt;
  return Side{reinterpret_cast<uint8_t *>(address), /*isPageable=*/true};
}

/// Adds a copy to the graph of a stream. Copies of ordinary memory, and those
/// that wait, invalidate the capture.
static CUresult captureCopy(Driver &driver, CUctx_st &context,
                            CUstream_st &stream, const Copy &copy,
                            bool isPageable) {
  if (isPageable || copy.waits) {
    stream.capture->isValid = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  const auto execute = [&driver, &context, copy] {
    if (context.fault != CUDA_SUCCESS)
      return;
    // The memory may be gone since the capture.
    auto to = findSide(driver, context, copy.to, copy.bytes, false);
    auto from = findSide(driver, context, copy.from, copy.bytes, false);
    if (to && from)
      copyBytes(*to, *from, from->bytes, copy.bytes);
    else
      context.fault = CUDA_ERROR_ILLEGAL_ADDRESS;
  };
  driver.submit(stream, {0, nullptr, execute, WorkKind::Copy});
  return CUDA_SUCCESS;
}

/// Submits a copy, and waits for it if it is not asynchronous.
static CUresult submitCopy(Driver &driver, CUctx_st &context,
                           CUstream_st &stream, const Copy &copy) {
  if (copy.bytes == 0)
    return CUDA_SUCCESS;
  bool mayTarget = copy.hosts == Hosts::Target || copy.hosts == Hosts::Both;
  bool maySource = copy.hosts == Hosts::Source || copy.hosts == Hosts::Both;
  auto to = findSide(driver, context, copy.to, copy.bytes, mayTarget);
  auto from = findSide(driver, context, copy.from, copy.bytes, maySource);
  if (!to || !from)
    return CUDA_ERROR_INVALID_VALUE;
  const bool isPageable = to->isPageable || from->isPageable;
  if (stream.capture)
    return captureCopy(driver, context, stream, copy, isPageable);
  // Ordinary memory is read during the call, as the driver does.
  std::vector<uint8_t> staged;
  if (from->isPageable)
    staged.assign(from->bytes, from->bytes + copy.bytes);
  driver.submit(
      stream,
      {0, nullptr,
       [to, from, bytes = copy.bytes, &context, staged = std::move(staged)] {
         if (context.fault != CUDA_SUCCESS)
           return;
         const uint8_t *source = staged.empty() ? from->bytes : staged.data();
         copyBytes(*to, *from, source, bytes);
       },
       WorkKind::Copy});
  // Ordinary memory is complete when the call returns.
  if (!copy.waits && !to->isPageable)
    return CUDA_SUCCESS;
  driver.count(&tgSimulatorCounters::waits, "wait");
  driver.drain(stream);
  return context.fault;
}

/// Runs a call that copies through the default stream.
static CUresult callCopy(const char *name, const Copy &copy) {
  return callInContext(name, [&](Driver &driver, CUctx_st &context) {
    return submitCopy(driver, context, context.defaultStream, copy);
  });
}

/// Runs a call that copies through a stream.
static CUresult callCopy(const char *name, const Copy &copy, CUstream stream) {
  return callInContext(name, [&](Driver &driver, CUctx_st &context) {
    CUstream_st *found = findStream(context, stream);
    return found ? submitCopy(driver, context, *found, copy)
                 : CUDA_ERROR_INVALID_HANDLE;
  });
}

/// Returns a host pointer as an address.
static CUdeviceptr addressOf(const void *host) {
  return reinterpret_cast<CUdeviceptr>(host);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return callCopy("cuMemcpy", {to, from, bytes, Hosts::Both, true});
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return callCopy("cuMemcpyHtoD_v2",
                  {to, addressOf(from), bytes, Hosts::Source, true});
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return callCopy("cuMemcpyDtoH_v2",
                  {addressOf(to), from, bytes, Hosts::Target, true});
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  // The host does not wait for copies between device memory.
  return callCopy("cuMemcpyDtoD_v2", {to, from, bytes, Hosts::None, false});
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                       CUstream stream) {
  return callCopy("cuMemcpyAsync", {to, from, bytes, Hosts::Both, false},
                  stream);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              CUstream stream) {
  return callCopy("cuMemcpyHtoDAsync_v2",
                  {to, addressOf(from), bytes, Hosts::Source, false}, stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  return callCopy("cuMemcpyDtoHAsync_v2",
                  {addressOf(to), from, bytes, Hosts::Target, false}, stream);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  return callCopy("cuMemcpyDtoDAsync_v2", {to, from, bytes, Hosts::None, false},
                  stream);
}

TG_ALIAS(cuMemcpyHtoD, cuMemcpyHtoD_v2)
TG_ALIAS(cuMemcpyDtoH, cuMemcpyDtoH_v2)
TG_ALIAS(cuMemcpyDtoD, cuMemcpyDtoD_v2)
TG_ALIAS(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2)
TG_ALIAS(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2)
TG_ALIAS(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2)
