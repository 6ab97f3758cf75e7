//===- ThreadMachine.cpp - runs the threads of a kernel as PTX ------------===//
#include "ThreadMachine.h"
#include "compiler/codegen/cuda/CudaBackend.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

Target tg::test::cudaTarget() {
  Target target;
  target.kind = "cuda";
  target.level = 16;
  return target;
}

/// Makes the primary context of the first device current.
static void useDevice() {
  static const bool isCurrent = [] {
    const Cuda &cuda = Cuda::get();
    CUdevice device = 0;
    CUcontext context = nullptr;
    return cuda.cuInit(0) == CUDA_SUCCESS &&
           cuda.cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
           cuda.cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS &&
           cuda.cuCtxSetCurrent(context) == CUDA_SUCCESS;
  }();
  ASSERT_TRUE(isCurrent);
}

std::unique_ptr<ThreadMachine> ThreadMachine::create(tgx::KernelOp kernel) {
  useDevice();
  DialectRegistry registry;
  CudaBackend().registerDialects(registry);
  kernel.getContext()->appendDialectRegistry(registry);
  FailureOr<DeviceImage> image = CudaBackend().compile(
      kernel->getParentOfType<ModuleOp>(), kernel, cudaTarget());
  if (failed(image))
    return nullptr;
  std::unique_ptr<ThreadMachine> machine(new ThreadMachine);
  machine->record = image->launches.front();
  const Cuda &cuda = Cuda::get();
  EXPECT_EQ(cuda.cuModuleLoadData(&machine->module, image->code.c_str()),
            CUDA_SUCCESS)
      << image->code;
  auto find = [&](CUfunction &function, const std::string &entry) {
    EXPECT_EQ(
        cuda.cuModuleGetFunction(&function, machine->module, entry.c_str()),
        CUDA_SUCCESS);
  };
  find(machine->function, machine->record.entry);
  if (machine->record.excess)
    find(machine->wideFunction, machine->record.wideEntry);
  return machine;
}

ThreadMachine::~ThreadMachine() {
  EXPECT_EQ(Cuda::get().cuModuleUnload(module), CUDA_SUCCESS);
}

/// Returns the value of the only result of a map over symbols.
static int64_t evaluate(AffineMap map, ArrayRef<int64_t> symbols) {
  auto values = llvm::map_to_vector(symbols, [&](int64_t symbol) {
    return getAffineConstantExpr(symbol, map.getContext());
  });
  return *staticExtent(map.getResult(0).replaceSymbols(values));
}

