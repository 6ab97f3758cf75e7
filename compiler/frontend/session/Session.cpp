//===- Session.cpp - the values of a graph and what was compiled for runs -===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

static constexpr uint32_t kMostDevices = 64;

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
    throw GraphError(
        "expected all, nan or nothing as numbers to trap, found '" +
            options.trapNan + "'",
        where);
  if (options.optimization < 0 || options.optimization > 3)
    throw GraphError("expected an optimization of 0 to 3, found " +
                         std::to_string(options.optimization),
                     where);
  compilation.optimization = options.optimization;
  compilation.trapNan = options.trapNan;
  chooseLevels(where);
  chooseCache(where);
  if (options.devices < 1 || options.devices > kMostDevices)
    throw GraphError("expected 1 to " + std::to_string(kMostDevices) +
                         " devices, found " + std::to_string(options.devices),
                     where);
  compilation.softPlacement = options.softPlacement;
  compilation.devices.clear();
  memory.devices.resize(options.devices);
  for (uint32_t i = 0; i < options.devices; ++i) {
    compilation.devices.push_back("cpu:" + std::to_string(i));
    memory.devices[i].name = compilation.devices.back();
    if (i > 0)
      memory.threads.push_back(std::make_unique<DeviceThread>());
    if (options.threads != 1)
      memory.devices[i].parallel = makePool(where);
  }
}

void Session::State::chooseLevels(Place where) {
  std::vector<int> &levels = compilation.levels;
  levels = options.levels.empty() ? std::vector{Body::nativeLevel()}
                                  : options.levels;
  std::string mistake = Body::checkLevels(levels);
  if (!mistake.empty())
    throw GraphError(mistake, where);
  std::sort(levels.begin(), levels.end());
  if (levels.front() > Body::nativeLevel())
    throw GraphError(
        "expected an x86-64 level that this machine runs, at most " +
            std::to_string(Body::nativeLevel()) + ", found " +
            std::to_string(levels.front()),
        where);
}

void Session::State::chooseCache(Place where) {
  std::string directory = options.kernelCache.value_or(Body::defaultCache());
  std::string remark;
  // A wish that cannot be fulfilled is an error of the first run.
  if (Body::canCache(directory, remark) ||
      (options.kernelCache && remark.empty()))
    compilation.kernelCache = directory;
  if (!remark.empty())
    body->warn(remark, where);
  tellWarnings(*body, where);
}

const tg_parallel_t *Session::State::makePool(Place where) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_pool_t *pool = nullptr;
  if (tg_pool_create(options.threads, &pool, &error) != TG_OK)
    throw GraphError(error.message, where);
  pools.emplace_back(pool,
                     [](tg_pool_t *made) { tg_pool_destroy(made, nullptr); });
  return tg_pool_parallel(pool);
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

DrawState Session::draws() const { return {state->options.seed, state->draws}; }

void Session::setDraws(const DrawState &draws, std::source_location where) {
  state->expectIdle("setDraws()", where);
  state->options.seed = draws.seed;
  state->draws = draws.runs;
}

std::vector<DeviceInfo> Session::devices() const {
  std::vector<DeviceInfo> infos;
  for (const Device &device : state->memory.devices)
    infos.push_back({state->compilation.devices[infos.size()],
                     device.parallel ? device.parallel->worker_count : 1,
                     device.workspace.size(), device.runs});
  return infos;
}

const std::string &Session::kernelCache() const {
  return state->compilation.kernelCache;
}

size_t Session::compiledCount() const { return state->libraries.size(); }

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The number of a variable of the graph, in order of declaration.
static std::optional<size_t> numberOf(const Bodies &body,
                                      const Variable &variable) {
  std::span<const VariableInfo> all = body->variables();
  for (size_t i = 0; i < all.size(); ++i)
    if (variable.body() == body && all[i].spec.name == variable.name())
      return i;
  return std::nullopt;
}

bool Session::isInitialized(const Variable &variable) const {
  std::optional<size_t> number = numberOf(state->body, variable);
  return number && *number < state->initialized.size() &&
         state->initialized[*number];
}

