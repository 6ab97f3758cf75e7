/// Enqueues the operations of models on an NVIDIA GPU, and reads its clock.
#include "CudaStream.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstdio>
#include <utility>

using namespace tg;

/// The number of parameters of 8 bytes that fit the parameters of a kernel,
/// which have 4 KiB.
static constexpr uint32_t maximumParameters = 512;

/// The shared memory that a block may have in every launch, in bytes.
static constexpr int64_t everySharedBytes = 48 << 10;

const tg_device_ops_t CudaStream::ops = {sizeof(tg_device_ops_t),
                                         0,
                                         launch,
                                         copy,
                                         fill,
                                         wait,
                                         run,
                                         errorText,
                                         launchGrid};

tg_status_t CudaStream::checkGiven(CUstream given, tg_error_t *error) const {
  if (!cuda.driver.cuStreamGetCtx)
    return TG_OK;
  const CudaScope scope(cuda.driver, cuda.context);
  CUcontext owner = nullptr;
  const CUresult result =
      scope.run([&] { return cuda.driver.cuStreamGetCtx(given, &owner); });
  if (result != CUDA_SUCCESS)
    return cuda.driver.check(result, "use the stream of the host", error);
  return owner == cuda.context
             ? TG_OK
             : fail(error, TG_ERROR_DEVICE,
                    "the stream of the host belongs to another context of the "
                    "driver, expected the primary context of the GPU");
}

tg_status_t CudaStream::open(CUstream given, tg_error_t *error) {
  if (given) {
    stream = given; // which the object does not destroy
    return checkGiven(given, error);
  }
  isOwn = true;
  const CudaScope scope(cuda.driver, cuda.context);
  return cuda.driver.check(scope.run([&] {
    return cuda.driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  }),
                           "make a stream of the GPU", error);
}

CudaStream::~CudaStream() {
  if (!stream)
    return;
  const CudaScope scope(cuda.driver, cuda.context);
  scope.run([&] {
    destroyEvents();
    return isOwn ? cuda.driver.cuStreamDestroy_v2(stream) : CUDA_SUCCESS;
  });
}

void CudaStream::describe(tg_device_call_t &call) {
  call.ops = &ops;
  call.device = this;
  call.stream = stream;
}