void ThreadMachine::launch(CUfunction function, MutableArrayRef<int64_t> slots,
                           ArrayRef<int64_t> symbols) const {
  ASSERT_EQ(slots.size(), record.parameterCount);
  int64_t blocks = llvm::divideCeil(evaluate(record.threads, symbols),
                                    int64_t(record.blockThreads));
  if (blocks == 0)
    return;
  auto parameters = llvm::map_to_vector(
      slots, [](int64_t &slot) { return static_cast<void *>(&slot); });
  const Cuda &cuda = Cuda::get();
  ASSERT_EQ(cuda.cuLaunchKernel(function, blocks, 1, 1, record.blockThreads, 1,
                                1, /*sharedBytes=*/0, /*stream=*/nullptr,
                                parameters.data(), /*extra=*/nullptr),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
}

namespace {
/// The memory of a tensor: an allocation, and a distance from its begin.
struct TensorMemory {
  const Buffer *buffer;
  size_t distance;
};

/// The device memory of a launch.
class LaunchMemory {
public:
  LaunchMemory(ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> outputs,
               unsigned cells, const std::map<unsigned, unsigned> &aliases,
               int64_t scratchBytes, unsigned distance);

  /// Returns the slots of the argument block.
  std::vector<int64_t> getSlots(ArrayRef<int64_t> symbols) const;
  /// Copies the outputs and error cells to the host.
  void readBack(KernelRun &run) const;
  int64_t getReportedValue() const {
    return errors->take<int64_t>(errorCount)[kReportedValueBytes / 8];
  }

private:
  /// Allocates memory and fills it from `distance` bytes on.
  static std::unique_ptr<Buffer> allocate(const void *data, size_t bytes,
                                          size_t distance = 0);

  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<TensorMemory> inputs, outputs;
  std::unique_ptr<Buffer> errors, scratch;
  size_t errorCount;
};
} // namespace

std::unique_ptr<Buffer> LaunchMemory::allocate(const void *data, size_t bytes,
                                               size_t distance) {
  // An allocation has at least one byte.
  auto buffer = std::make_unique<Buffer>(std::max<size_t>(distance + bytes, 1));
  auto *first = static_cast<const char *>(data);
  std::vector<char> content(distance, 0x55);
  content.insert(content.end(), first, first + bytes);
  if (!content.empty())
    buffer->put(content);
  return buffer;
}

LaunchMemory::LaunchMemory(ArrayRef<HostTensor> inputs,
                           ArrayRef<HostTensor> outputs, unsigned cells,
                           const std::map<unsigned, unsigned> &aliases,
                           int64_t scratchBytes, unsigned distance)
    : errorCount(kErrorCellBytes / 8 + cells) {
  auto add = [&](const HostTensor &tensor) -> TensorMemory {
    size_t before = distance * elementBytes(tensor.getElementType());
    buffers.push_back(allocate(tensor.data(), tensor.getNumBytes(), before));
    return {buffers.back().get(), before};
  };
  for (const HostTensor &input : inputs)
    this->inputs.push_back(add(input));
  for (auto [number, output] : llvm::enumerate(outputs)) {
    auto alias = aliases.find(number);
    this->outputs.push_back(
        alias == aliases.end() ? add(output) : this->inputs[alias->second]);
  }
  std::vector<int64_t> unset(errorCount, std::numeric_limits<int64_t>::max());
  errors = allocate(unset.data(), 8 * errorCount);
  std::vector<char> undefined(scratchBytes, 0x77);
  scratch = allocate(undefined.data(), undefined.size());
}

std::vector<int64_t> LaunchMemory::getSlots(ArrayRef<int64_t> symbols) const {
  std::vector<int64_t> slots;
  for (const std::vector<TensorMemory> &tensors : {inputs, outputs})
    for (const TensorMemory &tensor : tensors)
      slots.push_back(tensor.buffer->address + tensor.distance);
  slots.insert(slots.end(), symbols.begin(), symbols.end());
  slots.insert(slots.end(),
               {int64_t(scratch->address), int64_t(errors->address),
                /*launch=*/1});
  return slots;
}

void LaunchMemory::readBack(KernelRun &run) const {
  for (auto [output, memory] : llvm::zip_equal(run.outputs, outputs))
    if (int64_t bytes = output.getNumBytes())
      llvm::copy(
          llvm::drop_begin(memory.buffer->take<char>(memory.distance + bytes),
                           memory.distance),
          reinterpret_cast<char *>(output.data()));
  std::vector<int64_t> cells = errors->take<int64_t>(errorCount);
  run.errorCells.assign(cells.begin() + kErrorCellBytes / 8, cells.end());
}

KernelRun
ThreadMachine::runVersion(CUfunction function, KernelHarness &harness,
                          ArrayRef<HostTensor> inputs,
                          ArrayRef<int64_t> symbols,
                          const std::map<unsigned, unsigned> &aliases) const {
  KernelRun result{harness.makeOutputs(symbols), {}};
  LaunchMemory memory(
      inputs, result.outputs, harness.getKernel().countCells(), aliases,
      record.scratchBytes ? evaluate(record.scratchBytes, symbols) : 0,
      distance);
  std::vector<int64_t> slots = memory.getSlots(symbols);
  launch(function, slots, symbols);
  memory.readBack(result);
  if (result.hasFailed()) {
    launch(function, slots, symbols);
    result.errorValue = memory.getReportedValue();
  }
  return result;
}

KernelRun
ThreadMachine::run(KernelHarness &harness, ArrayRef<HostTensor> inputs,
                   ArrayRef<int64_t> symbols,
                   const std::map<unsigned, unsigned> &aliases) const {
  KernelRun result = runVersion(function, harness, inputs, symbols, aliases);
  if (!wideFunction)
    return result;
  KernelRun wide = runVersion(wideFunction, harness, inputs, symbols, aliases);
  EXPECT_EQ(result.errorCells, wide.errorCells);
  EXPECT_EQ(result.errorValue, wide.errorValue);
  for (auto [output, expected] : llvm::zip_equal(wide.outputs, result.outputs))
    EXPECT_EQ(compareBits(output, expected), "");
  return result;
}

std::string tg::test::compareBits(const HostTensor &found,
                                  const HostTensor &expected) {
  int64_t bytes = elementBytes(found.getElementType());
  for (int64_t i = 0; i < found.getNumElements(); ++i) {
    if (!std::memcmp(found.data() + i * bytes, expected.data() + i * bytes,
                     bytes))
      continue;
    double a = found.numberAt(i), b = expected.numberAt(i);
    if (std::isnan(a) && std::isnan(b))
      continue;
    return "element " + std::to_string(i) + " is " + std::to_string(a) +
           ", expected " + std::to_string(b);
  }
  return "";
}

void tg::test::checkThreads(StringRef text,
                            ArrayRef<std::vector<int64_t>> lists,
                            const KernelCheck &check, unsigned distance) {
  KernelHarness harness(text);
  ASSERT_TRUE(harness.getKernel());
  std::unique_ptr<CompiledKernel> tiles =
      harness.compile({/*level=*/3, /*optimization=*/2, /*tune=*/""});
  std::unique_ptr<ThreadMachine> threads =
      ThreadMachine::create(harness.getKernel());
  ASSERT_TRUE(tiles && threads);
  threads->distance = distance;
  for (const std::vector<int64_t> &symbols : lists) {
    SCOPED_TRACE("symbols " + testing::PrintToString(symbols));
    std::vector<HostTensor> inputs = harness.makeInputs(symbols);
    if (check.prepare)
      check.prepare(inputs);
    KernelRun expected = harness.run(*tiles, inputs, symbols, check.aliases);
    KernelRun found = threads->run(harness, inputs, symbols, check.aliases);
    EXPECT_EQ(found.errorCells, expected.errorCells);
    EXPECT_EQ(found.errorValue, expected.errorValue);
    for (size_t output = 0; output < expected.outputs.size(); ++output)
      EXPECT_EQ(compareBits(found.outputs[output], expected.outputs[output]),
                "")
          << "output " << output;
  }
}
