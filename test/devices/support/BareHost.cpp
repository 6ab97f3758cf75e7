#include "BareHost.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace tg::test {

//===----------------------------------------------------------------------===//
// Tables and arguments
//===----------------------------------------------------------------------===//

AlignedMemory::AlignedMemory(size_t bytes)
    : memory(std::aligned_alloc(64, (bytes + 63) / 64 * 64), std::free) {
  std::memset(memory.get(), 0, bytes);
}

LoadedTable::LoadedTable(const std::string &path, uint32_t target)
    : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  EXPECT_TRUE(library) << dlerror();
  auto *get = reinterpret_cast<tg_model_get_fn *>(
      library ? dlsym(library, TG_MODEL_SYMBOL) : nullptr);
  if (!get || get(TG_ABI_VERSION, target, &table) != TG_OK) {
    ADD_FAILURE() << path << " has no code for target " << target;
    std::abort();
  }
}

LoadedTable::~LoadedTable() { dlclose(library); }

const tg_function_t &LoadedTable::function(const std::string &name) const {
  for (uint32_t i = 0; i < table->function_count; ++i)
    if (name == table->functions[i]->name)
      return *table->functions[i];
  ADD_FAILURE() << "no function " << name;
  std::abort();
}

Arguments &Arguments::add(void *data, std::vector<int64_t> shape,
                          tg_dtype_t dtype) {
  tg_tensor_t tensor = {};
  tensor.data = data;
  tensor.device = {TG_DEVICE_CPU, 0};
  tensor.ndim = int32_t(shape.size());
  tensor.dtype = dtype;
  tensors.push_back(tensor);
  shapes.push_back(std::move(shape));
  return *this;
}

const tg_tensor_t *Arguments::data() {
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i].shape = shapes[i].data();
  return tensors.data();
}

/// Plans a call. The symbols are those of the first input: its first extent.
static tg_plan_t plan(const tg_function_t &function, Arguments &inputs) {
  std::vector<int64_t> symbols(function.symbol_total + 1, 0);
  if (function.symbol_count)
    symbols[0] = inputs.data()[0].shape[0];
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols.data();
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  EXPECT_EQ(function.plan(&function, &plan, &error), TG_OK) << error.message;
  return plan;
}

static tg_call_t callOf(Arguments &inputs, Arguments &outputs,
                        tg_error_t &error) {
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.inputs = inputs.data();
  call.input_count = inputs.size();
  call.outputs = outputs.data();
  call.output_count = outputs.size();
  error = {};
  error.struct_size = sizeof(error);
  call.error = &error;
  return call;
}

//===----------------------------------------------------------------------===//
// The CPU
//===----------------------------------------------------------------------===//

CpuHost::CpuHost(uint32_t target, const char *path)
    : table(path, target), slab(table.model().slab_bytes) {}

tg_status_t CpuHost::run(const std::string &name, Arguments &inputs,
                         Arguments &outputs) {
  const tg_function_t &function = table.function(name);
  const tg_plan_t planned = plan(function, inputs);
  const AlignedMemory workspace(planned.workspace_bytes);
  const AlignedMemory packed(table.model().packed_bytes + 64);
  tg_call_t call = callOf(inputs, outputs, error);
  call.host = functions;
  call.slab = slab.data();
  call.slab_bytes = table.model().slab_bytes;
  call.workspace = workspace.data();
  call.workspace_bytes = planned.workspace_bytes;
  call.packed = packed.data();
  call.packed_bytes = table.model().packed_bytes;
  if (function.flags & TG_FUNCTION_USES_PACKED) {
    EXPECT_EQ(table.model().pack(&table.model(), &call), TG_OK);
  }
  return function.run(&function, &call);
}

