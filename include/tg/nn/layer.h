/// Layers, and the base classes of custom layers.
#ifndef TG_NN_LAYER_H
#define TG_NN_LAYER_H

#include "../graph/initializer.h"
#include "../graph/variable.h"
#include "../tensor/functional.h"

#include <array>
#include <concepts>
#include <functional>
#include <optional>
#include <string_view>

namespace tg {

/// The two computations of a layer: training and inference.
enum class Mode { train, test };

namespace dsl {
/// Returns a single tensor itself, and several tensors as an array, for use
/// with structured bindings.
template <size_t count> auto unpack(const std::vector<Tensor> &tensors) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    if constexpr (count == 1)
      return tensors[0];
    else
      return std::array<Tensor, count>{tensors[i]...};
  }(std::make_index_sequence<count>());
}
} // namespace dsl

/// A function of one tensor, such as relu, "relu" or a lambda.
class Activation {
public:
  /// Constructs an activation without a function, which converts to false.
  Activation() = default;
  /// Selects the overload for one tensor if the function is overloaded, as tanh
  /// is.
  Activation(Tensor (*callable)(Operand));
  template <std::invocable<Operand> Function>
  Activation(Function callable) : function(std::move(callable)) {}

  /// Looks up a function of tensor/functional.h by name and uses its defaults:
  /// "relu", "leakyRelu". "linear" and "" mean no function. Throws GraphError
  /// for any other name.
  Activation(const char *name,
             std::source_location where = std::source_location::current());
  Activation(const std::string &name,
             std::source_location where = std::source_location::current())
      : Activation(name.c_str(), where) {}

  /// Applies the function, or returns the input if there is none.
  Tensor operator()(Operand input) const {
    return function ? function(std::move(input)) : input.tensor();
  }
  explicit operator bool() const { return bool(function); }

  /// Returns true for relu and for similar functions, which are about x far
  /// above 0 and about 0 far below 0: relu, relu6, gelu, silu, mish and
  /// hardSwish, as functions or by name, and "leakyRelu" and "elu" by name.
  /// Returns false for every lambda, since its body is not inspected.
  bool isRectifier() const;

private:
  std::function<Tensor(Operand)> function;
};

/// Returns the default initializer of the weights before an activation:
/// heNormal() before a rectifier, otherwise glorotUniform().
Initializer weightInitializerFor(const Activation &activation,
                                 std::optional<Fans> fans = {});

/// The options of a layer that has no other options. Options of other layers
/// end with the same field.
struct LayerOptions {
  /// The last component of the path of the layer's variables:
  /// digits/<name>/weight. Two layers with equal names in one scope are an
  /// error. "": the class name and a number, such as Linear_1.
  std::string name = {};
};

/// The options of a single variable of a layer.
struct LayerVariableOptions {
  /// True if optimizers update the variable. Moving averages and similar
  /// statistics are not trainable.
  bool trainable = true;
  DType dtype = f32;
  /// True if the layer's regularizer and constraint apply to the variable. They
  /// apply to weights, but not to biases, scales and the like.
  bool isWeight = true;
  /// Training options of this variable. They take precedence over the options
  /// of the whole layer.
  VariableOptions variable = {};
};

class Layer;

/// A layer. It creates its variables once, at the first input, and can be
/// traced any number of times. Copies of a layer share its variables.
class BaseLayer {
public:
  virtual ~BaseLayer() = default;

  /// Applies the layer to its input or inputs, in training or test mode. Throws
  /// GraphError if an input has an unsuitable type, also if it does not match
  /// the existing variables. The template argument is the number of outputs:
  /// auto [a, b] = model.trainFprop<2>(x, y). The ops are named after the layer
  /// and the mode: Linear_1/train_fprop/MatMul.
  template <size_t outputs = 1, std::convertible_to<Tensor>... More>
  auto trainFprop(Operand input, const More &...more) {
    return dsl::unpack<outputs>(
        trace({input.tensor(), more...}, input.where(), Mode::train, outputs));
  }
  template <size_t outputs = 1, std::convertible_to<Tensor>... More>
  auto testFprop(Operand input, const More &...more) {
    return dsl::unpack<outputs>(
        trace({input.tensor(), more...}, input.where(), Mode::test, outputs));
  }

  /// Applies the layer as layer(x) or layer(x, y) in the mode of the layer that
  /// is being traced, so that inner layers of a custom layer follow its mode.
  /// Uses training mode if no layer is being traced.
  template <std::convertible_to<Tensor>... More>
  Tensor operator()(Operand input, const More &...more) {
    return trace({input.tensor(), more...}, input.where(), {}, 1).front();
  }

  /// Applies the layer to any number of inputs and returns any number of
  /// outputs.
  std::vector<Tensor>
  fprop(std::vector<Tensor> inputs, Mode mode,
        std::source_location where = std::source_location::current());

  /// Creates the variables before the first call, as build() of Keras does, for
  /// an input of this shape in the default graph (chosen by
  /// Program::asDefault()). Later inputs must match these variables, as they
  /// must in a second call. The layer is traced to find its variables, and the
  /// traced ops are discarded. In eager mode the layer is computed once
  /// instead, for zeros with extent 1 in place of dynamic extents. Variables
  /// that only training needs are created at the first call in training mode. A
  /// class that overrides build(TensorType) hides this function unless it has
  /// `using BaseLayer::build;`.
  ///
  ///   Linear dense({.units = 10});
  ///   dense.build({dim(), 128}); // dense.variables() is complete
  void build(const Shape &input, DType dtype = f32,
             std::source_location where = std::source_location::current());
  /// Does the same for several inputs.
  void buildFor(const std::vector<TensorType> &inputs,
                std::source_location where = std::source_location::current());

