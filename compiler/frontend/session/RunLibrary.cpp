//===- RunLibrary.cpp - loads and calls the library of one fetch ----------===//
#include "compiler/frontend/session/RunLibrary.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace tg;
using namespace tg::session;

void Block::grow(uint64_t wanted, bool keeps) {
  if (wanted <= bytes)
    return;
  // Variables of many bytes begin at pages of the slab.
  constexpr uint64_t page = 4096;
  uint64_t rounded = (wanted + page - 1) / page * page;
  char *grown = static_cast<char *>(std::aligned_alloc(page, rounded));
  if (!grown)
    throw std::bad_alloc();
  if (keeps) {
    std::memset(grown, 0, rounded);
    if (bytes)
      std::memcpy(grown, memory.get(), bytes);
  }
  memory.reset(grown);
  bytes = rounded;
}

static tg_slab_header_t &headerOf(const Memory &memory) {
  return *reinterpret_cast<tg_slab_header_t *>(memory.slab.data());
}

void Memory::growSlab(uint64_t bytes) {
  if (bytes <= slab.size())
    return;
  slab.grow(bytes, /*keeps=*/true);
  slabChanged();
}

void Memory::slabChanged() { ++headerOf(*this).generation; }

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

RunLibrary::RunLibrary(dsl::FetchLibrary made) : library(std::move(made)) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (tg_module_load_memory(library.file.data(), library.file.size(),
                            /*options=*/nullptr, &module, &error) != TG_OK)
    throw std::runtime_error(error.message);
  std::string().swap(library.file);
  model = tg_module_model(module);
  function = model->functions[0];
  symbols.resize(function->symbol_total + 1);
  for (uint32_t i = 0; i < function->input_count; ++i)
    inputTypes.push_back(dtypeOf(function->inputs[i]->dtype));
  for (uint32_t i = 0; i < function->output_count; ++i)
    outputTypes.push_back(dtypeOf(function->outputs[i]->dtype));
  results.resize(function->output_count);
}

