//===- RunPart.cpp - calls one function of a library ----------------------===//
#include "compiler/frontend/session/RunLibrary.h"

#include <algorithm>
#include <new>

using namespace tg;
using namespace tg::session;

RunPart::RunPart(tg_context_t *context, const tg_model_t *model, uint32_t index)
    : context(context), model(model), index(index),
      function(model->functions[index]), symbols(function->symbol_total + 1),
      results(function->output_count) {
  for (uint32_t i = 0; i < function->output_count; ++i)
    outputTypes.push_back(dsl::elementTypeOf(function->outputs[i]->dtype));
}

Failure RunPart::failureOf(const tg_error_t &error) const {
  Failure failure{error.message, "", 0, 0, error.argument};
  if (error.location >= 0 &&
      error.location < static_cast<int32_t>(model->location_count)) {
    const tg_location_t &location = *model->locations[error.location];
    failure.file = location.file;
    failure.line = location.line;
    failure.column = location.column;
    // The location is reported separately from the message.
    std::string prefix = failure.file + ":" + std::to_string(failure.line) +
                         ":" + std::to_string(failure.column) + ": ";
    if (failure.message.starts_with(prefix))
      failure.message.erase(0, prefix.size());
  }
  return failure;
}

std::optional<Failure> RunPart::plan(const Device &device,
                                     const std::vector<tg_tensor_t> &inputs) {
  size_t next = 0;
  bool isSame = isPlanned;
  for (const tg_tensor_t &input : inputs)
    for (int32_t d = 0; d < input.ndim; ++d, ++next) {
      if (next == plannedExtents.size())
        plannedExtents.push_back(-1);
      isSame &= plannedExtents[next] == input.shape[d];
      plannedExtents[next] = input.shape[d];
    }
  if (isSame)
    return {};
  std::fill(symbols.begin(), symbols.end(), -1);
  for (uint32_t i = 0; i < function->input_count; ++i)
    for (uint32_t d = 0; d < function->inputs[i]->rank; ++d)
      if (int64_t dim = function->inputs[i]->dims[d];
          dim < 0 && symbols[-1 - dim] < 0)
        symbols[-1 - dim] = inputs[i].shape[d];
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols.data();
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  const tg_status_t status = tg_context_plan(context, index, &plan, &error);
  isPlanned = status == TG_OK;
  workspaceBytes = plan.workspace_bytes;
  if (status == TG_ERROR_MEMORY)
    return memoryFailure(device);
  return isPlanned ? std::nullopt : std::optional(failureOf(error));
}

void RunPart::makeOutputs(std::vector<Array> &outputs) {
  outputs.reserve(function->output_count);
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

/// Returns the size of a value in bytes, or UINT64_MAX if it overflows.
static uint64_t bytesOf(const tg_value_t &value, const int64_t *symbols) {
  uint64_t bytes = (value.dtype.bits + 7u) / 8u;
  for (uint32_t d = 0; d < value.rank; ++d)
    if (__builtin_mul_overflow(
            bytes, static_cast<uint64_t>(tg_dim(value.dims[d], symbols)),
            &bytes))
      return UINT64_MAX;
  return bytes;
}

Failure RunPart::memoryFailure(const Device &device) const {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < function->output_count; ++i)
    if (__builtin_add_overflow(
            bytes, bytesOf(*function->outputs[i], symbols.data()), &bytes))
      bytes = UINT64_MAX;
  return {"expected memory for a workspace of " +
              std::to_string(workspaceBytes) + " bytes and outputs of " +
              std::to_string(bytes) + " bytes on device '" + device.name +
              "', found too little",
          "", 0, 0, -1};
}

/// Shrinks an array that was allocated for the upper bounds of data-dependent
/// extents to its actual extents.
static void shrinkToExtents(Array &array) {
  size_t count = 1;
  for (int64_t extent : array.shape())
    count *= static_cast<size_t>(extent);
  if (count == array.size())
    return;
  Array found(array.dtype(), array.shape());
  std::copy_n(static_cast<const char *>(std::as_const(array).data()),
              found.byteCount(), static_cast<char *>(found.data()));
  array = std::move(found);
}

std::optional<Failure> RunPart::run(const Device &device,
                                    const std::vector<tg_tensor_t> &inputs,
                                    std::vector<Array> &outputs) {
  try {
    if (std::optional<Failure> failure = plan(device, inputs))
      return failure;
    makeOutputs(outputs);
    return call(inputs, outputs);
  } catch (const std::bad_alloc &) {
    outputs.clear();
    return memoryFailure(device);
  }
}

std::optional<Failure> RunPart::call(const std::vector<tg_tensor_t> &inputs,
                                     std::vector<Array> &outputs) {
  tg_error_t error;
  error.struct_size = sizeof(error);
  if (tg_context_run(context, index, inputs.data(),
                     static_cast<uint32_t>(inputs.size()), results.data(),
                     static_cast<uint32_t>(results.size()), &error) == TG_OK) {
    std::ranges::for_each(outputs, shrinkToExtents);
    return {};
  }
  outputs.clear();
  return failureOf(error);
}