void CudaStream::settle() {
  const CudaScope scope(cuda.driver, cuda.context);
  scope.run([&] { return cuda.driver.cuStreamSynchronize(stream); });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

template <typename Operation>
tg_status_t CudaStream::perform(const char *verb, const char *object,
                                Operation operation) {
  const CudaScope scope(cuda.driver, cuda.context);
  const CUresult result = scope.run(operation);
  if (graphs.take(result))
    return TG_OK;
  char action[100];
  std::snprintf(action, sizeof(action), "%s %s", verb, object);
  cuda.driver.describe(action, result, text);
  return CudaDriver::statusOf(result);
}

tg_status_t CudaStream::allowShared(const CudaImage &image, uint32_t kernel,
                                    uint32_t bytes) {
  const CudaDriver &driver = cuda.driver;
  const CUfunction function = image.functions[kernel];
  int own = 0; // the shared memory that the code of the kernel declares
  tg_status_t status =
      perform("find the shared memory of", image.table.kernels[kernel], [&] {
        return driver.cuFuncGetAttribute(
            &own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
      });
  const int64_t all = int64_t(own) + bytes;
  if (status != TG_OK || all <= everySharedBytes)
    return status;
  if (all > cuda.sharedBytes) {
    std::snprintf(text, sizeof(text),
                  "cannot launch %.80s: a block needs %lld bytes of shared "
                  "memory, expected at most %d on this GPU",
                  image.table.kernels[kernel], static_cast<long long>(all),
                  cuda.sharedBytes);
    return TG_ERROR_LAUNCH;
  }
  return perform("set the shared memory of", image.table.kernels[kernel], [&] {
    return driver.cuFuncSetAttribute(
        function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        static_cast<int>(bytes));
  });
}

tg_status_t CudaStream::launch(void *device, void *stream, void *image,
                               uint32_t kernel, uint32_t blocks,
                               uint32_t threads, const uint64_t *arguments,
                               uint32_t count) {
  const uint32_t grid[] = {blocks, 1, 1}, block[] = {threads, 1, 1};
  return launchGrid(device, stream, image, kernel, grid, block,
                    /*sharedBytes=*/0, arguments, count);
}

tg_status_t CudaStream::launchGrid(void *device, void *stream, void *image,
                                   uint32_t kernel, const uint32_t blocks[3],
                                   const uint32_t threads[3],
                                   uint32_t sharedBytes,
                                   const uint64_t *arguments, uint32_t count) {
  CudaStream &self = *static_cast<CudaStream *>(device);
  const CudaImage &loaded = *static_cast<const CudaImage *>(image);
  if (kernel >= loaded.table.kernel_count) {
    std::snprintf(self.text, sizeof(self.text),
                  "cannot launch kernel %u, expected below %u", kernel,
                  loaded.table.kernel_count);
    return TG_ERROR_LAUNCH;
  }
  if (count > maximumParameters) {
    std::snprintf(self.text, sizeof(self.text),
                  "cannot launch %.80s with %u parameters, expected at most %u",
                  loaded.table.kernels[kernel], count, maximumParameters);
    return TG_ERROR_LAUNCH;
  }
  if (sharedBytes)
    if (const tg_status_t status =
            self.allowShared(loaded, kernel, sharedBytes))
      return status;
  tg_status_t status;
  if (self.defer(static_cast<CUstream>(stream), status, [&] {
        return self.part.addLaunch(image, kernel, blocks, threads, sharedBytes,
                                   arguments, count);
      }))
    return status;
  void *parameters[maximumParameters];
  for (uint32_t i = 0; i < count; ++i)
    parameters[i] = const_cast<uint64_t *>(&arguments[i]);
  return self.perform("launch", loaded.table.kernels[kernel], [&] {
    return self.cuda.driver.cuLaunchKernel(
        loaded.functions[kernel], blocks[0], blocks[1], blocks[2], threads[0],
        threads[1], threads[2], sharedBytes, static_cast<CUstream>(stream),
        parameters, /*extra=*/nullptr);
  });
}

/// Returns true if pinned tensors of the host, whose addresses keys contain,
/// include one that begins at `memory`.
static bool hasPinned(const tg_tensor_t *tensors, uint32_t count,
                      const void *memory) {
  return std::any_of(tensors, tensors + count, [&](const tg_tensor_t &tensor) {
    return tensor.device.device_type == TG_DEVICE_CUDA_HOST &&
           static_cast<const char *>(tensor.data) + tensor.byte_offset ==
               memory;
  });
}

void CudaStream::noteHost(const void *memory, uint64_t bytes) {
  if (!current)
    return;
  const uint64_t offset =
      reinterpret_cast<uintptr_t>(memory) -
      reinterpret_cast<uintptr_t>(current->device->host_block);
  const uint64_t block = current->device->host_block_bytes;
  const bool isInBlock = offset <= block && bytes <= block - offset;
  // Other tensors of the host have other addresses in each run.
  if (!isInBlock && !hasPinned(current->inputs, current->input_count, memory) &&
      !hasPinned(current->outputs, current->output_count, memory))
    graphs.refuseCapture();
}

tg_status_t CudaStream::copy(void *device, void *stream, void *to,
                             const void *from, uint64_t bytes,
                             uint32_t direction) {
  CudaStream &self = *static_cast<CudaStream *>(device);
  const CudaDriver &driver = self.cuda.driver;
  tg_status_t status;
  if (self.defer(static_cast<CUstream>(stream), status,
                 [&] { return self.part.addCopy(to, from, bytes, direction); }))
    return status;
  switch (direction) {
  case TG_COPY_TO_DEVICE:
    self.noteHost(from, bytes);
    return self.perform("copy", "to the GPU", [&] {
      return driver.cuMemcpyHtoDAsync_v2(addressOf(to), from, bytes,
                                         static_cast<CUstream>(stream));
    });
  case TG_COPY_FROM_DEVICE:
    self.noteHost(to, bytes);
    return self.perform("copy", "from the GPU", [&] {
      return driver.cuMemcpyDtoHAsync_v2(to, addressOf(from), bytes,
                                         static_cast<CUstream>(stream));
    });
  case TG_COPY_WITHIN_DEVICE:
    return self.perform("copy", "within the GPU", [&] {
      return driver.cuMemcpyDtoDAsync_v2(addressOf(to), addressOf(from), bytes,
                                         static_cast<CUstream>(stream));
    });
  default:
    std::snprintf(self.text, sizeof(self.text),
                  "cannot copy in direction %u, expected 1, 2 or 3", direction);
    return TG_ERROR_LAUNCH;
  }
}

tg_status_t CudaStream::fill(void *device, void *stream, void *memory,
                             uint8_t value, uint64_t bytes) {
  CudaStream &self = *static_cast<CudaStream *>(device);
  tg_status_t status;
  if (self.defer(static_cast<CUstream>(stream), status,
                 [&] { return self.part.addFill(memory, value, bytes); }))
    return status;
  return self.perform("set", "memory of the GPU", [&] {
    return self.cuda.driver.cuMemsetD8Async(addressOf(memory), value, bytes,
                                            static_cast<CUstream>(stream));
  });
}

tg_status_t CudaStream::wait(void *device, void *stream) {
  CudaStream &self = *static_cast<CudaStream *>(device);
  const tg_status_t status = self.endPart(static_cast<CUstream>(stream));
  if (status != TG_OK)
    return status;
  return self.perform("complete", "the work of the GPU", [&] {
    return self.cuda.driver.cuStreamSynchronize(static_cast<CUstream>(stream));
  });
}

tg_status_t CudaStream::run(void *device, void *stream,
                            const tg_device_key_t *key, tg_enqueue_fn *enqueue,
                            void *argument) {
  CudaStream &self = *static_cast<CudaStream *>(device);
  if (!self.current || self.current->profile)
    return enqueue(argument);
  const auto handle = static_cast<CUstream>(stream);
  return key ? self.graphs.run(handle, *key, *self.current, enqueue, argument)
             : self.runInParts(handle, enqueue, argument);
}

const char *CudaStream::errorText(void *device) {
  return static_cast<CudaStream *>(device)->text;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The least number of operations of a part that is worth a graph.
static constexpr uint32_t leastOperations = 3;

tg_status_t CudaStream::runInParts(CUstream stream, tg_enqueue_fn *enqueue,
                                   void *argument) {
  part.begin(graphs.partMemory(), CudaGraphs::maximumPart);
  hasPart = graphs.partMemory();
  const tg_status_t status = enqueue(argument);
  const tg_status_t ended = endPart(stream);
  hasPart = false;
  return status == TG_OK ? ended : status;
}

template <typename Add>
bool CudaStream::defer(CUstream stream, tg_status_t &status, Add add) {
  status = TG_OK;
  if (!hasPart)
    return false;
  if (add())
    return true;
  status = endPart(stream);
  return status != TG_OK || add();
}

tg_status_t CudaStream::endPart(CUstream stream) {
  if (!hasPart || !part.count())
    return TG_OK;
  hasPart = false; // its operations are performed
  const auto enqueue = [](void *argument) {
    CudaStream &self = *static_cast<CudaStream *>(argument);
    return self.part.perform(ops, &self, self.stream);
  };
  const tg_status_t status =
      part.count() < leastOperations
          ? enqueue(this)
          : graphs.runPart(stream, part.length(), enqueue, this);
  part.begin(graphs.partMemory(), CudaGraphs::maximumPart);
  hasPart = true;
  return status;
}

//===----------------------------------------------------------------------===//
// The clock
//===----------------------------------------------------------------------===//

CUresult CudaStream::readEvents() {
  const CudaDriver &driver = cuda.driver;
  CUresult result = CUDA_SUCCESS;
  if (!next)
    result = driver.cuEventCreate(&next, /*flags=*/0);
  if (result == CUDA_SUCCESS)
    result = driver.cuEventRecord(next, stream);
  if (result == CUDA_SUCCESS)
    result = driver.cuEventSynchronize(next);
  float milliseconds = 0;
  if (result == CUDA_SUCCESS && last)
    result = driver.cuEventElapsedTime(&milliseconds, last, next);
  if (result != CUDA_SUCCESS)
    return result;
  if (milliseconds > 0)
    nanoseconds += double(milliseconds) * 1e6;
  std::swap(last, next);
  return CUDA_SUCCESS;
}

uint64_t CudaStream::now() {
  const CudaDriver &driver = cuda.driver;
  const CudaScope scope(driver, cuda.context);
  if (driver.cuEventCreate && driver.cuEventRecord &&
      driver.cuEventSynchronize && driver.cuEventElapsedTime &&
      driver.cuEventDestroy_v2)
    scope.run([&] { return readEvents(); });
  return static_cast<uint64_t>(nanoseconds);
}

void CudaStream::destroyEvents() {
  for (CUevent event : {last, next})
    if (event)
      cuda.driver.cuEventDestroy_v2(event);
}
