/// Layers by name, and argscopes.
#ifndef TG_SYMBOLIC_REGISTRY_H
#define TG_SYMBOLIC_REGISTRY_H

#include "../graph/program.h"
#include "Arguments.h"

namespace tg::symbolic {

/// The variables that a call of a layer created or found, by their names within
/// the layer.
class VariableHolder {
public:
  /// The variables of library layers. A variable that the layer does not have
  /// is undefined: isDefined() is false, and using it throws GraphError at the
  /// line of the use, with the names of the layer and the variable.
  Variable W, b, beta, gamma, mean, variance, alpha;

  /// Returns any variable by name: variables["mean/EMA"]. Throws GraphError if
  /// there is none.
  const Variable &
  at(const std::string &name,
     std::source_location where = std::source_location::current()) const;
  /// Returns all variables in the order in which the layer requested them.
  std::vector<Variable> all() const;

  /// Internal: adds a variable.
  void add(const std::string &name, const Variable &variable);
  /// Internal: sets the name of the layer, and marks the fields without a
  /// variable.
  void setLayer(const std::string &name);

private:
  /// Returns the fields above with the names of their variables.
  std::vector<std::pair<const char *, Variable *>> fields();
  std::string names() const;

  std::string layer;
  std::vector<std::pair<std::string, Variable>> members;
};

/// The result of a layer: a tensor and the variables of the layer. Conversion
/// to Tensor drops the variables. Variables of an activation are not included.
class LayerOutput : public Tensor {
public:
  LayerOutput() = default;
  LayerOutput(Tensor tensor, VariableHolder named = {})
      : Tensor(std::move(tensor)), variables(std::move(named)) {}

  VariableHolder variables;
};

/// The rule that says if calls of a layer take a name. The name is a component
/// of the names of the layer's variables.
enum class UseScope { always, optional, never };

/// The function of a custom layer, which computes the output from the input and
/// from variables of getVariable().
using LayerFunction =
    std::function<LayerOutput(Tensor input, const Arguments &arguments)>;

struct LayerRegistration {
  UseScope useScope = UseScope::always;
  /// Passes the shapes to the handler of onLayerShapes(), once per name.
  bool logShape = false;
  /// The names of the arguments, in the order of positional arguments.
  std::vector<std::string> arguments = {};
};

/// The positional and keyword arguments of a call by name.
struct CallArguments {
  std::vector<Argument> positional = {};
  Arguments keyword = {};
};

/// A layer that was looked up by name.
class NamedLayer {
public:
  /// Calls the layer. Arguments of the call, by position or by keyword, take
  /// precedence over the innermost argscope, and inner argscopes over outer
  /// ones. Throws GraphError if an argument is given both by position and by
  /// keyword. For a layer that never takes a name, the name is "".
  LayerOutput operator()(const std::string &name, Operand input,
                         const CallArguments &arguments = {}) const;

  const std::string &name() const { return layer; }

private:
  friend NamedLayer layer(const std::string &, std::source_location);
  explicit NamedLayer(std::string called) : layer(std::move(called)) {}

  std::string layer;
};

/// Registers a layer under a name for the whole process. Looking up a name that
/// is registered twice is an error. Thread-safe.
void registerLayer(
    const std::string &name, const LayerRegistration &registration,
    LayerFunction function,
    std::source_location where = std::source_location::current());
/// Looks up a layer by name: one of Layers.h, Deconv2D (an alias of
/// Conv2DTranspose), or a registered custom layer. Throws GraphError if there
/// is none or more than one.
NamedLayer layer(const std::string &name,
                 std::source_location where = std::source_location::current());

/// Sets a handler that receives the input and output shapes of layers, once per
/// name, without the names of towers. Default: none.
void onLayerShapes(const Program &program,
                   std::function<void(const std::string &line)> handler);

//===-- Argscopes ---------------------------------------------------------===//

/// The name of a layer for argscopes: an object of Layers.h, or a string.
class LayerName {
public:
  LayerName(const char *layer) : name(layer) {}
  LayerName(std::string layer) : name(std::move(layer)) {}
  template <typename Layer>
    requires requires(const Layer &layer) { layer.layerName(); }
  LayerName(const Layer &layer) : name(layer.layerName()) {}

  std::string name;
};

/// The options that several layers have in common, for argscopes of several
/// layers. It is an error to give an option that one of the layers does not
/// have. The options in Layers.h document the fields.
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
/// Returns the arguments for the options that are given.
Arguments argumentsOf(const SharedOptions &options);

/// A scope that sets arguments for calls of the given layers during its
/// lifetime. Arguments of the calls and of inner argscopes take precedence. An
/// argscope applies to the current thread, and argscopes must be destroyed in
/// reverse order. Throws GraphError for an unknown layer or argument.
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

  /// Returns a copy of the arguments that currently apply to calls of the
  /// layer.
  static Arguments of(const LayerName &layer);
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_REGISTRY_H
