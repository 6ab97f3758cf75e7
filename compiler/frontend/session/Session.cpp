//===- Session.cpp - compiles libraries for runs of a graph and runs them -===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>
#include <utility>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

static constexpr uint32_t kMaxDevices = 64;

Session::State::State(const Program &graph, const SessionOptions &chosen,
                      Place where)
    : body(graph.body()), hostFunctions(HostFunctions::of(body)),
      options(chosen) {
  if (body->isEager())
    throw GraphError("expected a graph for a session, found an eager program, "
                     "'" +
                         body->name() + "': its tensors have values",
                     where);
  if (!options.trapNan.empty() && options.trapNan != "all" &&
      options.trapNan != "nan")
    throw GraphError("expected trapNan to be 'all', 'nan' or empty, found '" +
                         options.trapNan + "'",
                     where);
  if (options.optimization < 0 || options.optimization > 3)
    throw GraphError("expected an optimization of 0 to 3, found " +
                         std::to_string(options.optimization),
                     where);
  compilation.optimization = options.optimization;
  compilation.trapNan = options.trapNan;
  chooseIsaLevels(where);
  chooseCache(where);
  compilation.softPlacement = options.softPlacement;
  listDevices(where);
  try {
    makeMemory();
  } catch (const std::runtime_error &error) {
    throw GraphError(error.what(), where);
  }
}

void Session::State::listDevices(Place where) {
  if (options.devices < 1 || options.devices > kMaxDevices)
    throw GraphError("expected 1 to " + std::to_string(kMaxDevices) +
                         " devices, found " + std::to_string(options.devices),
                     where);
  if (options.gpus > kMaxDevices)
    throw GraphError("expected at most " + std::to_string(kMaxDevices) +
                         " GPUs, found " + std::to_string(options.gpus),
                     where);
  compilation.devices.clear();
  memory.devices.clear();
  auto add = [&](const char *type, tg_device_t id, uint32_t number) {
    Device &device = memory.devices.emplace_back();
    device.name = std::string(type) + ":" + std::to_string(number);
    device.id = id;
    compilation.devices.push_back(device.name);
    if (memory.devices.size() > 1)
      memory.threads.push_back(std::make_unique<DeviceThread>());
  };
  for (uint32_t i = 0; i < options.gpus; ++i)
    add("gpu", {TG_DEVICE_CUDA, static_cast<int32_t>(i)}, i);
  for (uint32_t i = 0; i < options.devices; ++i)
    add("cpu", {TG_DEVICE_CPU, 0}, i);
}

uint32_t tg::gpuCount() {
  uint32_t count = 0;
  tg_device_count(TG_DEVICE_CUDA, &count, nullptr);
  return count;
}

void Session::State::makeMemory() {
  const tg_hooks_t *hooks = nullptr;
  // The session itself tracks which variables have values.
  memory.variables =
      make<tg_variables_t>(tg_variables_create_on, memory.devices.front().id,
                           uint32_t(TG_VARIABLES_START_AT_ZERO), hooks);
  for (Device &device : memory.devices) {
    device.workspace =
        make<tg_workspace_t>(tg_workspace_create_on, device.id, hooks);
    if (options.threads != 1 && device.id.device_type == TG_DEVICE_CPU)
      device.pool = make<tg_pool_t>(tg_pool_create, options.threads);
  }
}

void Session::State::chooseIsaLevels(Place where) {
  std::vector<int> &levels = compilation.levels;
  levels = options.levels.empty() ? std::vector{Body::nativeIsaLevel()}
                                  : options.levels;
  std::string mistake = Body::checkIsaLevels(levels);
  if (!mistake.empty())
    throw GraphError(mistake, where);
  std::sort(levels.begin(), levels.end());
  if (levels.front() > Body::nativeIsaLevel())
    throw GraphError(
        "expected an x86-64 level that this machine runs, at most " +
            std::to_string(Body::nativeIsaLevel()) + ", found " +
            std::to_string(levels.front()),
        where);
}

