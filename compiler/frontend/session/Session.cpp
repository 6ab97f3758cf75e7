//===- Session.cpp - fetches, feeds and what was compiled for them --------===//
#include "tg/session.h"
#include "compiler/frontend/dsl/Build.h"
#include "compiler/frontend/session/RunLibrary.h"

#include <cstdlib>
#include <unordered_map>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

namespace {
/// What a library was compiled for: counts and numbers of outputs, effects and
/// feeds.
using Key = std::vector<uint32_t>;
struct KeyHash {
  size_t operator()(const Key &key) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char *>(key.data()),
         key.size() * sizeof(uint32_t)});
  }
};

/// A run on its way: its function, and where its values come from.
struct Wanted {
  FunctionSpec spec;
  /// The output of each fetch, -1 for none.
  std::vector<int> places;
};
} // namespace

struct Session::State {
  State(const Program &graph, const SessionOptions &options, Place where);
  ~State();

  Error errorAt(std::string message, Place where) const;
  void addFetch(const Fetch &fetch, Wanted &wanted);
  void addValue(const Tensor &tensor, Place where, Wanted &wanted);
  void addFeed(const Feed &feed, Wanted &wanted);
  RunLibrary &libraryFor(const Wanted &wanted, Place where);
  void expectValues(RunLibrary &library, Place where);
  std::vector<Array> run(const Wanted &wanted, const std::vector<Feed> &feeds,
                         Place where);

  Bodies body;
  SessionOptions options;
  FetchOptions compilation;
  Memory memory;
  tg_pool_t *pool = nullptr;
  std::unordered_map<Key, std::unique_ptr<RunLibrary>, KeyHash> libraries;
  Key key;
  /// By the number of the variable.
  std::vector<bool> initialized;
  int64_t draws = 0;
};

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

/// The x86-64 level of this machine.
static int hostLevel() {
  return __builtin_cpu_supports("x86-64-v4")   ? 4
         : __builtin_cpu_supports("x86-64-v3") ? 3
                                               : 2;
}

/// Where machine code is kept by default, "" where there is no place for it.
static std::string defaultCache() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/tg";
  if (const char *home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/tg";
  return "";
}

Session::State::State(const Program &graph, const SessionOptions &chosen,
                      Place where)
    : body(graph.body()), options(chosen) {
  if (body->isEager())
    throw GraphError("expected a graph for a session, found an eager program, "
                     "'" +
                         body->name() + "': its tensors have values",
                     where);
  compilation.optimization = options.optimization;
  compilation.level = hostLevel();
  if (options.cache)
    compilation.kernelCache = *options.cache;
  else if (std::string cache = defaultCache(); Body::canCache(cache))
    compilation.kernelCache = cache;
  if (options.threads == 1)
    return;
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (tg_pool_create(options.threads, &pool, &error) != TG_OK)
    throw GraphError(error.message, where);
  memory.parallel = tg_pool_parallel(pool);
}

Session::State::~State() {
  if (pool)
    tg_pool_destroy(pool, nullptr);
}

Session::Session(const SessionOptions &options, std::source_location where)
    : Session(defaultGraph(), options, where) {}
Session::Session(const Program &graph, const SessionOptions &options,
                 std::source_location where)
    : state(std::make_unique<State>(graph, options, where)) {}
Session::~Session() = default;
Session::Session(Session &&) = default;
Session &Session::operator=(Session &&) = default;

void Session::registerHost(const std::string &name, ArrayFunction function) {
  state->memory.host.add(name, std::move(function));
}

void Session::onPrint(ArrayPrinter handler) {
  state->memory.host.setPrint(std::move(handler));
}

size_t Session::compiledCount() const { return state->libraries.size(); }

bool Session::isInitialized(const Variable &variable) const {
  for (size_t i = 0; i < state->initialized.size(); ++i)
    if (variable.body() == state->body &&
        state->body->variables()[i].spec.name == variable.name())
      return state->initialized[i];
  return false;
}

//===----------------------------------------------------------------------===//
// Fetches and feeds
//===----------------------------------------------------------------------===//

/// Throws unless a tensor is of the session's graph.
static void expectGraph(const Bodies &body, const Bodies &found,
                        const char *what, Place where) {
  if (!found)
    throw GraphError(std::string("expected a tensor with a value as ") + what +
                         ", found one that is only declared",
                     where);
  if (found != body)
    throw GraphError(std::string("expected a ") + what + " of graph '" +
                         body->name() +
                         "', which the session runs, found one "
                         "of another graph, '" +
                         found->name() + "'",
                     where);
}