std::vector<char> CpuHost::variables() const {
  const auto *first = static_cast<const char *>(slab.data());
  return {first + sizeof(tg_slab_header_t), first + table.model().slab_bytes};
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

BareHost::BareHost(const char *path) : table(path, TG_TARGET_CUDA_80) {
  const Cuda &cuda = Cuda::get();
  const tg_model_t &model = table.model();
  kernels.resize(model.image_count);
  for (uint32_t i = 0; i < model.image_count; ++i) {
    const tg_image_t &code = *model.images[i];
    CUmodule &module = modules.emplace_back();
    EXPECT_EQ(cuda.cuModuleLoadData(&module, code.code), CUDA_SUCCESS);
    for (uint32_t j = 0; j < code.kernel_count; ++j)
      EXPECT_EQ(cuda.cuModuleGetFunction(&kernels[i].emplace_back(), module,
                                         code.kernels[j]),
                CUDA_SUCCESS);
    images.push_back(kernels[i].data());
  }
  slab = std::make_unique<Buffer>(model.slab_bytes);
  constants = std::make_unique<Buffer>(model.constants_bytes + 1);
  const auto *bytes = static_cast<const char *>(model.constants);
  constants->put(std::vector<char>(bytes, bytes + model.constants_bytes));
  ops = {sizeof(ops), 0,      launch,    copy,      fill,
         wait,        runAll, errorText, launchGrid};
}

BareHost::~BareHost() {
  for (CUmodule module : modules)
    EXPECT_EQ(Cuda::get().cuModuleUnload(module), CUDA_SUCCESS);
}

tg_call_t &BareHost::prepare(const std::string &name, Arguments &inputs,
                             Arguments &outputs) {
  const tg_function_t &function = table.function(name);
  const tg_plan_t planned = plan(function, inputs);
  workspace.reset();
  workspace = std::make_unique<Buffer>(planned.workspace_bytes);
  hostBlock = std::make_unique<AlignedMemory>(planned.host_block_bytes);
  std::memset(hostBlock->data(), 0xa5, planned.host_block_bytes);
  call = callOf(inputs, outputs, error);
  call.host = functions;
  call.slab = reinterpret_cast<void *>(slab->address);
  call.slab_bytes = table.model().slab_bytes;
  call.workspace = reinterpret_cast<void *>(workspace->address);
  call.workspace_bytes = planned.workspace_bytes;
  deviceCall = {};
  deviceCall.struct_size = sizeof(deviceCall);
  deviceCall.ops = &ops;
  deviceCall.device = this;
  deviceCall.images = images.data();
  deviceCall.constants = reinterpret_cast<void *>(constants->address);
  deviceCall.slab_header = &header;
  deviceCall.host_block = hostBlock->data();
  deviceCall.host_block_bytes = planned.host_block_bytes;
  deviceCall.id = {TG_DEVICE_CUDA, 0};
  call.device = &deviceCall;
  return call;
}

tg_status_t BareHost::run(const std::string &name, Arguments &inputs,
                          Arguments &outputs) {
  const tg_function_t &function = table.function(name);
  const tg_call_t &prepared = prepare(name, inputs, outputs);
  return function.run(&function, &prepared);
}

std::vector<char> BareHost::variables() const {
  std::vector<char> all = slab->take<char>(table.model().slab_bytes);
  return {all.begin() + sizeof(tg_slab_header_t), all.end()};
}

tg_status_t BareHost::count() {
  return ++operations == failing ? TG_ERROR_LAUNCH : TG_OK;
}

static tg_status_t statusOf(CUresult result) {
  return result == CUDA_SUCCESS ? TG_OK : TG_ERROR_LAUNCH;
}

tg_status_t BareHost::launch(void *device, void *stream, void *image,
                             uint32_t kernel, uint32_t blockCount,
                             uint32_t blockThreads, const uint64_t *arguments,
                             uint32_t argumentCount) {
  const uint32_t blocks[] = {blockCount, 1, 1},
                 threads[] = {blockThreads, 1, 1};
  return launchGrid(device, stream, image, kernel, blocks, threads, 0,
                    arguments, argumentCount);
}

tg_status_t BareHost::launchGrid(void *device, void *, void *image,
                                 uint32_t kernel, const uint32_t blocks[3],
                                 const uint32_t threads[3],
                                 uint32_t sharedBytes,
                                 const uint64_t *arguments,
                                 uint32_t argumentCount) {
  auto &host = *static_cast<BareHost *>(device);
  if (const tg_status_t status = host.count(); status != TG_OK)
    return status;
  std::vector<uint64_t> values(arguments, arguments + argumentCount);
  std::vector<void *> parameters;
  for (uint64_t &value : values)
    parameters.push_back(&value);
  return statusOf(Cuda::get().cuLaunchKernel(
      static_cast<CUfunction *>(image)[kernel], blocks[0], blocks[1], blocks[2],
      threads[0], threads[1], threads[2], sharedBytes, nullptr,
      parameters.data(), nullptr));
}

tg_status_t BareHost::copy(void *device, void *, void *to, const void *from,
                           uint64_t bytes, uint32_t direction) {
  auto &host = *static_cast<BareHost *>(device);
  if (const tg_status_t status = host.count(); status != TG_OK)
    return status;
  const Cuda &cuda = Cuda::get();
  const auto target = reinterpret_cast<CUdeviceptr>(to);
  const auto source = reinterpret_cast<CUdeviceptr>(from);
  if (direction == TG_COPY_TO_DEVICE)
    return statusOf(cuda.cuMemcpyHtoDAsync_v2(target, from, bytes, nullptr));
  if (direction == TG_COPY_FROM_DEVICE)
    return statusOf(cuda.cuMemcpyDtoHAsync_v2(to, source, bytes, nullptr));
  return statusOf(cuda.cuMemcpyDtoDAsync_v2(target, source, bytes, nullptr));
}

tg_status_t BareHost::fill(void *device, void *, void *memory, uint8_t value,
                           uint64_t bytes) {
  auto &host = *static_cast<BareHost *>(device);
  if (const tg_status_t status = host.count(); status != TG_OK)
    return status;
  return statusOf(Cuda::get().cuMemsetD8Async(
      reinterpret_cast<CUdeviceptr>(memory), value, bytes, nullptr));
}

tg_status_t BareHost::wait(void *device, void *) {
  auto &host = *static_cast<BareHost *>(device);
  ++host.waits;
  const tg_status_t status = host.count();
  const CUresult waited = Cuda::get().cuStreamSynchronize(nullptr);
  return status != TG_OK ? status : statusOf(waited);
}

tg_status_t BareHost::runAll(void *device, void *, const tg_device_key_t *key,
                             tg_enqueue_fn *enqueue, void *argument) {
  auto &host = *static_cast<BareHost *>(device);
  host.keys.emplace_back(key ? key->function : nullptr, key != nullptr);
  tg_status_t status = host.runStatus;
  for (int i = 0; i < host.repetitions && status == TG_OK; ++i)
    status = enqueue(argument);
  return status;
}

const char *BareHost::errorText(void *) { return "a planted failure"; }

} // namespace tg::test
