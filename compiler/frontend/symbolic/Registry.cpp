//===- Registry.cpp - layers by name, and their calls ---------------------===//
#include "compiler/frontend/symbolic/Call.h"
#include "tg/symbolic/Layers.h"

#include <deque>
#include <mutex>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

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

const Definition &symbolic::findLayer(const std::string &name, Place where) {
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
  findLayer(name, where);
  return NamedLayer(name);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The handler of shapes, and the names for which it was called.
struct ShapeLog {
  std::function<void(const std::string &)> handler;
  std::set<std::string> told;

  static ShapeLog &of(const BodyPtr &body) {
    return extensionOf<ShapeLog>(body, "layer shapes");
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
  BodyPtr body;
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
  const BodyPtr &body = tensor.body();
  Place where = body->effectivePlace(input.where());
  UseScope use = layer.registration.useScope;
  if (name.empty() ? use == UseScope::always : use == UseScope::never)
    throw GraphError(std::string("expected ") +
                         (name.empty() ? "a name" : "no name") + " of layer '" +
                         layer.name + "', found '" + name + "'",
                     where);
  Arguments arguments = mergeArguments(layer, std::move(given), where);
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
  return call(findLayer(layer, input.where()), name, input, arguments);
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