/// What has a name; throws where there is nothing.
static Body::Named findNamed(const Bodies &body, const std::string &name,
                             const char *what, Place where) {
  Body::Named named = body->find(name);
  if (!named.value && !named.effect)
    throw GraphError(std::string("expected the name of a ") + what +
                         " in graph '" + body->name() +
                         "', as MatMul:0, found "
                         "'" +
                         name + "'",
                     where);
  return named;
}

/// A value for a fetch: once, however often it is fetched.
static int outputOf(Id id, Wanted &wanted) {
  auto &outputs = wanted.spec.outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].second == id)
      return static_cast<int>(i);
  outputs.emplace_back("fetch." + std::to_string(outputs.size()), id);
  return static_cast<int>(outputs.size()) - 1;
}

void Session::State::addFetch(const Fetch &fetch, Wanted &wanted) {
  int place = -1;
  if (auto *tensor = std::get_if<Tensor>(&fetch.what)) {
    expectGraph(body, tensor->body(), "fetch", fetch.where);
    place = outputOf(tensor->id(), wanted);
  } else if (auto *updates = std::get_if<Updates>(&fetch.what)) {
    if (!updates->effects().empty())
      expectGraph(body, updates->body(), "fetch", fetch.where);
    wanted.spec.effects.insert(wanted.spec.effects.end(),
                               updates->effects().begin(),
                               updates->effects().end());
  } else {
    Body::Named named = findNamed(body, std::get<std::string>(fetch.what),
                                  "tensor or op", fetch.where);
    if (named.value)
      place = outputOf(*named.value, wanted);
    else
      wanted.spec.effects.push_back(*named.effect);
  }
  wanted.places.push_back(place);
}

void Session::State::addFeed(const Feed &feed, Wanted &wanted) {
  Id id;
  if (auto *tensor = std::get_if<Tensor>(&feed.target)) {
    expectGraph(body, tensor->body(), "feed", feed.where);
    id = tensor->id();
  } else {
    const std::string &name = std::get<std::string>(feed.target);
    Body::Named named = findNamed(body, name, "tensor", feed.where);
    if (!named.value)
      throw GraphError("expected the name of a tensor, found '" + name +
                           "', an op without a value",
                       feed.where);
    id = *named.value;
  }
  for (Id other : wanted.spec.inputs)
    if (other == id)
      throw GraphError("expected '" + body->nameOf(id) + "' to be fed once",
                       feed.where);
  wanted.spec.inputs.push_back(id);
}

/// Throws where a value does not fit the tensor that it is fed to.
static void expectFit(const Bodies &body, Id id, DType dtype,
                      const std::vector<int64_t> &shape, Place where) {
  TensorType type = body->type(id);
  if (dtype != type.dtype)
    throw GraphError("expected elements of type " + toString(type.dtype) +
                         " for '" + body->nameOf(id) + "', found " +
                         toString(dtype),
                     where);
  bool fits = shape.size() == type.shape.size();
  for (size_t axis = 0; fits && axis < shape.size(); ++axis)
    fits = !type.shape[axis].isKnown() || type.shape[axis].value == shape[axis];
  if (!fits)
    throw GraphError("expected a value of shape " + toString(type.shape) +
                         " for '" + body->nameOf(id) + "', found " +
                         toString(Shape(shape.begin(), shape.end())),
                     where);
}

