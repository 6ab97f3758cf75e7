/// Layers, and what a layer of one's own is made of.
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

/// Which of a layer's two computations.
enum class Mode { train, test };

namespace dsl {
/// One tensor by itself, several as an array for structured bindings.
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
  /// None: true of no function.
  Activation() = default;
  /// Also where another function of the name takes numbers, as tanh does.
  Activation(Tensor (*callable)(Operand));
  template <std::invocable<Operand> Function>
  Activation(Function callable) : function(std::move(callable)) {}

  /// By the name of a function of tensor/functional.h, with its defaults:
  /// "relu", "leakyRelu"; "linear" and "" are none. Throws GraphError for
  /// another.
  Activation(const char *name,
             std::source_location where = std::source_location::current());
  Activation(const std::string &name,
             std::source_location where = std::source_location::current())
      : Activation(name.c_str(), where) {}

  /// No function gives its input.
  Tensor operator()(Operand input) const {
    return function ? function(std::move(input)) : input.tensor();
  }
  explicit operator bool() const { return bool(function); }

  /// Returns true for relu and what is like it, x where x is far above 0 and
  /// about 0 far below: relu, relu6, gelu, silu, mish and hardSwish, as
  /// functions or by their names, and "leakyRelu" and "elu". A lambda is not
  /// looked into.
  bool isRectifier() const;

private:
  std::function<Tensor(Operand)> function;
};

/// The first values of weights before an activation, for layers that were given
/// none: heNormal() before a rectifier, else glorotUniform().
Initializer weightInitializerFor(const Activation &activation,
                                 std::optional<Fans> fans = {});

/// The options of a layer that has no others. Options that have others end with
/// the same field.
struct LayerOptions {
  /// The component of the path of its variables: digits/<name>/weight. Equal
  /// names of two layers at one place are an error. "": the class's name and a
  /// number, Linear_1.
  std::string name = {};
};

/// The options of one of a layer's variables.
struct LayerVariableOptions {
  /// Optimizers move it. Moving averages and the like are not trainable.
  bool trainable = true;
  DType dtype = f32;
  /// Takes the layer's regularizer and constraint, as weights do; biases,
  /// scales and the like do not.
  bool isWeight = true;
  /// Training options of this variable, which precede those of the whole layer.
  VariableOptions variable = {};
};

class Layer;

/// A layer: variables made once, at the first input, and linked as often as it
/// is traced. Copies of a layer share its variables.
class BaseLayer {
public:
  virtual ~BaseLayer() = default;

  /// Links the layer to its input or inputs. Throws GraphError where one does
  /// not fit, also where it does not fit the variables made before. Several
  /// outputs are asked for by their number: auto [a, b] =
  /// model.trainFprop<2>(x, y). Ops are named after layer and mode:
  /// Linear_1/train_fprop/MatMul.
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

  /// layer(x), layer(x, y): in the mode of the layer that is being traced, as
  /// the layers inside one of one's own are; outside of any, while training.
  template <std::convertible_to<Tensor>... More>
  Tensor operator()(Operand input, const More &...more) {
    return trace({input.tensor(), more...}, input.where(), {}, 1).front();
  }

  /// Any number of inputs and outputs.
  std::vector<Tensor>
  fprop(std::vector<Tensor> inputs, Mode mode,
        std::source_location where = std::source_location::current());

  /// Makes the variables before the first call, as Keras' build() does, for an
  /// input of this shape in the default graph (Program::asDefault() chooses
  /// it). Later inputs must fit them as those of a second call must. What the
  /// layer computes afterwards is traced for it and given up; in eager mode it
  /// is computed once, for zeros, with 1 for unknown extents. Variables that
  /// training alone needs are made at its first call. A class that overrides
  /// build(TensorType) hides this one, but for `using BaseLayer::build;`.
  ///
  ///   Linear dense({.units = 10});
  ///   dense.build({dim(), 128}); // dense.variables() are there
  void build(const Shape &input, DType dtype = f32,
             std::source_location where = std::source_location::current());
  /// The same for several inputs.
  void buildFor(const std::vector<TensorType> &inputs,
                std::source_location where = std::source_location::current());