  /// Returns all variables created so far, each once, including those of inner
  /// layers.
  virtual std::vector<Variable> variables() const;
  /// Returns true if the layer was called or built. variables() then returns
  /// the variables in the program of the last call.
  bool isBuilt() const;

  /// Sets the name of the layer, the last component of the path of its
  /// variables. The option `.name` does the same for classes whose options have
  /// it. The default name is the class name and a number. Numbers are assigned
  /// when layers are put into nodes, models and chains, or at the first call of
  /// other layers. They follow the order in the source, not the order of
  /// tracing. Throws GraphError if the layer already has its path.
  void setName(std::string name,
               std::source_location where = std::source_location::current());

  /// Sets the training options of the variables that this layer and its inner
  /// layers create from now on. The option `.variables` does the same for
  /// classes whose options have it. If a model is not trainable, its inner
  /// layers are not trainable either. The regularizer and constraint of a model
  /// apply to inner layers that have none.
  void setVariableOptions(VariableOptions options);

protected:
  /// Constructs a custom layer. Its ops carry the source lines of its train().
  BaseLayer();
  /// Constructs a library layer. Its ops carry the source line that constructed
  /// the layer.
  explicit BaseLayer(std::source_location where, std::string name = {},
                     VariableOptions variables = {});

  /// Creates the variables, which depend on the type of the first input. A
  /// custom layer calls variable() here and computes its outputs in train().
  virtual void build(const TensorType & /*input*/) {}
  /// Computes the result of the layer in training.
  virtual Tensor train(Tensor input);
  /// Computes the result of the layer in inference.
  virtual Tensor test(Tensor input) { return train(std::move(input)); }
  /// Computes all outputs from all inputs. A layer with several inputs or
  /// outputs overrides this function instead of build, train and test.
  virtual std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode);

  /// Returns the variable `<layer>/<name>`, where <layer> is the path of the
  /// layer, and creates it at the first call for a name.
  Variable variable(std::string_view name, const Shape &shape,
                    const Initializer &initializer,
                    const LayerVariableOptions &options = {});

  /// Calls variable(). This is the name of the function in Keras.
  Variable addWeight(std::string_view name, const Shape &shape,
                     const Initializer &initializer,
                     const LayerVariableOptions &options = {}) {
    return variable(name, shape, initializer, options);
  }

  /// Adds a variable that was created elsewhere to the variables of this layer.
  Variable use(const Variable &variable,
               std::source_location where = std::source_location::current());

  /// Assigns `value` to the variable in training. The assignment is part of
  /// every function whose outputs depend on this layer's training output, and
  /// of session runs that assign trainable variables or fetch
  /// GraphKeys::updateOps. A layer that is used several times performs one
  /// update per use, each starting from the result of the previous one.
  void update(const Variable &variable, Operand value);

private:
  struct State;
  /// Traces the layer. Without a mode, uses the mode of the layer that is being
  /// traced.
  std::vector<Tensor> trace(std::vector<Tensor> inputs,
                            std::source_location where,
                            std::optional<Mode> mode, size_t outputs);
  friend class HiddenNode;
  friend class EndNode;
  friend class BaseModel;
  friend class Sequential;
  /// Names a node and its layers in a program, or in the layer of that program
  /// that is being traced. A layer keeps the first path that it gets.
  static void join(const std::shared_ptr<dsl::Body> &body,
                   const std::string &node, const std::vector<Layer> &layers,
                   std::source_location where);
  /// Makes ops carry the source lines of the inner layers instead of the line
  /// that constructed this layer, which adds no ops of its own.
  void leaveLinesToLayers();
  /// Returns the source line that constructed a library layer, or nothing for a
  /// custom layer.
  std::optional<std::source_location> madeAt() const;
  /// Names a node and its layers inside this layer.
  void adopt(const std::string &node, const std::vector<Layer> &layers,
             std::source_location where);

  std::shared_ptr<State> state;
  /// The program and the input type for which build() of this object last ran.
  std::weak_ptr<dsl::Body> builtIn;
  TensorType builtFor;
};

/// A handle of any layer, as nodes and models store it. Copies share the layer.
class Layer {
public:
  template <std::derived_from<BaseLayer> L>
  Layer(L layer) : object(std::make_shared<L>(std::move(layer))) {}

  BaseLayer *operator->() const { return object.get(); }
  BaseLayer &operator*() const { return *object; }

  /// Applies the layer, as BaseLayer does.
  template <std::convertible_to<Tensor>... More>
  Tensor operator()(Operand input, const More &...more) const {
    return (*object)(std::move(input), more...);
  }
  void build(const Shape &input, DType dtype = f32,
             std::source_location where = std::source_location::current()) {
    object->build(input, dtype, where);
  }
  void buildFor(const std::vector<TensorType> &inputs,
                std::source_location where = std::source_location::current()) {
    object->buildFor(inputs, where);
  }

private:
  std::shared_ptr<BaseLayer> object;
};

} // namespace tg

#endif // TG_NN_LAYER_H
