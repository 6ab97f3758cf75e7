//===- Tensors.cpp - features and outputs as tensors with names -----------===//
#include "Tensors.h"

using namespace tg;
using namespace tg::training;

/// Returns a view of an output.
static NamedTensor viewOf(const tg_value_t &output, const Outputs &outputs) {
  const std::span<const int64_t> shape = outputs.shape(output.name);
  tg_tensor_t tensor = {};
  tensor.data = const_cast<char *>(outputs.bytes(output.name).data());
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(shape.size());
  tensor.dtype = output.dtype;
  tensor.shape = const_cast<int64_t *>(shape.data());
  return {output.name, tensor};
}

std::vector<NamedTensor> training::outputsOf(const tg_function_t &function,
                                             const Outputs &outputs) {
  std::vector<NamedTensor> tensors;
  for (uint32_t i = 0; i < function.output_count; ++i)
    tensors.push_back(viewOf(*function.outputs[i], outputs));
  return tensors;
}

NamedTensor training::outputOf(const tg_function_t &function,
                               const Outputs &outputs,
                               const std::string &name) {
  outputs.shape(name); // throws for a name that is no output
  uint32_t i = 0;
  while (name != function.outputs[i]->name)
    ++i;
  return viewOf(*function.outputs[i], outputs);
}

std::vector<NamedTensor> training::featuresOf(const data::ExampleType &type,
                                              const data::Example &batch) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < type.size(); ++i)
    tensors.push_back({type[i].name, batch.features[i].tensor()});
  return tensors;
}