  /// All variables made so far, those of inner layers included, each once.
  virtual std::vector<Variable> variables() const;
  /// Returns true if the layer was called or built, so that its variables
  /// exist: those of the program of the last call.
  bool isBuilt() const;

  /// Names the layer, as `.name` does where the options of its class have one:
  /// the component of the path of its variables. Without, that is the class's
  /// name and a number. Numbers count where layers are put into nodes, models
  /// and chains, or first called: the source decides, not what is traced.
  /// Throws GraphError where the layer has its path already.
  void setName(std::string name,
               std::source_location where = std::source_location::current());

  /// Sets the training options of the variables that this layer, or a layer
  /// inside it, makes from now on, as `.variables` does where the options of
  /// its class have one. The layers inside a model that is not trainable are
  /// not trainable, and its regularizer and constraint hold for inner layers
  /// that have none.
  void setVariableOptions(VariableOptions options);

protected:
  /// A layer of one's own: its ops carry the lines of its train().
  BaseLayer();
  /// A layer of a library: its ops carry the line that made the layer.
  explicit BaseLayer(std::source_location where, std::string name = {},
                     VariableOptions variables = {});

  /// Makes the variables that need the first input's type. A layer of one's own
  /// calls variable() here; outputs are train()'s.
  virtual void build(const TensorType & /*input*/) {}
  /// Computes the result of the layer in training.
  virtual Tensor train(Tensor input);
  /// Computes the result of the layer in inference.
  virtual Tensor test(Tensor input) { return train(std::move(input)); }
  /// Several inputs or outputs: replaces build, train and test.
  virtual std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode);

  /// The variable that is called `<layer>/<name>`, by the layer's path; the
  /// same one for the same name.
  Variable variable(std::string_view name, const Shape &shape,
                    const Initializer &initializer,
                    const LayerVariableOptions &options = {});

  /// variable() under the name that Keras has for it.
  Variable addWeight(std::string_view name, const Shape &shape,
                     const Initializer &initializer,
                     const LayerVariableOptions &options = {}) {
    return variable(name, shape, initializer, options);
  }

  /// A variable that was made elsewhere, as one of this layer's.
  Variable use(const Variable &variable,
               std::source_location where = std::source_location::current());

  /// While training: assigns `value` to the variable in every function whose
  /// outputs depend on this layer's training output, and in runs of sessions
  /// that assign trainable variables or fetch GraphKeys::updateOps. A layer
  /// that stands at several places does so once for each, from what the one
  /// before gave.
  void update(const Variable &variable, Operand value);

private:
  struct State;
  /// Without a mode: that of the layer that is being traced.
  std::vector<Tensor> trace(std::vector<Tensor> inputs,
                            std::source_location where,
                            std::optional<Mode> mode, size_t outputs);
  friend class HiddenNode;
  friend class EndNode;
  friend class BaseModel;
  friend class Sequential;
  /// Names a node and its layers in a program, or in the layer that is being
  /// traced there. A layer keeps the first path it gets.
  static void join(const std::shared_ptr<dsl::Body> &body,
                   const std::string &node, const std::vector<Layer> &layers,
                   std::source_location where);
  /// Lets ops carry the lines of the layers inside, not the one that made this
  /// layer, which adds none of its own.
  void leaveLinesToLayers();
  /// The line that made a layer of a library; none of one of one's own.
  std::optional<std::source_location> madeAt() const;
  /// Names a node and its layers inside of this layer.
  void adopt(const std::string &node, const std::vector<Layer> &layers,
             std::source_location where);

  std::shared_ptr<State> state;
  /// The program and the input that this object's build() last saw.
  std::weak_ptr<dsl::Body> builtIn;
  TensorType builtFor;
};

/// Any layer, as nodes and models hold it. Copies share the layer.
class Layer {
public:
  template <std::derived_from<BaseLayer> L>
  Layer(L layer) : object(std::make_shared<L>(std::move(layer))) {}

  BaseLayer *operator->() const { return object.get(); }
  BaseLayer &operator*() const { return *object; }

  /// As BaseLayer's.
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
