//===- RunLibrary.cpp - loads and calls the library of one fetch ----------===//
#include "compiler/frontend/session/RunLibrary.h"

#include <algorithm>
#include <map>
#include <new>

using namespace tg;
using namespace tg::session;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

RunLibrary::RunLibrary(dsl::FetchLibrary made, Memory &memory)
    : library(std::move(made)),
      writes(library.writes.begin(), library.writes.end()) {
  for (const dsl::FetchPart &part : library.parts) {
    tg_context_t *context = contextOf(part.device, memory);
    tg_module_t *module = moduleOn(memory.devices[part.device].id);
    uint32_t index = 0;
    tg_module_find_function(module, part.function.c_str(), &index, nullptr);
    steps.push_back({RunPart(context, tg_module_model(module), index),
                     part.device, part.stage});
  }
  std::string().swap(library.file);
  connect();
}

/// Returns true if two devices have the same memory.
static bool isSame(tg_device_t one, tg_device_t other) {
  return one.device_type == other.device_type &&
         one.device_id == other.device_id;
}

tg_module_t *RunLibrary::moduleOn(tg_device_t device) {
  for (const auto &[known, module] : modules)
    if (isSame(known, device))
      return module.get();
  tg_load_options_t options = {};
  options.struct_size = sizeof(options);
  options.device = device;
  modules.emplace_back(
      device,
      make<tg_module_t>(tg_module_load_memory, library.file.data(),
                        library.file.size(),
                        static_cast<const tg_load_options_t *>(&options)));
  return modules.back().second.get();
}

tg_context_t *RunLibrary::contextOf(unsigned device, Memory &memory) {
  if (contexts.size() <= device)
    contexts.resize(device + 1);
  Owned<tg_context_t> &context = contexts[device];
  if (context)
    return context.get();
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.parallel = tg_pool_parallel(memory.devices[device].pool.get());
  // Parts on a device with another memory than the first one use no variables.
  if (isSame(memory.devices[device].id, memory.devices.front().id))
    options.variables = memory.variables.get();
  else
    options.flags = TG_CONTEXT_SHARED;
  options.workspace = memory.devices[device].workspace.get();
  context =
      make<tg_context_t>(tg_context_create, moduleOn(memory.devices[device].id),
                         static_cast<const tg_context_options_t *>(&options));
  memory.host.setPrintHandlerOf(context.get());
  return context.get();
}

