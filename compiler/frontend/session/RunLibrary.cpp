//===- RunLibrary.cpp - loads and calls the library of one fetch ----------===//
#include "compiler/frontend/session/RunLibrary.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>

using namespace tg;
using namespace tg::session;

void Block::grow(uint64_t wanted, bool keeps) {
  if (wanted <= bytes)
    return;
  // Variables of many bytes begin at pages of the slab.
  constexpr uint64_t page = 4096;
  if (wanted > uint64_t(INT64_MAX))
    throw std::bad_alloc();
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
  for (const dsl::FetchPart &part : library.parts) {
    uint32_t number = 0;
    tg_module_find_function(module, part.function.c_str(), &number, &error);
    steps.push_back(
        {RunPart(model, model->functions[number]), part.device, part.stage});
  }
  connect();
}

RunLibrary::~RunLibrary() { tg_module_unload(module, nullptr); }

/// The place of a name in a list, -1 where it is not there.
static int find(const std::vector<std::string> &names, const char *name) {
  auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// Finds by names which values steps get, from the run and from each other.
void RunLibrary::connect() {
  std::map<std::string, Step::Source> made;
  for (size_t number = 0; number < steps.size(); ++number) {
    Step &step = steps[number];
    const tg_function_t *function = step.part.get();
    for (uint32_t i = 0; i < function->input_count; ++i) {
      const char *name = function->inputs[i]->name;
      int input = find(library.inputs, name);
      step.sources.push_back(input < 0 ? made.at(name)
                                       : Step::Source{.input = input});
    }
    for (uint32_t i = 0; i < function->output_count; ++i) {
      const char *name = function->outputs[i]->name;
      made[name] = {-1, number, i};
      step.places.push_back(find(library.outputs, name));
    }
    step.inputs.resize(function->input_count);
  }
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Makes room for variables. The layouts of the graph's libraries begin alike:
/// each takes the slab for its own.
void RunLibrary::prepare(Memory &memory) {
  uint64_t bytes = 0;
  for (const Step &step : steps)
    bytes = std::max<uint64_t>(bytes, step.part.get()->slab_bytes);
  if (bytes == 0)
    return;
  memory.growSlab(bytes);
  std::memcpy(headerOf(memory).layout_id, model->layout_id,
              sizeof(model->layout_id));
}

/// Packs the weights again where variables changed since.
std::optional<Failure> RunLibrary::pack(Memory &memory) {
  if (packed.block.data() && packed.generation == headerOf(memory).generation)
    return {};
  packed.block.grow(model->packed_bytes, /*keeps=*/false);
  tg_error_t error;
  error.struct_size = sizeof(error);
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.slab = memory.slab.data();
  call.slab_bytes = memory.slab.size();
  call.packed = packed.block.data();
  call.packed_bytes = model->packed_bytes;
  call.parallel = memory.devices.front().parallel;
  call.error = &error;
  packed.generation = 0;
  if (model->pack(model, &call) != TG_OK)
    return Failure{error.message, "", 0, 0, -1};
  packed.generation = headerOf(memory).generation;
  return {};
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

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void RunLibrary::runStep(Memory &memory, Step &step) {
  Device &device = memory.devices[step.device];
  ++device.runs;
  step.outputs.clear();
  try {
    step.failure =
        step.part.run(memory, device, packed, step.inputs, step.outputs);
  } catch (const std::exception &error) {
    step.failure = Failure{error.what(), "", 0, 0, -1};
  }
}

void RunLibrary::startStep(Memory &memory, Step &step) {
  try {
    memory.threads[step.device - 1]->start([&] { runStep(memory, step); });
  } catch (const std::exception &error) {
    // Others may run already, which runStage() waits for.
    step.failure = Failure{error.what(), "", 0, 0, -1};
  }
}

void RunLibrary::runStage(Memory &memory, size_t first, size_t last) {
  for (size_t number = first; number < last; ++number)
    if (steps[number].device != 0)
      startStep(memory, steps[number]);
  if (steps[first].device == 0)
    runStep(memory, steps[first]);
  for (size_t number = first; number < last; ++number)
    if (unsigned device = steps[number].device)
      memory.threads[device - 1]->wait();
}

/// An array as an input.
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
      if (step.part.usesPacked())
        if (std::optional<Failure> failure = pack(memory))
          return failure;
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
    for (size_t number = first; number < last; ++number) {
      Step &step = steps[number];
      if (step.failure)
        return step.failure;
      for (size_t i = 0; i < step.places.size(); ++i)
        if (step.places[i] >= 0)
          outputs[static_cast<size_t>(step.places[i])] = step.outputs[i];
    }
  }
  return {};
}

std::optional<Failure>
RunLibrary::runAll(Memory &memory, const std::vector<tg_tensor_t> &inputs,
                   std::vector<Array> &outputs) {
  if (!isPlain())
    return runSteps(memory, inputs, outputs);
  // The inputs as they are.
  Step &step = steps.front();
  Device &device = memory.devices.front();
  ++device.runs;
  if (step.part.usesPacked())
    if (std::optional<Failure> failure = pack(memory))
      return failure;
  return step.part.run(memory, device, packed, inputs, outputs);
}

std::optional<Failure> RunLibrary::run(Memory &memory,
                                       const std::vector<tg_tensor_t> &inputs,
                                       std::vector<Array> &outputs) {
  constexpr const char *kTooLittle =
      "expected memory for the variables of the run and for what it keeps of "
      "them, found too little";
  std::optional<Failure> failure;
  try {
    prepare(memory);
    if (library.mayFailLate)
      saveVariables(memory);
  } catch (const std::bad_alloc &) {
    return Failure{kTooLittle, "", 0, 0, -1};
  }
  try {
    failure = runAll(memory, inputs, outputs);
  } catch (const std::bad_alloc &) {
    failure = Failure{kTooLittle, "", 0, 0, -1};
  }
  for (Step &step : steps)
    step.outputs.clear();
  if (!failure)
    return {};
  if (library.mayFailLate)
    restoreVariables(memory);
  outputs.clear();
  // An input of a part has another number in the run.
  if (!isPlain())
    failure->argument = -1;
  return failure;
}