size_t Session::State::expectVariable(const Variable &variable, Place where) {
  expectGraph(body, variable, "variable", where);
  return *numberOf(body, variable);
}

void Session::State::expectIdle(const char *what, Place where) const {
  if (running)
    throw GraphError("expected " + std::string(what) +
                         " before or after a run of the session, found it "
                         "within one, in a print or a function of the host: "
                         "values may be read there, and other sessions used",
                     where);
}

void Session::State::expectStill(size_t number, Place where) const {
  const std::vector<size_t> *writes =
      running ? &running->facts().writes : nullptr;
  if (writes && running->facts().parts.size() > 1 &&
      std::find(writes->begin(), writes->end(), number) != writes->end())
    throw GraphError("expected variable '" +
                         body->variables()[number].spec.name +
                         "' after the run of several devices that assigns it, "
                         "found it within the run",
                     where);
}

void Session::State::updatePlaces() {
  if (places.size() == body->variables().size())
    return;
  places = take(body->slabPlaces());
  initialized.resize(places.size());
  assignments.resize(places.size());
}

SlabPlace Session::State::placeOf(size_t number) {
  // Nothing moves within a run: what has a value then has its place.
  if (!running) {
    updatePlaces();
    memory.growSlab(places.back().offset + places.back().bytes);
  }
  return places[number];
}

Array Session::value(const Variable &variable,
                     std::source_location where) const {
  size_t number = state->expectVariable(variable, where);
  if (!isInitialized(variable))
    throw state->hasNoValue(number, where);
  state->expectStill(number, where);
  std::vector<int64_t> shape;
  for (const Extent &extent : variable.shape())
    shape.push_back(extent.value);
  Array value(variable.dtype(), std::move(shape));
  if (value.byteCount())
    std::memcpy(value.data(),
                state->memory.slab.data() + state->placeOf(number).offset,
                value.byteCount());
  return value;
}

