//===- Registry.cpp - layers by name, and their calls ---------------------===//
#include "compiler/frontend/symbolic/Call.h"
#include "tg/symbolic/Layers.h"

#include <algorithm>
#include <deque>
#include <mutex>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

//===----------------------------------------------------------------------===//
// Variables of a call
//===----------------------------------------------------------------------===//

void VariableHolder::add(const std::string &name, const Variable &variable) {
  members.emplace_back(name, variable);
  for (const auto &[field, place] : fields())
    if (name == field)
      *place = variable;
}

std::vector<std::pair<const char *, Variable *>> VariableHolder::fields() {
  return {{"W", &W},
          {"b", &b},
          {"beta", &beta},
          {"gamma", &gamma},
          {"alpha", &alpha},
          {"mean/EMA", &mean},
          {"variance/EMA", &variance}};
}

std::string VariableHolder::names() const {
  std::string names;
  for (const auto &[name, variable] : members)
    names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

void VariableHolder::setLayer(const std::string &name) {
  layer = name;
  for (const auto &[field, place] : fields())
    if (!place->isDefined())
      *place = Variable(Tensor::missing("expected layer '" + layer +
                                        "' to have a variable '" + field +
                                        "', found " + names()),
                        "", false);
}

const Variable &VariableHolder::at(const std::string &name,
                                   std::source_location where) const {
  for (const auto &[known, variable] : members)
    if (known == name)
      return variable;
  throw GraphError("expected layer '" + layer + "' to have a variable '" +
                       name + "', found " + names(),
                   where);
}

std::vector<Variable> VariableHolder::all() const {
  std::vector<Variable> variables;
  for (const auto &[name, variable] : members)
    variables.push_back(variable);
  return variables;
}

//===----------------------------------------------------------------------===//
// Custom layers
//===----------------------------------------------------------------------===//

namespace {
/// The registered layers and the source locations of their registration.
struct Registry {
  std::mutex mutex;
  std::deque<std::pair<Definition, Place>> layers;

  static Registry &get() {
    static Registry registry;
    return registry;
  }
};
} // namespace

void symbolic::registerLayer(const std::string &name,
                             const LayerRegistration &registration,
                             LayerFunction function,
                             std::source_location where) {
  if (name.empty() || !function)
    throw GraphError(
        std::string("expected a name and a function of a layer, found no ") +
            (name.empty() ? "name" : "function"),
        where);
  Registry &registry = Registry::get();
  std::lock_guard lock(registry.mutex);
  registry.layers.emplace_back(Definition{.name = name,
                                          .registration = registration,
                                          .function = std::move(function),
                                          .takesOldNames = false},
                               where);
}

/// Returns the layer with a name. Throws GraphError if there is none or more
/// than one.
static const Definition &find(const std::string &name, Place where) {
  const Definition *found = findLibraryLayer(name);
  Registry &registry = Registry::get();
  std::lock_guard lock(registry.mutex);
  for (const auto &[layer, line] : registry.layers) {
    if (layer.name != name)
      continue;
    if (found)
      throw GraphError("expected one layer of the name '" + name +
                           "', found a conflict: " + describeLine(line, where) +
                           " registered it again",
                       where);
    found = &layer;
  }
  if (found)
    return *found;
  std::vector<std::string> known;
  for (const Definition &layer : libraryLayers())
    known.push_back(layer.name);
  for (const auto &[layer, line] : registry.layers)
    known.push_back(layer.name);
  throw GraphError("expected the name of a registered layer, found '" + name +
                       "'" + suggestOf(name, known),
                   where);
}

NamedLayer symbolic::layer(const std::string &name,
                           std::source_location where) {
  find(name, where);
  return NamedLayer(name);
}

//===----------------------------------------------------------------------===//
// Names of arguments
//===----------------------------------------------------------------------===//

static bool hasArgument(const Definition &layer, const std::string &name) {
  const std::vector<std::string> &names = layer.registration.arguments;
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the current name of an argument given by its old name, and any other
/// name unchanged.
static std::string currentName(const Definition &layer,
                               const std::string &name) {
  static constexpr const char *renamed[][2] = {
      {"out_channel", "filters"},
      {"kernel_shape", "kernel_size"},
      {"stride", "strides"},
      {"shape", "pool_size"},
      {"out_dim", "units"},
      {"nl", "activation"},
      {"W_init", "kernel_initializer"},
      {"b_init", "bias_initializer"},
      {"use_bias", "center"},
      {"use_scale", "scale"},
      {"gamma_init", "gamma_initializer"},
      {"decay", "momentum"},
      {"use_local_stat", "training"}};
  if (!layer.takesOldNames || hasArgument(layer, name))
    return name;
  for (const auto &[old, current] : renamed)
    if (name == old && hasArgument(layer, current))
      return current;
  return name;
}

/// Returns the arguments by their current names. Throws GraphError if one is
/// unknown or is given by both of its names.
static Arguments translate(const Definition &layer, const Arguments &given,
                           Place where) {
  Arguments translated;
  std::map<std::string, std::string> seen;
  for (const auto &[name, argument] : given.all()) {
    std::string current = currentName(layer, name);
    if (!hasArgument(layer, current))
      throw GraphError("expected an argument of layer '" + layer.name +
                           "', found '" + name + "'" +
                           suggestOf(name, layer.registration.arguments),
                       where);
    auto [other, isNew] = seen.try_emplace(current, name);
    if (!isNew)
      throw GraphError("expected one of the arguments '" + other->second +
                           "' and '" + name + "' of layer '" + layer.name +
                           "', found both",
                       where);
    translated.set(current, argument);
  }
  return translated;
}

//===----------------------------------------------------------------------===//
// Argscopes
//===----------------------------------------------------------------------===//

/// The arguments of layers, by layer name.
using ScopedArguments = std::map<std::string, Arguments>;

/// Returns the argscopes of the thread. Each includes the arguments of the
/// outer argscopes.
static std::vector<ScopedArguments> &argScopes() {
  static thread_local std::vector<ScopedArguments> scopes;
  return scopes;
}

ArgScope::ArgScope(std::initializer_list<LayerName> layers,
                   const SharedOptions &options, std::source_location where)
    : ArgScope(layers, argumentsOf(options), where) {}

ArgScope::ArgScope(std::initializer_list<LayerName> layers,
                   const Arguments &arguments, std::source_location where) {
  std::vector<ScopedArguments> &scopes = argScopes();
  ScopedArguments all = scopes.empty() ? ScopedArguments() : scopes.back();
  for (const LayerName &name : layers) {
    const Definition &layer = find(name.name, where);
    Arguments translated = translate(layer, arguments, where);
    for (const auto &[argument, value] : translated.all())
      all[layer.name].set(argument, value);
  }
  scopes.push_back(std::move(all));
}

ArgScope::~ArgScope() { argScopes().pop_back(); }

Arguments ArgScope::of(const LayerName &layer) {
  const Definition *known = findLibraryLayer(layer.name);
  const std::string &name = known ? known->name : layer.name;
  std::vector<ScopedArguments> &scopes = argScopes();
  if (scopes.empty() || !scopes.back().count(name))
    return {};
  return scopes.back().at(name);
}

/// Returns the arguments of a call: its positional and keyword arguments,
/// completed by arguments of argscopes. Throws GraphError if an argument is
/// given both by position and by keyword.
static Arguments merge(const Definition &layer, CallArguments given,
                       Place where) {
  Arguments merged = ArgScope::of(layer.name);
  Arguments keyword = translate(layer, given.keyword, where);
  for (const auto &[name, value] : keyword.all())
    merged.set(name, value);
  const std::vector<std::string> &names = layer.registration.arguments;
  if (given.positional.size() > names.size())
    throw GraphError("expected at most " + std::to_string(names.size()) +
                         " arguments of layer '" + layer.name + "', found " +
                         std::to_string(given.positional.size()),
                     where);
  for (size_t i = 0; i < given.positional.size(); ++i) {
    if (keyword.has(names[i]))
      throw GraphError("expected argument '" + names[i] + "' of layer '" +
                           layer.name +
                           "' by position or by keyword, found both",
                       where);
    merged.set(names[i], std::move(given.positional[i]));
  }
  merged.layer = layer.name;
  merged.where = where;
  return merged;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The handler of shapes, and the names for which it was called.
struct ShapeLog {
  std::function<void(const std::string &)> handler;
  std::set<std::string> told;

  static ShapeLog &of(const Bodies &body) {
    std::shared_ptr<void> &kept = body->doors["layer shapes"];
    if (!kept)
      kept = std::make_shared<ShapeLog>();
    return *static_cast<ShapeLog *>(kept.get());
  }
};

/// The scopes that are open during a named call.
class CallScope {
public:
  CallScope(const Tensor &input, const std::string &name, Place where)
      : body(input.body()), line(body, "", where),
        names(Program::of(input, where), name, where) {
    Scopes &scopes = Scopes::of(body);
    Scopes::Open around = scopes.current();
    scopes.open.push_back({joinPath(around.path, name), around.reuse});
  }
  ~CallScope() { Scopes::of(body).open.pop_back(); }
  CallScope(const CallScope &) = delete;

  /// Returns the name prefix of the values of the call.
  const std::string &name() const { return names.name(); }

private:
  Bodies body;
  Scope line;
  NameScope names;
};
} // namespace

void symbolic::onLayerShapes(
    const Program &program,
    std::function<void(const std::string &line)> handler) {
  ShapeLog::of(program.body()).handler = std::move(handler);
}

/// Returns the name without a leading tower name such as tower0/.
static std::string withoutTower(const std::string &name) {
  size_t slash = name.find('/');
  size_t digits = name.find_first_not_of("0123456789", 5);
  bool isTower = name.starts_with("tower") && slash != std::string::npos &&
                 slash > 5 && digits == slash;
  return isTower ? name.substr(slash + 1) : name;
}

static void logShapes(const std::string &scope, const Tensor &input,
                      const Tensor &output) {
  ShapeLog &log = ShapeLog::of(input.body());
  std::string name = withoutTower(scope);
  if (!log.handler || !log.told.insert(name).second)
    return;
  log.handler(name + " input: " + toString(input.shape()));
  log.handler(name + " output: " + toString(output.shape()));
}

/// Runs a layer. Errors name the layer.
static LayerOutput run(const Definition &layer, const std::string &scope,
                       const Tensor &input, const Arguments &arguments) {
  try {
    LayerOutput output = layer.function(input, arguments);
    expectDefined(output, arguments.where);
    return output;
  } catch (const GraphError &error) {
    if (error.message.starts_with('\''))
      throw;
    throw GraphError("'" + scope + "': " + error.message, error.file,
                     error.line, error.column, error.others);
  }
}

static LayerOutput call(const Definition &layer, const std::string &name,
                        const Operand &input, CallArguments given) {
  const Tensor &tensor = input.tensor();
  const Bodies &body = tensor.body();
  Place where = body->effectivePlace(input.where());
  UseScope use = layer.registration.useScope;
  if (name.empty() ? use == UseScope::always : use == UseScope::never)
    throw GraphError(std::string("expected ") +
                         (name.empty() ? "a name" : "no name") + " of layer '" +
                         layer.name + "', found '" + name + "'",
                     where);
  Arguments arguments = merge(layer, std::move(given), where);
  if (name.empty()) {
    Scope scope(body, "", where);
    LayerOutput output = run(layer, layer.name, tensor, arguments);
    output.variables.setLayer(layer.name);
    return output;
  }
  CallScope scope(tensor, name, where);
  LayerOutput output = run(layer, scope.name(), tensor, arguments);
  output.variables.setLayer(scope.name());
  if (layer.namesOutput)
    nameValue(output, scope.name() + "/output");
  if (layer.registration.logShape)
    logShapes(scope.name(), tensor, output);
  return output;
}

LayerOutput NamedLayer::operator()(const std::string &name, Operand input,
                                   const CallArguments &arguments) const {
  return call(find(layer, input.where()), name, input, arguments);
}

LayerOutput symbolic::callLayer(const char *layer, const std::string &name,
                                Operand input, std::vector<Argument> positional,
                                const Arguments &keyword) {
  return call(*findLibraryLayer(layer), name, input,
              {std::move(positional), keyword});
}

LayerOutput NormalizedReLU::operator()(Operand input) const {
  return callLayer(called, "", std::move(input), {}, {});
}

LayerOutput KeepingDropout::operator()(Operand input,
                                       const DropoutOptions &options) const {
  return callLayer(called, "", std::move(input), {}, argumentsOf(options));
}

LayerOutput KeepingDropout::operator()(Operand input, double keepProb) const {
  return callLayer(called, "", std::move(input), {keepProb}, {});
}

LayerOutput MaximumOut::operator()(Operand input, int64_t numUnit) const {
  return callLayer(called, "", std::move(input), {numUnit}, {});
}
