/// Captures runs and parts of them as graphs of the driver, and launches them.
#include "CudaGraphs.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <new>

using namespace tg;

CudaGraphs::~CudaGraphs() {
  for (Entry &entry : entries)
    destroy(entry);
}

tg_status_t CudaGraphs::reserve(uint32_t words, tg_error_t *error) {
  const uint32_t most = std::max(words, maximumPart) + /*kind=*/1;
  keys.reset(new (std::nothrow) uint64_t[size_t(maximumGraphs + 1) * most]);
  keyWords = keys ? most : 0;
  return keys ? TG_OK : fail(error, TG_ERROR_MEMORY, "no memory for a context");
}

bool CudaGraphs::take(CUresult result) {
  ++operations;
  hasFailed |= isCapturing && result != CUDA_SUCCESS;
  return isCapturing || result == CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The first word of a key: what it identifies.
static constexpr uint64_t partKind = 0, runKind = 1;

/// Returns an address as a word of a key.
static uint64_t wordOf(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

/// Returns the address of a tensor that a run uses in place or may copy
/// directly, 0 for one that it copies otherwise.
static uint64_t addressOf(const tg_tensor_t &tensor, const tg_call_t &call) {
  const int32_t type = tensor.device.device_type;
  const bool isFixed =
      type == call.device->id.device_type || type == TG_DEVICE_CUDA_HOST;
  return isFixed ? wordOf(tensor.data) + tensor.byte_offset : 0;
}

/// Returns the number of words of the kind, the function and its extents.
static uint32_t shapeWords(const tg_device_key_t &key) {
  return /*kind, function=*/2 + key.symbol_count;
}

uint32_t CudaGraphs::writeKey(const tg_device_key_t &key,
                              const tg_call_t &call) {
  const tg_device_call_t &device = *call.device;
  const uint64_t fixed[] = {wordOf(call.slab), wordOf(call.workspace),
                            wordOf(call.packed), wordOf(device.constants),
                            wordOf(device.host_block)};
  const uint32_t length =
      shapeWords(key) + std::size(fixed) + call.input_count + call.output_count;
  if (length > keyWords)
    return 0;
  uint64_t *next = keyOf(maximumGraphs);
  *next++ = runKind;
  *next++ = wordOf(key.function);
  next = std::copy_n(key.symbols, key.symbol_count, next);
  next = std::copy(std::begin(fixed), std::end(fixed), next);
  for (uint32_t i = 0; i < call.input_count; ++i)
    *next++ = addressOf(call.inputs[i], call);
  for (uint32_t i = 0; i < call.output_count; ++i)
    *next++ = addressOf(call.outputs[i], call);
  return length;
}

uint32_t CudaGraphs::find(uint32_t length) const {
  const uint64_t *key = keyOf(maximumGraphs);
  uint32_t i = 0;
  while (i < maximumGraphs && (entries[i].length != length ||
                               !std::equal(key, key + length, keyOf(i))))
    ++i;
  return i;
}

uint32_t CudaGraphs::findVariant(uint32_t length, uint32_t shape) const {
  const uint64_t *key = keyOf(maximumGraphs);
  uint32_t variants = 0, oldest = maximumGraphs;
  for (uint32_t i = 0; shape && i < maximumGraphs; ++i) {
    const Entry &entry = entries[i];
    if (entry.isPlain || entry.length != length || entry.shape != shape ||
        !std::equal(key, key + shape, keyOf(i)))
      continue;
    ++variants;
    // One with a graph is renewed for less than a new one costs.
    const auto isBefore = [&](const Entry &other) {
      return !entry.graph != !other.graph ? entry.graph != nullptr
                                          : entry.lastUse < other.lastUse;
    };
    if (oldest == maximumGraphs || isBefore(entries[oldest]))
      oldest = i;
  }
  return variants < maximumVariants ? maximumGraphs : oldest;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

tg_status_t CudaGraphs::run(CUstream stream, const tg_device_key_t &key,
                            const tg_call_t &call, tg_enqueue_fn *enqueue,
                            void *argument) {
  const uint32_t length = writeKey(key, call);
  return length ? repeat(stream, length, shapeWords(key), enqueue, argument)
                : enqueue(argument);
}

tg_status_t CudaGraphs::runPart(CUstream stream, uint32_t words,
                                tg_enqueue_fn *enqueue, void *argument) {
  *keyOf(maximumGraphs) = partKind;
  return repeat(stream, words + 1, /*shape=*/0, enqueue, argument);
}

tg_status_t CudaGraphs::repeat(CUstream stream, uint32_t length, uint32_t shape,
                               tg_enqueue_fn *enqueue, void *argument) {
  uint32_t index = find(length);
  const bool isNew = index == maximumGraphs;
  if (isNew)
    index = findVariant(length, shape);
  if (index == maximumGraphs)
    return enqueueFirst(length, shape, enqueue, argument);
  Entry &entry = entries[index];
  entry.lastUse = ++time;
  if (isNew)
    std::copy_n(keyOf(maximumGraphs), length, keyOf(index));
  if (isNew || (!entry.graph && !entry.isPlain))
    entry.isPlain = !capture(entry, stream, enqueue, argument);
  if (entry.isPlain)
    return enqueue(argument);
  const CudaScope scope(cuda.driver, cuda.context);
  const CUresult result =
      scope.run([&] { return cuda.driver.cuGraphLaunch(entry.graph, stream); });
  if (result == CUDA_SUCCESS)
    return TG_OK;
  destroy(entry);
  entry.isPlain = true;
  return enqueue(argument);
}

tg_status_t CudaGraphs::enqueueFirst(uint32_t length, uint32_t shape,
                                     tg_enqueue_fn *enqueue, void *argument) {
  operations = 0;
  canCapture = true;
  const tg_status_t status = enqueue(argument);
  if (status != TG_OK)
    return status;
  Entry *oldest = std::min_element(std::begin(entries), std::end(entries),
                                   [](const Entry &left, const Entry &right) {
                                     return left.lastUse < right.lastUse;
                                   });
  destroy(*oldest);
  oldest->length = length;
  oldest->shape = shape;
  oldest->lastUse = ++time;
  oldest->isPlain = !canCapture || operations > maximumOperations;
  std::copy_n(keyOf(maximumGraphs), length,
              keyOf(static_cast<uint32_t>(oldest - entries)));
  return TG_OK;
}

bool CudaGraphs::capture(Entry &entry, CUstream stream, tg_enqueue_fn *enqueue,
                         void *argument) {
  const CudaDriver &driver = cuda.driver;
  const CudaScope scope(driver, cuda.context);
  const CUresult begun = scope.run([&] {
    return driver.cuStreamBeginCapture_v2(stream,
                                          CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  });
  if (begun != CUDA_SUCCESS) {
    destroy(entry);
    return false;
  }
  isCapturing = true;
  hasFailed = false;
  const tg_status_t status = enqueue(argument);
  isCapturing = false;
  CUgraph captured = nullptr;
  const CUresult result = driver.cuStreamEndCapture(stream, &captured);
  if (result == CUDA_SUCCESS && status == TG_OK && !hasFailed)
    renew(entry, captured);
  else
    destroy(entry);
  if (captured)
    driver.cuGraphDestroy(captured);
  return entry.graph;
}

void CudaGraphs::renew(Entry &entry, CUgraph captured) {
  const CudaDriver &driver = cuda.driver;
  CUgraphNode node = nullptr;
  CUgraphExecUpdateResult difference;
  if (entry.graph && driver.cuGraphExecUpdate &&
      driver.cuGraphExecUpdate(entry.graph, captured, &node, &difference) ==
          CUDA_SUCCESS)
    return;
  destroy(entry);
  const CUresult result = driver.cuGraphInstantiate_v2(
      &entry.graph, captured, /*errorNode=*/nullptr, /*log=*/nullptr,
      /*bytes=*/0);
  if (result != CUDA_SUCCESS)
    entry.graph = nullptr;
}

void CudaGraphs::destroy(Entry &entry) {
  if (!entry.graph)
    return;
  const CudaScope scope(cuda.driver, cuda.context);
  scope.run([&] { return cuda.driver.cuGraphExecDestroy(entry.graph); });
  entry.graph = nullptr;
}