void Session::setValue(const Variable &variable, const FeedValue &value,
                       std::source_location where) {
  state->expectIdle("setValue()", where);
  size_t number = state->expectVariable(variable, where);
  std::vector<Array> made;
  made.reserve(1);
  tg_tensor_t tensor = tensorOf(state->body, Feed(variable, value, where),
                                variable.id(), variable.type(), made);
  SlabPlace place = state->placeOf(number);
  if (place.bytes)
    std::memcpy(state->memory.slab.data() + place.offset, tensor.data,
                place.bytes);
  state->memory.slabChanged();
  state->initialized[number] = true;
  ++state->assignments[number];
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Wanted::clear() {
  for (std::vector<Id> *ids : {&outputs, &effects, &inputs, &doneEffects})
    ids->clear();
  places.clear();
  tensors.clear();
  made.clear();
  elements.clear();
  draw.reset();
}

static void makeKey(const Wanted &wanted, Key &key) {
  key.clear();
  key.push_back(static_cast<uint32_t>(wanted.outputs.size()));
  key.push_back(static_cast<uint32_t>(wanted.effects.size()));
  key.push_back(static_cast<uint32_t>(wanted.inputs.size()));
  for (const std::vector<Id> *ids :
       {&wanted.outputs, &wanted.effects, &wanted.inputs, &wanted.doneEffects})
    key.insert(key.end(), ids->begin(), ids->end());
}

FunctionSpec session::specOf(const Wanted &wanted, const Bodies &body) {
  FunctionSpec spec;
  spec.name = "tg.run"; // as no variable is called
  spec.isFetch = spec.namesOps = true;
  spec.inputs = wanted.inputs;
  spec.effects = wanted.effects;
  spec.doneEffects = wanted.doneEffects;
  for (Id id : wanted.outputs)
    spec.outputs.emplace_back("fetch." + std::to_string(spec.outputs.size()),
                              id);
  for (const auto &[id, source] : Iterators::of(body).sources)
    spec.sources.push_back(id);
  return spec;
}

RunLibrary &Session::State::libraryFor(const Wanted &wanted, Place where) {
  makeKey(wanted, key);
  std::unique_ptr<RunLibrary> &found = libraries[key];
  if (found)
    return *found;
  try {
    found = std::make_unique<RunLibrary>(take(
        body->compileFetch(specOf(wanted, body), compilation, where), where));
    tellWarnings(*body, where);
    for (Id id : wanted.inputs)
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

GraphError Session::State::hasNoValue(size_t number, Place where) const {
  const VariableInfo &variable = body->variables()[number];
  return GraphError("expected variable '" + variable.spec.name + "', made in " +
                        describeLine(variable.where, where) +
                        ", to have a value in this session, found none: run "
                        "globalVariablesInitializer() or its initializer first",
                    where);
}

/// Throws where a variable is read that has no value.
void Session::State::expectValues(RunLibrary &library, Place where) {
  initialized.resize(body->variables().size());
  for (size_t number : library.facts().reads)
    if (!initialized[number])
      throw hasNoValue(number, where);
  library.isChecked = true;
}

std::optional<Failure>
Session::State::runIdle(RunLibrary &library,
                        const std::vector<tg_tensor_t> &inputs,
                        std::vector<Array> &outputs) {
  updatePlaces(); // value() may ask for them within the run
  struct Running {
    const RunLibrary *&running;
    ~Running() { running = nullptr; }
  } guard{running};
  running = &library;
  return library.run(memory, inputs, outputs);
}

std::vector<Array> Session::State::run(Wanted &wanted,
                                       const std::vector<Feed> &feeds,
                                       Place where) {
  RunLibrary &library = libraryFor(wanted, where);
  memory.host.addThoseOf(hostFunctions);
  std::vector<tg_tensor_t> &inputs = wanted.tensors;
  wanted.made.reserve(feeds.size() + library.facts().sources.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    const TensorType &type = library.fedTypes[i];
    inputs.push_back(
        tensorOf(body, feeds[i], wanted.inputs[i], type, wanted.made));
    inputs.back().dtype = session::dtypeOf(type.dtype);
  }
  if (!library.isChecked)
    expectValues(library, where);
  if (!library.facts().sources.empty())
    addElements(library, wanted, where);
  int64_t hidden[] = {options.seed, wanted.draw.value_or(draws)};
  for (int i : {0, 1})
    if (i == 0 ? library.facts().takesSeed : library.facts().takesDraw) {
      tg_tensor_t number = {};
      number.data = &hidden[i];
      number.device.device_type = TG_DEVICE_CPU;
      number.dtype = {TG_DTYPE_INT, 64, 1};
      inputs.push_back(number);
    }
  std::vector<Array> outputs;
  memory.host.forgetPrint();
  if (std::optional<Failure> failure = runIdle(library, inputs, outputs)) {
    bool isFeed = failure->line == 0 && failure->argument >= 0 &&
                  failure->argument < static_cast<int>(feeds.size());
    if (failure->line == 0)
      throw GraphError(failure->message,
                       isFeed ? feeds[failure->argument].where : where);
    throw GraphError(failure->message, failure->file, failure->line,
                     failure->column);
  }
  if (library.facts().takesDraw && !wanted.draw)
    wanted.draw = draws++;
  for (size_t number : library.facts().writes) {
    initialized[number] = true;
    ++assignments[number];
  }
  memory.host.rethrowPrint(where);
  return outputs;
}

std::vector<Array> Session::run(const std::vector<Fetch> &fetches,
                                const std::vector<Feed> &feeds,
                                std::source_location where) {
  state->expectIdle("run()", where);
  // A function of a data set may run the session, too.
  Wanted wanted = std::exchange(state->scratch, {});
  wanted.clear();
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, wanted);
  for (const Feed &feed : feeds)
    state->addFeed(feed, wanted);
  std::vector<Array> outputs;
  if (!wanted.outputs.empty() || !wanted.effects.empty())
    outputs = state->run(wanted, feeds, where);
  wanted.made.clear();
  wanted.elements.clear();
  std::vector<Array> values;
  values.reserve(wanted.places.size());
  for (int place : wanted.places)
    values.push_back(place < 0 ? Array() : outputs[static_cast<size_t>(place)]);
  state->scratch = std::move(wanted);
  return values;
}
