/// The layers by name, and scopes of their arguments.
#ifndef TG_SYMBOLIC_REGISTRY_H
#define TG_SYMBOLIC_REGISTRY_H

#include "../graph/program.h"
#include "Arguments.h"

namespace tg::symbolic {

/// The variables that a call of a layer made or found, by their names in it.
class VariableHolder {
public:
  /// The variables that layers of this library have. A variable that a layer
  /// lacks has no value: isDefined() is false, and its use throws GraphError at
  /// the line of the use, which names the layer and the variable.
  Variable W, b, beta, gamma, mean, variance, alpha;

  /// Any of them: variables["mean/EMA"]. Throws GraphError where there is none.
  const Variable &
  at(const std::string &name,
     std::source_location where = std::source_location::current()) const;
  /// In the order in which they were asked for.
  std::vector<Variable> all() const;

  /// Internal.
  void add(const std::string &name, const Variable &variable);
  /// Internal: says whose variables these are, and which are missing.
  void setLayer(const std::string &name);

private:
  /// The fields above with the names of their variables.
  std::vector<std::pair<const char *, Variable *>> fields();
  std::string names() const;

  std::string layer;
  std::vector<std::pair<std::string, Variable>> members;
};

/// The result of a layer: a tensor and its variables. A plain Tensor made of it
/// does not have the variables. Variables of an activation are not among them.
class LayerOutput : public Tensor {
public:
  LayerOutput() = default;
  LayerOutput(Tensor tensor, VariableHolder named = {})
      : Tensor(std::move(tensor)), variables(std::move(named)) {}

  VariableHolder variables;
};

/// Says if calls of a layer take a name, which is a component of the names of
/// its variables.
enum class UseScope { always, optional, never };

/// A layer of one's own: what it computes of its input, of variables that
/// getVariable() makes.
using LayerFunction =
    std::function<LayerOutput(Tensor input, const Arguments &arguments)>;

struct LayerRegistration {
  UseScope useScope = UseScope::always;
  /// Tells onLayerShapes() the shapes, once for each name.
  bool logShape = false;
  /// The names of the arguments in the order of positional ones.
  std::vector<std::string> arguments = {};
};

/// The arguments of a call by name.
struct CallArguments {
  std::vector<Argument> positional = {};
  Arguments keyword = {};
};

/// A layer that was found by its name.
class NamedLayer {
public:
  /// Calls the layer. An argument of the call, by position or by keyword,
  /// counts before the innermost argscope, and that before those around it.
  /// Throws GraphError where the call gives one argument in both ways. A layer
  /// that is never named takes the name "".
  LayerOutput operator()(const std::string &name, Operand input,
                         const CallArguments &arguments = {}) const;

  const std::string &name() const { return layer; }

private:
  friend NamedLayer layer(const std::string &, std::source_location);
  explicit NamedLayer(std::string called) : layer(std::move(called)) {}

  std::string layer;
};

/// Adds a layer under a name, for the whole process. A name that is registered
/// twice is an error when it is looked up. Any thread.
void registerLayer(
    const std::string &name, const LayerRegistration &registration,
    LayerFunction function,
    std::source_location where = std::source_location::current());
/// The layer of a name: one of Layers.h, Deconv2D, which is Conv2DTranspose, or
/// one of one's own. Throws GraphError where there is none or there are two.
NamedLayer layer(const std::string &name,
                 std::source_location where = std::source_location::current());

/// Told of the shapes that layers take and give, once for each name without the
/// names of towers. Default: nobody.
void onLayerShapes(const Program &program,
                   std::function<void(const std::string &line)> handler);

//===-- Argscopes ---------------------------------------------------------===//

/// A layer as argscopes name it: one of Layers.h, or a string.
class LayerName {
public:
  LayerName(const char *layer) : name(layer) {}
  LayerName(std::string layer) : name(std::move(layer)) {}
  template <typename Layer>
    requires requires(const Layer &layer) { layer.layerName(); }
  LayerName(const Layer &layer) : name(layer.layerName()) {}

  std::string name;
};

/// The options that several layers share, for argscopes of several layers. An
/// option that one of the layers lacks is an error. The options of Layers.h
/// document them.
struct SharedOptions {
  std::optional<int64_t> filters = {}, units = {};
  Sizes kernelSize = {}, strides = {}, poolSize = {};
  std::optional<Padding> padding = {};
  std::optional<DataFormat> dataFormat = {};
  OptionalActivation activation = {};
  std::optional<bool> useBias = {}, center = {}, scale = {};
  std::optional<double> momentum = {}, epsilon = {};
  std::optional<Initializer> kernelInitializer = {};
  std::optional<Initializer> biasInitializer = {};
  std::optional<Initializer> gammaInitializer = {};
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
};
/// The arguments that are given.
Arguments argumentsOf(const SharedOptions &options);

/// Arguments that calls of these layers have while it lives, unless they or an
/// argscope within say otherwise. For the thread; scopes close in the reverse
/// order. Throws GraphError for an unknown layer or argument.
///
///   ArgScope convolutions(Conv2D, {.kernelSize = {3}, .activation = relu});
///   ArgScope images({Conv2D, MaxPooling}, {.dataFormat = NCHW});
///   ArgScope old({"Conv2D", "MyLayer"}, {{"nl", relu}});
class ArgScope {
public:
  ArgScope(std::initializer_list<LayerName> layers,
           const SharedOptions &options,
           std::source_location where = std::source_location::current());
  ArgScope(std::initializer_list<LayerName> layers, const Arguments &arguments,
           std::source_location where = std::source_location::current());
  template <typename Layer>
    requires requires { typename Layer::Options; }
  ArgScope(const Layer &layer, const typename Layer::Options &options,
           std::source_location where = std::source_location::current())
      : ArgScope({LayerName(layer)}, argumentsOf(options), where) {}
  ~ArgScope();
  ArgScope(const ArgScope &) = delete;
  ArgScope &operator=(const ArgScope &) = delete;

  /// The arguments that calls of a layer have now; a copy.
  static Arguments of(const LayerName &layer);
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_REGISTRY_H
