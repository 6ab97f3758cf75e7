//===- LoadedModel.cpp - a compiled library, run on host tensors ----------===//
#include "test/numeric/LoadedModel.h"
#include "test/numeric/HostFunctions.h"

using namespace mlir;
using namespace tg;
using namespace tg::test;

std::vector<uint32_t> test::usableTargets() {
  std::vector<uint32_t> targets;
  if (__builtin_cpu_supports("x86-64-v2"))
    targets.push_back(TG_TARGET_X86_64_V2);
  if (__builtin_cpu_supports("x86-64-v3"))
    targets.push_back(TG_TARGET_X86_64_V3);
  if (__builtin_cpu_supports("x86-64-v4"))
    targets.push_back(TG_TARGET_X86_64_V4);
  return targets;
}

/// Returns "" for success, otherwise a message that is never empty.
static std::string messageOf(tg_status_t status, const tg_error_t &error) {
  if (status == TG_OK)
    return "";
  return std::string(tg_status_name(status)) + ": " + error.message;
}

static tg_error_t makeError() {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  return error;
}

LoadedModel::~LoadedModel() {
  if (module)
    tg_module_unload(module, nullptr);
}

std::string LoadedModel::load(ArrayRef<char> library, uint32_t target) {
  tg_load_options_t options = {};
  options.struct_size = sizeof(options);
  options.target = target;
  return load(library, options);
}

std::string LoadedModel::load(ArrayRef<char> library, tg_device_t device) {
  tg_load_options_t options = {};
  options.struct_size = sizeof(options);
  options.device = device;
  return load(library, options);
}

std::string LoadedModel::load(ArrayRef<char> library,
                              const tg_load_options_t &options) {
  tg_error_t error = makeError();
  return messageOf(tg_module_load_memory(library.data(), library.size(),
                                         &options, &module, &error),
                   error);
}

/// Returns views of the tensors. `shapes` owns their shapes.
static std::vector<tg_tensor_t>
viewsOf(MutableArrayRef<HostTensor> tensors,
        std::vector<SmallVector<int64_t>> &shapes) {
  for (const HostTensor &tensor : tensors)
    shapes.emplace_back(tensor.getShape());
  std::vector<tg_tensor_t> views;
  for (auto [tensor, shape] : llvm::zip_equal(tensors, shapes)) {
    tg_tensor_t view = {};
    view.data = tensor.data();
    view.device.device_type = TG_DEVICE_CPU;
    view.ndim = shape.size();
    view.dtype = typeInfoOf(elementOf(tensor.getElementType())).dtype;
    view.shape = shape.data();
    views.push_back(view);
  }
  return views;
}

/// Returns the values that the input shapes bind to the symbols.
static SmallVector<int64_t> symbolsOf(const tg_function_t *function,
                                      ArrayRef<tg_tensor_t> inputs) {
  SmallVector<int64_t> symbols(function->symbol_total + 1);
  for (uint32_t i = 0; i < function->input_count; ++i)
    for (uint32_t axis = 0; axis < function->inputs[i]->rank; ++axis)
      if (int64_t dim = function->inputs[i]->dims[axis]; dim < 0)
        symbols[-1 - dim] = inputs[i].shape[axis];
  return symbols;
}

/// Allocates buffers for outputs of data-dependent size. The entries of other
/// outputs stay empty.
static std::vector<HostTensor> makeRooms(const tg_function_t *function,
                                         ArrayRef<HostTensor> outputs,
                                         ArrayRef<int64_t> symbols) {
  std::vector<HostTensor> rooms(outputs.size());
  for (auto [i, output] : llvm::enumerate(outputs)) {
    SmallVector<int64_t> shape;
    for (uint32_t axis = 0; axis < function->outputs[i]->rank; ++axis)
      shape.push_back(tg_dim(function->outputs[i]->dims[axis], symbols.data()));
    if (ArrayRef(shape) != output.getShape())
      rooms[i] = HostTensor(output.getElementType(), shape);
  }
  return rooms;
}

/// Copies a data-dependent output into `output`. Returns "" or a message.
static std::string takeOver(const HostTensor &room, ArrayRef<int64_t> found,
                            HostTensor &output) {
  if (found != output.getShape())
    return "found other extents than the interpreter";
  std::copy_n(room.data(), output.getNumBytes(), output.data());
  return {};
}

std::string LoadedModel::runIn(tg_context_t *context,
                               const std::string &function,
                               MutableArrayRef<HostTensor> inputs,
                               MutableArrayRef<HostTensor> outputs) {
  tg_error_t error = makeError();
  uint32_t index = 0;
  if (tg_status_t status =
          tg_module_find_function(module, function.c_str(), &index, &error))
    return messageOf(status, error);
  std::vector<SmallVector<int64_t>> inputShapes, outputShapes;
  std::vector<tg_tensor_t> in = viewsOf(inputs, inputShapes);
  std::vector<tg_tensor_t> out = viewsOf(outputs, outputShapes);
  const tg_model_t *model = tg_module_model(module);
  const tg_host_t &host = getHost();
  for (uint32_t i = 0; i < host.function_count; ++i)
    if (tg_status_t status = tg_context_register_host(
            context, host.functions[i]->name, host.functions[i]->call,
            host.functions[i]->user, &error))
      return messageOf(status, error);
  if (model->variable_count != 0)
    if (tg_status_t status = tg_context_init(context, /*seed=*/1, &error))
      return messageOf(status, error);
  const tg_function_t *called = model->functions[index];
  SmallVector<int64_t> symbols = symbolsOf(called, in);
  if (tg_status_t status =
          tg_context_reserve(context, index, symbols.data(), &error))
    return messageOf(status, error);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols.data();
  if (tg_status_t status = called->plan(called, &plan, &error))
    return messageOf(status, error);
  std::vector<HostTensor> rooms = makeRooms(called, outputs, symbols);
  for (auto [i, room] : llvm::enumerate(rooms))
    if (room.getElementType()) {
      out[i].data = room.data();
      llvm::copy(room.getShape(), out[i].shape);
    }
  std::string message =
      messageOf(tg_context_run(context, index, in.data(), in.size(), out.data(),
                               out.size(), &error),
                error);
  for (auto [i, room] : llvm::enumerate(rooms))
    if (message.empty() && room.getElementType())
      message = takeOver(room, ArrayRef(out[i].shape, out[i].ndim), outputs[i]);
  return message;
}

std::string LoadedModel::run(const std::string &function,
                             MutableArrayRef<HostTensor> inputs,
                             MutableArrayRef<HostTensor> outputs,
                             uint32_t workers) {
  tg_error_t error = makeError();
  tg_pool_t *pool = nullptr;
  if (workers > 1)
    if (tg_status_t status = tg_pool_create(workers, &pool, &error))
      return messageOf(status, error);
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.parallel = pool ? tg_pool_parallel(pool) : nullptr;
  tg_context_t *context = nullptr;
  std::string message =
      messageOf(tg_context_create(module, &options, &context, &error), error);
  if (context)
    message = runIn(context, function, inputs, outputs);
  tg_context_destroy(context);
  if (pool)
    tg_pool_destroy(pool, nullptr);
  return message;
}
