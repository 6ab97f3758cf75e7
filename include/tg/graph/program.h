/// Programs: named inputs, variables and functions, which are compiled into a
/// library.
#ifndef TG_GRAPH_PROGRAM_H
#define TG_GRAPH_PROGRAM_H

#include "../tensor/error.h"
#include "initializer.h"
#include "model_options.h"
#include "updates.h"
#include "variable.h"

#include <concepts>
#include <optional>
#include <span>

namespace tg {

/// An op of a program: its name, such as Scope_A/MatMul, its kind, such as
/// matmul, the names of its values, such as Scope_A/MatMul:0, and the device it
/// was built for, such as cpu:1, or "" for none.
struct OperationInfo {
  std::string name, kind;
  std::vector<std::string> tensors;
  std::string device = {};
};

/// An output of a function.
struct Output {
  std::string name;
  Tensor value;
};

/// The inputs, outputs and updates of a function.
struct FunctionOptions {
  /// The inputs, made by Program::input, in the order in which the caller
  /// passes them.
  std::vector<Tensor> inputs = {};
  std::vector<Output> outputs = {};
  /// The updates of the function, in addition to updates of layers that the
  /// outputs depend on.
  Updates updates = {};
};

/// The names of the collections that layers add to, as in TensorFlow.
struct GraphKeys {
  /// The updates of layers during training, such as moving averages. Fetching
  /// one performs its assignment. Functions and session runs that train include
  /// the updates of the layers that they compute. Other functions must request
  /// them:
  ///
  ///   std::vector<Tensor> updates = program.collection(GraphKeys::updateOps);
  ///   ControlDependencies after({updates.begin(), updates.end()});
  static constexpr const char *updateOps = "update_ops";
  /// The variables of layers that are not trained, such as moving averages.
  static constexpr const char *modelVariables = "model_variables";
};

class DefaultGraph;

/// A model under construction. Copies share the program. A program belongs to
/// one thread.
class Program {
public:
  /// Makes a program. Its name begins the path of every layer's variable.
  explicit Program(
      std::string name = "graph",
      std::source_location where = std::source_location::current());

  /// Makes this program the default graph of this thread as long as the
  /// returned object lives: functions that take neither a tensor nor a program
  /// build in it. The innermost default graph applies.
  [[nodiscard]] DefaultGraph asDefault() const;

  /// Returns true in eager mode (eager.h): ops are evaluated as they are built,
  /// and there are no inputs, functions or files.
  bool isEager() const;

  /// In eager mode sets the seed of subsequent initial values and random
  /// samples, like the seed of a library's context; 0 by default. The samples
  /// restart: they are the same after the same seed and the same number of
  /// training steps. In graph mode contexts and sessions have their own seeds.
  void setSeed(int64_t seed);
  /// In eager mode makes an operation that produces NaN or infinity from
  /// numbers throw GraphError, which names the operation, the element and the
  /// line. Off by default.
  void checkNumerics(bool checks = true);

  /// In eager mode return the number of tensors in memory, including variables,
  /// and the number of operations that gradient tapes hold. Both are 0 in graph
  /// mode.
  size_t liveTensorCount() const;
  size_t recordedOperationCount() const;

  /// Makes an input, a tensor that callers of a function pass.
  Tensor input(std::string name, DType dtype, Shape shape,
               std::source_location where = std::source_location::current());

  /// Makes a tensor filled with one number, or with these elements in row-major
  /// order.
  Tensor constant(double value, DType dtype = f32, const Shape &shape = {},
                  std::source_location where = std::source_location::current());
  /// Throws GraphError if no double equals the whole number, such as 2^53 + 1.
  template <std::integral T>
  Tensor
  constant(T value, DType dtype = f32, const Shape &shape = {},
           std::source_location where = std::source_location::current()) {
    return constant(dsl::exactDouble(value, where), dtype, shape, where);
  }
  Tensor constant(std::vector<double> elements, DType dtype, const Shape &shape,
                  std::source_location where = std::source_location::current());

  /// Makes a tensor of these elements, with the element type of T: float,
  /// double, int8_t and so on, or bool. Meant for data in eager mode: there is
  /// no copy besides the tensor. In eager mode a named extent such as
  /// Extent(64, "batch") defines the value of dim("batch") in shapes from then
  /// on.
  template <ElementNumber T>
  Tensor tensor(std::span<const T> elements, const Shape &shape,
                std::source_location where = std::source_location::current()) {
    return tensorOf(*dsl::findDType<T>(), elements.size(),
                    std::as_bytes(elements), shape, where);
  }
  template <ElementNumber T>
  Tensor tensor(const std::vector<T> &elements, const Shape &shape,
                std::source_location where = std::source_location::current()) {
    return tensor(std::span<const T>(elements), shape, where);
  }