/// Returns the index of a name in a list, or -1.
static int find(const std::vector<std::string> &names, const char *name) {
  auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

void RunLibrary::connect() {
  std::map<std::string, Step::Source> made;
  for (size_t index = 0; index < steps.size(); ++index) {
    Step &step = steps[index];
    const tg_function_t *function = step.part.get();
    for (uint32_t i = 0; i < function->input_count; ++i) {
      const char *name = function->inputs[i]->name;
      int input = find(library.inputs, name);
      step.sources.push_back(input < 0 ? made.at(name)
                                       : Step::Source{.input = input});
    }
    for (uint32_t i = 0; i < function->output_count; ++i) {
      const char *name = function->outputs[i]->name;
      made[name] = {-1, index, i};
      step.runOutputs.push_back(find(library.outputs, name));
    }
    step.inputs.resize(function->input_count);
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void RunLibrary::runStep(Memory &memory, Step &step) {
  Device &device = memory.devices[step.device];
  ++device.runs;
  step.outputs.clear();
  try {
    step.failure = step.part.run(device, step.inputs, step.outputs);
  } catch (const std::exception &error) {
    step.failure = Failure{error.what(), "", 0, 0, -1};
  }
}

void RunLibrary::startStep(Memory &memory, Step &step) {
  try {
    memory.threads[step.device - 1]->start([&] { runStep(memory, step); });
  } catch (const std::exception &error) {
    // Other steps may run already; runStage() waits for them.
    step.failure = Failure{error.what(), "", 0, 0, -1};
  }
}

void RunLibrary::runStage(Memory &memory, size_t first, size_t last) {
  for (size_t index = first; index < last; ++index)
    if (steps[index].device != 0)
      startStep(memory, steps[index]);
  if (steps[first].device == 0)
    runStep(memory, steps[first]);
  for (size_t index = first; index < last; ++index)
    if (unsigned device = steps[index].device)
      memory.threads[device - 1]->wait();
}

/// Returns a descriptor of an array.
static tg_tensor_t tensorOf(const Array &array, tg_dtype_t dtype) {
  tg_tensor_t tensor = {};
  tensor.data = const_cast<void *>(array.data());
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.dtype = dtype;
  tensor.ndim = static_cast<int32_t>(array.rank());
  tensor.shape = const_cast<int64_t *>(array.shape().data());
  return tensor;
}

std::optional<Failure>
RunLibrary::runSteps(Memory &memory, const std::vector<tg_tensor_t> &inputs,
                     std::vector<Array> &outputs) {
  outputs.resize(library.outputs.size());
  for (size_t first = 0, last; first < steps.size(); first = last) {
    for (last = first;
         last < steps.size() && steps[last].stage == steps[first].stage;
         ++last) {
      Step &step = steps[last];
      for (size_t i = 0; i < step.sources.size(); ++i) {
        const Step::Source &source = step.sources[i];
        step.inputs[i] =
            source.input >= 0
                ? inputs[static_cast<size_t>(source.input)]
                : tensorOf(steps[source.step].outputs[source.output],
                           step.part.get()->inputs[i]->dtype);
      }
    }
    runStage(memory, first, last);
    for (size_t index = first; index < last; ++index) {
      Step &step = steps[index];
      if (step.failure)
        return step.failure;
      for (size_t i = 0; i < step.runOutputs.size(); ++i)
        if (step.runOutputs[i] >= 0)
          outputs[static_cast<size_t>(step.runOutputs[i])] = step.outputs[i];
    }
  }
  return {};
}

std::optional<Failure>
RunLibrary::runAll(Memory &memory, const std::vector<tg_tensor_t> &inputs,
                   std::vector<Array> &outputs) {
  if (!isSingleStep())
    return runSteps(memory, inputs, outputs);
  Device &device = memory.devices.front();
  ++device.runs;
  return steps.front().part.run(device, inputs, outputs);
}

/// Registers the host functions that were added to the session since the last
/// run.
void RunLibrary::registerHost(const SessionHost &host) {
  if (hostFunctions == host.size())
    return;
  for (const Owned<tg_context_t> &context : contexts)
    if (context)
      host.registerWith(context.get(), hostFunctions);
  hostFunctions = host.size();
}

/// Runs all steps. Converts exceptions to failures.
std::optional<Failure>
RunLibrary::tryAll(Memory &memory, const std::vector<tg_tensor_t> &inputs,
                   std::vector<Array> &outputs) {
  try {
    registerHost(memory.host);
    return runAll(memory, inputs, outputs);
  } catch (const std::bad_alloc &) {
    return Failure{"expected memory for the run, found too little", "", 0, 0,
                   -1};
  } catch (const std::exception &error) {
    return Failure{error.what(), "", 0, 0, -1};
  }
}

std::optional<Failure> RunLibrary::run(Memory &memory,
                                       const std::vector<tg_tensor_t> &inputs,
                                       std::vector<Array> &outputs) {
  tg_variables_t *variables = memory.variables.get();
  if (library.mayFailLate) {
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    if (tg_variables_snapshot(variables, writes.data(),
                              static_cast<uint32_t>(writes.size()),
                              &error) != TG_OK)
      return Failure{error.message, "", 0, 0, -1};
  }
  std::optional<Failure> failure = tryAll(memory, inputs, outputs);
  for (Step &step : steps)
    step.outputs.clear();
  if (!failure)
    return {};
  if (library.mayFailLate)
    tg_variables_rollback(variables, nullptr);
  outputs.clear();
  // The inputs of a step are not those of the run.
  if (!isSingleStep())
    failure->argument = -1;
  return failure;
}