void Session::State::chooseCache(Place where) {
  std::string directory = options.kernelCache.value_or(Body::defaultCache());
  std::string remark;
  // A requested directory that cannot be used is an error of the first run.
  if (Body::canCache(directory, remark) ||
      (options.kernelCache && remark.empty()))
    compilation.kernelCache = directory;
  if (!remark.empty())
    body->warn(remark, where);
  reportWarnings(*body, where);
}

Session::Session(const SessionOptions &options, std::source_location where)
    : Session(defaultGraph(), options, where) {}
Session::Session(const Program &graph, const SessionOptions &options,
                 std::source_location where)
    : state(std::make_shared<State>(graph, options, where)) {}
Session::~Session() = default;
Session::Session(Session &&) = default;
Session &Session::operator=(Session &&) = default;

void Session::registerHost(const std::string &name, ArrayFunction function,
                           std::source_location where) {
  state->expectIdle("registerHost()", where);
  state->memory.host.add(
      name, required(std::move(function), "a function of the host", where));
}

void Session::onPrint(ArrayPrinter handler, std::source_location where) {
  state->expectIdle("onPrint()", where);
  state->memory.host.setPrint(std::move(handler));
}

SampleState Session::draws() const {
  return {state->options.seed, state->sampleCounter};
}

void Session::setSamples(const SampleState &samples,
                         std::source_location where) {
  state->expectIdle("setSamples()", where);
  state->options.seed = samples.seed;
  state->sampleCounter = samples.runs;
}

std::vector<DeviceInfo> Session::devices() const {
  std::vector<DeviceInfo> infos;
  for (const Device &device : state->memory.devices) {
    const tg_parallel_t *parallel = tg_pool_parallel(device.pool.get());
    infos.push_back({device.name, parallel ? parallel->worker_count : 1,
                     tg_workspace_bytes(device.workspace.get()), device.runs});
  }
  return infos;
}

const std::string &Session::kernelCache() const {
  return state->compilation.kernelCache;
}

size_t Session::compiledCount() const { return state->libraries.size(); }

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Session::State::expectIdle(const char *what, Place where) const {
  if (running)
    throw GraphError("expected " + std::string(what) +
                         " before or after a run of the session, found it "
                         "within one, in a print or a host function: there, "
                         "values may be read and other sessions used",
                     where);
}

void RunRequest::clear() {
  for (std::vector<Id> *ids : {&outputs, &effects, &inputs, &doneEffects})
    ids->clear();
  outputIndices.clear();
  tensors.clear();
  made.clear();
  elements.clear();
  sampleCounter.reset();
}

static void makeKey(const RunRequest &request, Key &key) {
  key.clear();
  key.push_back(static_cast<uint32_t>(request.outputs.size()));
  key.push_back(static_cast<uint32_t>(request.effects.size()));
  key.push_back(static_cast<uint32_t>(request.inputs.size()));
  for (const std::vector<Id> *ids : {&request.outputs, &request.effects,
                                     &request.inputs, &request.doneEffects})
    key.insert(key.end(), ids->begin(), ids->end());
}

FunctionSpec session::specOf(const RunRequest &request, const BodyPtr &body) {
  FunctionSpec spec;
  spec.name = "tg.run"; // no variable has this name
  spec.isFetch = spec.namesOps = true;
  spec.inputs = request.inputs;
  spec.effects = request.effects;
  spec.doneEffects = request.doneEffects;
  for (Id id : request.outputs)
    spec.outputs.emplace_back("fetch." + std::to_string(spec.outputs.size()),
                              id);
  for (const auto &[id, source] : Iterators::of(body).sources)
    spec.sources.push_back(id);
  return spec;
}

RunLibrary &Session::State::libraryFor(const RunRequest &request, Place where) {
  makeKey(request, key);
  std::unique_ptr<RunLibrary> &found = libraries[key];
  if (found)
    return *found;
  try {
    found = std::make_unique<RunLibrary>(
        take(body->compileFetch(specOf(request, body), compilation, where),
             where),
        memory);
    reportWarnings(*body, where);
    for (Id id : request.inputs)
      found->fedTypes.push_back(body->type(id));
  } catch (const GraphError &) {
    libraries.erase(key);
    throw;
  } catch (const std::exception &error) {
    libraries.erase(key);
    throw GraphError(error.what(), where);
  }
  return *found;
}