  /// Make tensors of a shape whose extents are numbers or names of inputs'
  /// extents. zeros({dim("batch"), 3}) has as many rows as the first input with
  /// an extent `batch`; functions that need the tensor take that input.
  Tensor zeros(const Shape &shape, DType dtype = f32,
               std::source_location where = std::source_location::current());
  Tensor ones(const Shape &shape, DType dtype = f32,
              std::source_location where = std::source_location::current());
  Tensor fill(const Shape &shape, double value, DType dtype = f32,
              std::source_location where = std::source_location::current());
  /// Returns the list 0, 1, …, or start, start + step, …, up to but excluding
  /// the limit.
  Tensor range(const Extent &limit, DType dtype = i64,
               std::source_location where = std::source_location::current());
  Tensor range(double start, double limit, double step = 1, DType dtype = i64,
               std::source_location where = std::source_location::current());
  /// Returns `count` floats, at least 0, at equal distances from start to stop,
  /// both included. A count of 1 gives start.
  Tensor linspace(double start, double stop, int64_t count, DType dtype = f32,
                  std::source_location where = std::source_location::current());
  /// Returns a matrix with 1 on the diagonal and 0 elsewhere.
  Tensor eye(const Extent &rows, DType dtype = f32,
             std::source_location where = std::source_location::current());
  Tensor eye(const Extent &rows, const Extent &columns, DType dtype = f32,
             std::source_location where = std::source_location::current());
  /// Generate random floats: uniform in [low, high), or normal. In functions
  /// that change variables the samples change in each training step; they
  /// depend on the seed of init and the number of steps. In functions that
  /// change no variables they change in each call; they depend on the seed of
  /// the context (Context::setSeed, tg_context_set_seed, `tgc-run --seed`; init
  /// sets it, too) and the number of its calls so far. A caller without libtgrt
  /// passes both as inputs, `tg.seed` and `tg.call`. In sessions the samples
  /// change in each run, in eager programs in each op. Equal seeds give equal
  /// samples.
  Tensor
  randomUniform(const Shape &shape,
                UniformOptions options = {.low = 0, .high = 1},
                DType dtype = f32,
                std::source_location where = std::source_location::current());
  Tensor
  randomNormal(const Shape &shape, NormalOptions options = {},
               DType dtype = f32,
               std::source_location where = std::source_location::current());

  /// Returns the number of training steps so far, an i64 scalar. Functions that
  /// change variables and use it increment it.
  Tensor step(std::source_location where = std::source_location::current());

  /// Makes a variable of a static shape under the given name.
  Variable
  variable(std::string name, DType dtype, const Shape &shape,
           const Initializer &initializer, const VariableOptions &options = {},
           std::source_location where = std::source_location::current());

  /// Returns the program of a tensor, for layers that make tensors of a shape.
  static Program
  of(const Tensor &tensor,
     std::source_location where = std::source_location::current());

  /// Adds a function to the model. It contains the part of the program so far
  /// that its outputs and updates need.
  void function(const std::string &name, const FunctionOptions &options,
                std::source_location where = std::source_location::current());

  /// Returns the tensor of a name: the name of an op for its first result,
  /// Scope_A/MatMul, or with the number of a result, Scope_A/MatMul:0; or the
  /// name of a symbolic layer's output, conv1/output. Throws GraphError if the
  /// name is unknown.
  Tensor
  tensor(const std::string &name,
         std::source_location where = std::source_location::current()) const;
  /// Returns all ops so far in program order, inputs first.
  std::vector<OperationInfo> operations() const;

  /// Collections, lists of tensors by name, in the order in which they were
  /// added. A tensor may be in several. Throws GraphError on a tensor of
  /// another program.
  void
  addToCollection(const std::string &collection, const Tensor &tensor,
                  std::source_location where = std::source_location::current());
  std::vector<Tensor> collection(const std::string &name) const;

  /// Returns updates that initialize variables when a session runs them: the
  /// given ones, or all that exist now.
  Updates initializer(
      const std::vector<Variable> &variables,
      std::source_location where = std::source_location::current()) const;
  Updates initializer(
      std::source_location where = std::source_location::current()) const;