/// The value of a feed as a tensor of abi.h; a literal's array is kept in
/// `made`.
static tg_tensor_t tensorOf(const Bodies &body, const Feed &feed, Id id,
                            DType dtype, std::vector<Array> &made) {
  tg_tensor_t tensor = {};
  const std::vector<int64_t> *shape = nullptr;
  if (auto *view = std::get_if<FeedValue::View>(&feed.value.value)) {
    tensor.data = const_cast<void *>(view->data);
    shape = &view->shape;
    expectFit(body, id, view->dtype, *shape, feed.where);
    size_t count = 1;
    for (int64_t extent : *shape)
      count *= static_cast<size_t>(extent);
    if (count != view->size)
      throw GraphError("expected " + std::to_string(count) +
                           " elements for the shape that is given, found " +
                           std::to_string(view->size),
                       feed.where);
  } else {
    const Array *array = std::get_if<Array>(&feed.value.value);
    if (!array)
      array = &made.emplace_back(std::get<Literal>(feed.value.value), dtype,
                                 feed.where);
    if (!array->isDefined())
      throw GraphError("expected a value to feed, found none", feed.where);
    tensor.data = const_cast<void *>(array->data());
    shape = &array->shape();
    expectFit(body, id, array->dtype(), *shape, feed.where);
  }
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(shape->size());
  tensor.shape = const_cast<int64_t *>(shape->data());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static void makeKey(const FunctionSpec &spec, Key &key) {
  key.clear();
  key.push_back(static_cast<uint32_t>(spec.outputs.size()));
  key.push_back(static_cast<uint32_t>(spec.effects.size()));
  for (const auto &[name, id] : spec.outputs)
    key.push_back(id);
  key.insert(key.end(), spec.effects.begin(), spec.effects.end());
  key.insert(key.end(), spec.inputs.begin(), spec.inputs.end());
}

RunLibrary &Session::State::libraryFor(const Wanted &wanted, Place where) {
  makeKey(wanted.spec, key);
  std::unique_ptr<RunLibrary> &found = libraries[key];
  if (found)
    return *found;
  try {
    found = std::make_unique<RunLibrary>(
        take(body->compileFetch(wanted.spec, compilation, where)));
  } catch (const GraphError &) {
    libraries.erase(key);
    throw;
  } catch (const std::exception &error) {
    libraries.erase(key);
    throw GraphError(error.what(), where);
  }
  return *found;
}

/// Throws where a variable is read that has no value.
void Session::State::expectValues(RunLibrary &library, Place where) {
  initialized.resize(body->variables().size());
  for (size_t number : library.facts().reads) {
    const VariableInfo &variable = body->variables()[number];
    if (!initialized[number])
      throw GraphError("expected variable '" + variable.spec.name + "', made " +
                           "in " + describeLine(variable.where, where) +
                           ", to have a value in this session, found none: run "
                           "globalVariablesInitializer() or its initializer "
                           "first",
                       where);
  }
  library.isChecked = true;
}

std::vector<Array> Session::State::run(const Wanted &wanted,
                                       const std::vector<Feed> &feeds,
                                       Place where) {
  RunLibrary &library = libraryFor(wanted, where);
  std::vector<Array> made;
  made.reserve(feeds.size());
  std::vector<tg_tensor_t> inputs;
  for (size_t i = 0; i < feeds.size(); ++i) {
    Id id = wanted.spec.inputs[i];
    DType dtype = library.inputType(i);
    inputs.push_back(tensorOf(body, feeds[i], id, dtype, made));
    inputs.back().dtype = library.inputDType(i);
  }
  if (!library.isChecked)
    expectValues(library, where);
  int64_t hidden[] = {options.seed, draws};
  for (int i : {0, 1})
    if (i == 0 ? library.facts().takesSeed : library.facts().takesDraw) {
      tg_tensor_t number = {};
      number.data = &hidden[i];
      number.device.device_type = TG_DEVICE_CPU;
      number.dtype = {TG_DTYPE_INT, 64, 1};
      inputs.push_back(number);
    }
  std::vector<Array> outputs;
  if (std::optional<Failure> failure = library.run(memory, inputs, outputs)) {
    bool isFeed = failure->line == 0 && failure->argument >= 0 &&
                  failure->argument < static_cast<int>(feeds.size());
    if (failure->line == 0)
      throw GraphError(failure->message,
                       isFeed ? feeds[failure->argument].where : where);
    throw GraphError(failure->message, failure->file, failure->line,
                     failure->column);
  }
  draws += library.facts().takesDraw;
  if (!library.isWritten)
    for (size_t number : library.facts().writes)
      initialized[number] = true;
  library.isWritten = true;
  return outputs;
}

std::vector<Array> Session::run(const std::vector<Fetch> &fetches,
                                const std::vector<Feed> &feeds,
                                std::source_location where) {
  Wanted wanted;
  wanted.spec.name = "run";
  wanted.spec.isFetch = wanted.spec.namesOps = true;
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, wanted);
  for (const Feed &feed : feeds)
    state->addFeed(feed, wanted);
  std::vector<Array> outputs;
  if (!wanted.spec.outputs.empty() || !wanted.spec.effects.empty())
    outputs = state->run(wanted, feeds, where);
  std::vector<Array> values;
  for (int place : wanted.places)
    values.push_back(place < 0 ? Array() : outputs[place]);
  return values;
}