std::optional<Failure>
Session::State::runLibrary(RunLibrary &library,
                           const std::vector<tg_tensor_t> &inputs,
                           std::vector<Array> &outputs) {
  struct Running {
    const RunLibrary *&running;
    ~Running() { running = nullptr; }
  } guard{running};
  running = &library;
  return library.run(memory, inputs, outputs);
}

std::vector<Array> Session::State::run(RunRequest &request,
                                       const std::vector<Feed> &feeds,
                                       Place where) {
  RunLibrary &library = libraryFor(request, where);
  memory.host.addFunctionsOf(hostFunctions);
  std::vector<tg_tensor_t> &inputs = request.tensors;
  request.made.reserve(feeds.size() + library.facts().sources.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    const TensorType &type = library.fedTypes[i];
    inputs.push_back(
        tensorOf(body, feeds[i], request.inputs[i], type, request.made));
    inputs.back().dtype = storedType(type.dtype);
  }
  if (!library.isChecked)
    expectValues(library, where);
  if (!library.facts().sources.empty())
    addElements(library, request, where);
  int64_t hidden[] = {options.seed,
                      request.sampleCounter.value_or(sampleCounter)};
  for (int i : {0, 1})
    if (i == 0 ? library.facts().takesSeed : library.facts().takesSample) {
      tg_tensor_t number = {};
      number.data = &hidden[i];
      number.device.device_type = TG_DEVICE_CPU;
      number.dtype = {TG_DTYPE_INT, 64, 1};
      inputs.push_back(number);
    }
  std::vector<Array> outputs;
  memory.host.forgetPrint();
  if (std::optional<Failure> failure = runLibrary(library, inputs, outputs)) {
    bool isFeed = failure->line == 0 && failure->argument >= 0 &&
                  failure->argument < static_cast<int>(feeds.size());
    if (failure->line == 0)
      throw GraphError(failure->message,
                       isFeed ? feeds[failure->argument].where : where);
    throw GraphError(failure->message, failure->file, failure->line,
                     failure->column);
  }
  if (library.facts().takesSample && !request.sampleCounter)
    request.sampleCounter = sampleCounter++;
  for (size_t variable : library.facts().writes)
    recordAssignment(variable);
  memory.host.rethrowPrint(where);
  return outputs;
}

/// Returns the outputs at these indices, and undefined arrays for negative
/// indices.
static std::vector<Array> valuesOf(std::vector<Array> outputs,
                                   const std::vector<int> &outputIndices) {
  bool isSame = outputs.size() == outputIndices.size();
  for (size_t i = 0; isSame && i < outputIndices.size(); ++i)
    isSame = outputIndices[i] == static_cast<int>(i);
  if (isSame)
    return outputs;
  std::vector<Array> values;
  values.reserve(outputIndices.size());
  for (int index : outputIndices)
    values.push_back(index < 0 ? Array() : outputs[static_cast<size_t>(index)]);
  return values;
}

std::vector<Array> Session::run(const std::vector<Fetch> &fetches,
                                const std::vector<Feed> &feeds,
                                std::source_location where) {
  state->expectIdle("run()", where);
  // A function of a data set may run the session meanwhile, so `scratch` is
  // taken.
  RunRequest request = std::exchange(state->scratch, {});
  request.clear();
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, request);
  for (const Feed &feed : feeds)
    state->addFeed(feed, request);
  std::vector<Array> outputs;
  if (!request.outputs.empty() || !request.effects.empty())
    outputs = state->run(request, feeds, where);
  request.made.clear();
  request.elements.clear();
  std::vector<Array> values =
      valuesOf(std::move(outputs), request.outputIndices);
  state->scratch = std::move(request);
  return values;
}