  /// Returns the whole program, with names, as one function `graph` of all
  /// inputs, as text of the tg dialect. writeGraph() writes this text to a
  /// file. A path that ends in .dot gets a drawing for Graphviz, in which name
  /// scopes are clusters.
  std::string graphText() const;
  void writeGraph(
      const std::string &path,
      std::source_location where = std::source_location::current()) const;

  /// Returns all variables so far in order of creation, including the slots of
  /// optimizers. Excludes `tg.step` and `tg.seed`, which hold the number of
  /// training steps and the seed of random samples.
  std::vector<Variable> variables() const;
  /// Returns the number of elements of all trainable variables.
  int64_t parameterCount() const;

  /// Returns the program as text of the tg dialect, including `init`.
  std::string text() const;
  /// Returns a human-readable table of the layers of each function: the shapes
  /// of their outputs, their parameters, their arithmetic (without gradients),
  /// and the bytes of outputs and parameters.
  std::string summary() const;
  /// Writes text() to a file for tgc, by a temporary file and a rename. A path
  /// that ends in .dot gets a graph for Graphviz with layers as clusters.
  void
  write(const std::string &path,
        std::source_location where = std::source_location::current()) const;
  /// Compiles the program into a library. Throws GraphError with the errors of
  /// the compiler at the user's lines. An error in an option or a file is
  /// reported at the line of the call.
  void
  compile(const std::string &path, const ModelOptions &options = {},
          std::source_location where = std::source_location::current()) const;

  /// Sets the handler of warnings, which are reported once each when the
  /// program is written or compiled. The warnings are about inputs that no
  /// function uses, trainable variables that no function changes though others
  /// are trained, variables that were to be trained but get no gradient, and
  /// trained layers whose penalties (regularizers) are in no loss, since no
  /// function uses them. Default: a line on the standard error in the format of
  /// compilers. An empty function discards warnings.
  void onWarning(std::function<void(const Warning &)> handler);

  /// Internal.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }

private:
  explicit Program(std::shared_ptr<dsl::Body> body) : owner(std::move(body)) {}
  /// Returns a tensor of `count` elements of a type. The library exports no
  /// templates with constraints, whose symbols GCC and Clang name differently.
  Tensor tensorOf(DType dtype, size_t count, std::span<const std::byte> bytes,
                  const Shape &shape, std::source_location where);

  std::shared_ptr<dsl::Body> owner;
};

/// The default graph set by Program::asDefault(), during its lifetime.
class DefaultGraph {
public:
  explicit DefaultGraph(const Program &program);
  ~DefaultGraph();
  DefaultGraph(const DefaultGraph &) = delete;
  DefaultGraph &operator=(const DefaultGraph &) = delete;
};

/// A component of the names of ops and variables that are built during its
/// lifetime, in a program or in the default graph. If the name is taken, _1, _2
/// … is appended: a scope opened again is Scope_A_1.
class NameScope {
public:
  NameScope(const Program &program, const std::string &name,
            std::source_location where = std::source_location::current());
  explicit NameScope(
      const std::string &name,
      std::source_location where = std::source_location::current());
  ~NameScope();
  NameScope(const NameScope &) = delete;
  NameScope &operator=(const NameScope &) = delete;

  /// Returns the names of the open scopes and of this one: Outer/Scope_A_1.
  const std::string &name() const { return path; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::string path;
};

/// A tensor or updates that ControlDependencies refers to.
class Dependency {
public:
  Dependency(const Tensor &given);
  Dependency(const Updates &given);
  Dependency(const Assignment &given);

  /// Internal.
  Tensor tensor;
  Updates updates;
};

/// Makes everything built during its lifetime happen after the dependencies. A
/// run of it also runs the dependencies, and variables are read after the
/// dependencies' assignments. Otherwise the assignments and reads of a run
/// happen in the order of the program's lines, and a variable's handle is its
/// value from before the run.
class ControlDependencies {
public:
  explicit ControlDependencies(
      const std::vector<Dependency> &dependencies,
      std::source_location where = std::source_location::current());
  ~ControlDependencies();
  ControlDependencies(const ControlDependencies &) = delete;
  ControlDependencies &operator=(const ControlDependencies &) = delete;

private:
  std::shared_ptr<dsl::Body> owner;
};

} // namespace tg

#endif // TG_GRAPH_PROGRAM_H