RunLibrary::~RunLibrary() { tg_module_unload(module, nullptr); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Failure RunLibrary::failureOf(const tg_error_t &error) const {
  Failure failure{error.message, "", 0, 0, error.argument};
  if (error.location >= 0 &&
      error.location < static_cast<int32_t>(model->location_count)) {
    const tg_location_t &place = *model->locations[error.location];
    failure.file = place.file;
    failure.line = place.line;
    failure.column = place.column;
    // It is told apart from the sentence.
    std::string prefix = failure.file + ":" + std::to_string(failure.line) +
                         ":" + std::to_string(failure.column) + ": ";
    if (failure.message.starts_with(prefix))
      failure.message.erase(0, prefix.size());
  }
  return failure;
}

/// Finds symbols and the size of the workspace, where extents are others than
/// before.
std::optional<Failure>
RunLibrary::plan(Memory &memory, const std::vector<tg_tensor_t> &inputs) {
  size_t at = 0;
  bool isSame = isPlanned;
  for (const tg_tensor_t &input : inputs)
    for (int32_t d = 0; d < input.ndim; ++d, ++at) {
      if (at == planned.size())
        planned.push_back(-1);
      isSame &= planned[at] == input.shape[d];
      planned[at] = input.shape[d];
    }
  if (!isSame) {
    std::fill(symbols.begin(), symbols.end(), -1);
    for (uint32_t i = 0; i < function->input_count; ++i)
      for (uint32_t d = 0; d < function->inputs[i]->rank; ++d)
        if (int64_t dim = function->inputs[i]->dims[d];
            dim < 0 && symbols[-1 - dim] < 0)
          symbols[-1 - dim] = inputs[i].shape[d];
    tg_plan_t plan = {};
    plan.struct_size = sizeof(plan);
    plan.worker_count = memory.parallel ? memory.parallel->worker_count : 1;
    plan.symbols = symbols.data();
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    isPlanned = false;
    if (function->plan(function, &plan, &error) != TG_OK)
      return failureOf(error);
    isPlanned = true;
    workspaceBytes = plan.workspace_bytes;
  }
  memory.workspace.grow(workspaceBytes, /*keeps=*/false);
  return {};
}

void RunLibrary::makeOutputs(std::vector<Array> &outputs) {
  for (uint32_t i = 0; i < function->output_count; ++i) {
    const tg_value_t &value = *function->outputs[i];
    std::vector<int64_t> shape(value.rank);
    for (uint32_t d = 0; d < value.rank; ++d)
      shape[d] = tg_dim(value.dims[d], symbols.data());
    Array &made = outputs.emplace_back(outputTypes[i], std::move(shape));
    tg_tensor_t &tensor = results[i];
    tensor = {};
    tensor.data = made.data();
    tensor.device.device_type = TG_DEVICE_CPU;
    tensor.dtype = value.dtype;
    tensor.ndim = static_cast<int32_t>(value.rank);
    tensor.shape = const_cast<int64_t *>(made.shape().data());
  }
}

/// Packs the weights again where variables changed since.
tg_status_t RunLibrary::pack(Memory &memory, tg_call_t call) {
  if (packed.data() && packedGeneration == headerOf(memory).generation)
    return TG_OK;
  packedGeneration = 0;
  call.inputs = call.outputs = nullptr;
  call.host = nullptr;
  call.input_count = call.output_count = 0;
  tg_status_t status = model->pack(model, &call);
  if (status == TG_OK)
    packedGeneration = headerOf(memory).generation;
  return status;
}

tg_status_t RunLibrary::call(Memory &memory,
                             const std::vector<tg_tensor_t> &inputs,
                             tg_error_t &error) {
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.inputs = inputs.data();
  call.input_count = static_cast<uint32_t>(inputs.size());
  call.outputs = results.data();
  call.output_count = static_cast<uint32_t>(results.size());
  call.workspace = memory.workspace.data();
  call.workspace_bytes = memory.workspace.size();
  call.parallel = memory.parallel;
  call.error = &error;
  if (TG_HAS(tg_function_t, function, host_functions))
    call.host = memory.host.get();
  if (function->slab_bytes) {
    call.slab = memory.slab.data();
    call.slab_bytes = memory.slab.size();
    // The layouts of the graph's libraries begin alike: each takes the slab for
    // its own.
    std::memcpy(headerOf(memory).layout_id, model->layout_id,
                sizeof(model->layout_id));
  }
  if (function->flags & TG_FUNCTION_USES_PACKED) {
    packed.grow(model->packed_bytes, /*keeps=*/false);
    call.packed = packed.data();
    call.packed_bytes = model->packed_bytes;
    if (tg_status_t status = pack(memory, call); status != TG_OK)
      return status;
  }
  return function->run(function, &call);
}

void RunLibrary::saveVariables(const Memory &memory) {
  saved.clear();
  for (size_t number : library.writes) {
    const tg_variable_t &variable = *model->variables[number];
    const char *from = memory.slab.data() + variable.offset;
    saved.insert(saved.end(), from, from + variable.bytes);
  }
}

void RunLibrary::restoreVariables(Memory &memory) {
  const char *from = saved.data();
  for (size_t number : library.writes) {
    const tg_variable_t &variable = *model->variables[number];
    std::memcpy(memory.slab.data() + variable.offset, from, variable.bytes);
    from += variable.bytes;
  }
  memory.slabChanged();
}

std::optional<Failure> RunLibrary::run(Memory &memory,
                                       std::vector<tg_tensor_t> &inputs,
                                       std::vector<Array> &outputs) {
  if (std::optional<Failure> failure = plan(memory, inputs))
    return failure;
  memory.growSlab(function->slab_bytes);
  makeOutputs(outputs);
  if (library.mayFailLate)
    saveVariables(memory);
  tg_error_t error;
  error.struct_size = sizeof(error);
  tg_status_t status = call(memory, inputs, error);
  if (status == TG_OK)
    return {};
  if (library.mayFailLate)
    restoreVariables(memory);
  outputs.clear();
  return failureOf(error);
}
