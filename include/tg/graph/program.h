/// Programs: named inputs, variables and functions, and the library they
/// become.
#ifndef TG_GRAPH_PROGRAM_H
#define TG_GRAPH_PROGRAM_H

#include "../tensor/error.h"
#include "initializer.h"
#include "variable.h"

#include <concepts>
#include <optional>
#include <span>

namespace tg {

/// Assignments of variables that a function may contain: what optimizers,
/// averages and assign() give. Those that no function has when the program is
/// written or compiled are an error.
class [[nodiscard]] Updates {
public:
  Updates() = default;
  /// The DSL's own: assignments of a program's body, by number.
  Updates(std::shared_ptr<dsl::Body> body, std::vector<uint32_t> effects);

  /// Both, in the order in which the program made them.
  Updates operator+(const Updates &other) const;

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  const std::vector<uint32_t> &effects() const { return numbers; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::vector<uint32_t> numbers;
};

/// One assignment, and what it assigns: a function that has the tensor has the
/// assignment.
class [[nodiscard]] Assignment : public Updates {
public:
  Assignment() = default;
  /// The DSL's own.
  Assignment(Updates updates, Tensor given);

  /// The new value of the variable.
  const Tensor &value() const { return assigned; }
  operator Tensor() const { return assigned; }

private:
  Tensor assigned;
};

/// Sets a variable as a whole in every function that contains it. There values
/// that were read before, the variable's own handle among them, stay. In eager
/// mode it is done at once: what was computed before stays, but handles of the
/// variable, copies such as `Tensor before = w;` among them, show its value of
/// now. What an op makes of it, as `w * 1.0`, keeps that of before.
Assignment assign(const Variable &variable, Operand value);
/// The same to the variable's value plus, or minus, another one.
Assignment assignAdd(const Variable &variable, Operand value);
Assignment assignSub(const Variable &variable, Operand value);
/// The variable's value at this line: after the assignments above it, of those
/// that a function contains.
Tensor readValue(const Variable &variable,
                 std::source_location where = std::source_location::current());
/// The same value; inside of ControlDependencies that of a variable at this
/// line.
Tensor identity(Operand input);

/// An op of a program: its name, Scope_A/MatMul, its kind, matmul, the names of
/// its values, Scope_A/MatMul:0, and the device that it was built for, cpu:1,
/// "" for none.
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
  /// From Program::input, in the order of the caller.
  std::vector<Tensor> inputs = {};
  std::vector<Output> outputs = {};
  /// Beside these, layers' own updates that the outputs depend on.
  Updates updates = {};
};

/// The options of a compilation; the defaults are those of tgc.
struct ModelOptions {
  /// 0: one kernel per op, scalar loops; 1: fusion; 2: vectors; 3: more LLVM.
  int optimization = 2;
  /// x86-64 levels in the library, which runs the highest one that its machine
  /// has. None: that of this machine alone, which takes a third of the time.
  std::vector<int> levels = {2, 3, 4};
  /// LLVM's name of the CPU to tune for; "" for none.
  std::string tune = {};
  /// Numbers for named extents: batch=32,classes=10.
  std::string dims = {};
  /// The functions that the library has beside `init`, with the variables that
  /// they use: a library that serves needs no training. Empty for all.
  std::vector<std::string> functions = {};
  /// A safetensors file, as a context saves it, with a tensor for every
  /// variable of the library: its initial values. `init` then takes no seed. ""
  /// for none.
  std::string weights = {};
  /// The most bytes that a function may keep at once between its kernels
  /// (`arena_bytes` of the report; what kernels need by themselves, for each
  /// thread, comes beside it): what does not fit is computed again, which takes
  /// time and changes no bit; where that is not enough, convolutions are
  /// computed of filters as they are, which may round in another way.
  /// Extents must be numbers, as with `dims`. 0 for no limit.
  std::int64_t memoryBudget = 0;
  /// A directory that keeps the code of kernels from one compilation to the
  /// next, made if need be: only kernels that changed are compiled again, and
  /// the library is the same. "": nothing is kept. Without a value: the
  /// directory that the environment variable TG_KERNEL_CACHE names, else `tg`
  /// in $XDG_CACHE_HOME or ~/.cache, if it can be written. A directory or a
  /// file in it is ignored, with a warning (onWarning), unless this user or
  /// root owns it and all directories above it and nobody else may write to
  /// them; above it may be directories such as /tmp, with the sticky bit. It
  /// holds 512 MB at most: what was not used for longest goes.
  std::optional<std::string> kernelCache = {};
  /// 3x3 convolutions by Winograd's algorithm, which rounds differently: where
  /// it takes less time ("auto"), never ("direct"), wherever it can be done
  /// ("winograd").
  std::string convAlgorithm = "auto";
  /// "all": functions stop at the first NaN or infinity that an operation makes
  /// of numbers (TG_ERROR_NAN), whose message names layer, operation, line and
  /// element; variables keep their values. "nan": at NaN alone. "": never.
  /// Takes time, and memory for what training assigns.
  std::string trapNan = {};
  /// True if operations built for another device than cpu:0 (device.h) are an
  /// error: a library runs all of them on the CPU of its caller, and its report
  /// says which wished to run elsewhere.
  bool hardPlacement = false;
  /// A file for what the library is made of and costs, kernel by kernel: JSON,
  /// or a page for a browser where the name ends in .html. "" for none.
  std::string report = {};
  /// True if a compilation of more than two seconds says how far it is: a line
  /// on the standard error, if that is a terminal, which is erased at the end.
  bool showsProgress = true;
  /// An object file to link statically, with its one symbol
  /// `<symbolPrefix>_tg_model_get`, instead of a library.
  bool relocatable = false;
  std::string symbolPrefix = {};
};

/// The collections that layers add to, by TensorFlow's names.
struct GraphKeys {
  /// Assignments of layers in training, as moving averages: to fetch one is to
  /// assign it. Functions and runs of sessions that train have them with what
  /// they compute; others where they ask for them:
  ///
  ///   std::vector<Tensor> updates = program.collection(GraphKeys::updateOps);
  ///   ControlDependencies after({updates.begin(), updates.end()});
  static constexpr const char *updateOps = "update_ops";
  /// The variables of layers that are not trained: those averages.
  static constexpr const char *modelVariables = "model_variables";
};

class DefaultGraph;

/// A model under construction. Copies are the same program. One thread.
class Program {
public:
  /// The name starts the path of every layer's variable.
  explicit Program(
      std::string name = "graph",
      std::source_location where = std::source_location::current());

  /// Makes it the graph of this thread while what is returned lives: free
  /// functions that are given no tensor build there. The innermost counts.
  [[nodiscard]] DefaultGraph asDefault() const;

  /// Returns true if this is a program of eager mode (eager.h): ops are
  /// evaluated as they are built, and there are no inputs, functions or files.
  bool isEager() const;

  /// In eager mode: the seed of first values and draws that follow, as a
  /// context's is for a library; 0 by default. Draws begin anew: after the same
  /// seed, and as many training steps, they are the same. In graph mode
  /// contexts and sessions have their own.
  void setSeed(int64_t seed);
  /// In eager mode: whether an operation that makes NaN or infinity of numbers
  /// throws GraphError, which names it, the element and the line. Off by
  /// default.
  void checkNumerics(bool checks = true);

  /// In eager mode: how many tensors have memory, those of variables included,
  /// and how many operations gradient tapes hold; 0 in graph mode.
  size_t liveTensorCount() const;
  size_t recordedOperationCount() const;

  /// A tensor that callers of a function give.
  Tensor input(std::string name, DType dtype, Shape shape,
               std::source_location where = std::source_location::current());

  /// A tensor of one number, or of these in row-major order.
  Tensor constant(double value, DType dtype = f32, const Shape &shape = {},
                  std::source_location where = std::source_location::current());
  /// Throws GraphError on a whole number that no double equals: 2^53 + 1.
  template <std::integral T>
  Tensor
  constant(T value, DType dtype = f32, const Shape &shape = {},
           std::source_location where = std::source_location::current()) {
    return constant(dsl::exactDouble(value, where), dtype, shape, where);
  }
  Tensor constant(std::vector<double> elements, DType dtype, const Shape &shape,
                  std::source_location where = std::source_location::current());

  /// A tensor of these elements, whose element type is that of T: float,
  /// double, int8_t and so on, bool. For data in eager mode: nothing is kept
  /// beside the tensor. There an extent with a name, Extent(64, "batch"), is
  /// what shapes with dim("batch") mean from then on.
  template <ElementNumber T>
  Tensor tensor(std::span<const T> elements, const Shape &shape,
                std::source_location where = std::source_location::current());
  template <ElementNumber T>
  Tensor tensor(const std::vector<T> &elements, const Shape &shape,
                std::source_location where = std::source_location::current()) {
    return tensor(std::span<const T>(elements), shape, where);
  }

  /// Tensors of a shape. Its extents are numbers or names of inputs' extents:
  /// zeros({dim("batch"), 3}) has as many rows as the first input with an
  /// extent `batch`, and functions that need it take that input.
  Tensor zeros(const Shape &shape, DType dtype = f32,
               std::source_location where = std::source_location::current());
  Tensor ones(const Shape &shape, DType dtype = f32,
              std::source_location where = std::source_location::current());
  Tensor fill(const Shape &shape, double value, DType dtype = f32,
              std::source_location where = std::source_location::current());
  /// The list 0, 1, …, or start, start + step, …, before the limit.
  Tensor range(const Extent &limit, DType dtype = i64,
               std::source_location where = std::source_location::current());
  Tensor range(double start, double limit, double step = 1, DType dtype = i64,
               std::source_location where = std::source_location::current());
  /// `count` numbers at equal distances from start to stop, both included;
  /// start alone for one, and at least 0 of them. Floats.
  Tensor linspace(double start, double stop, int64_t count, DType dtype = f32,
                  std::source_location where = std::source_location::current());
  /// 1 on the diagonal, 0 elsewhere.
  Tensor eye(const Extent &rows, DType dtype = f32,
             std::source_location where = std::source_location::current());
  Tensor eye(const Extent &rows, const Extent &columns, DType dtype = f32,
             std::source_location where = std::source_location::current());
  /// Draws of floats: uniform in [low, high), or normal. Functions that change
  /// variables draw others in each training step, which follow from the seed of
  /// init and the number of steps. Functions that change none draw others in
  /// each call, which follow from the seed of their context
  /// (Context::setSeed, tg_context_set_seed, `tgc-run --seed`; init sets it,
  /// too) and the number of its calls so far; a host without libtgrt gives both
  /// as inputs, `tg.seed` and `tg.call`. Sessions draw others in each run,
  /// eager programs in each op. The same seed draws the same.
  Tensor
  randomUniform(const Shape &shape,
                UniformOptions options = {.low = 0, .high = 1},
                DType dtype = f32,
                std::source_location where = std::source_location::current());
  Tensor
  randomNormal(const Shape &shape, NormalOptions options = {},
               DType dtype = f32,
               std::source_location where = std::source_location::current());

  /// The number of training steps so far, a scalar i64: functions that change
  /// variables and need it count it up.
  Tensor step(std::source_location where = std::source_location::current());

  /// State of a known shape, named as given.
  Variable
  variable(std::string name, DType dtype, const Shape &shape,
           const Initializer &initializer, const VariableOptions &options = {},
           std::source_location where = std::source_location::current());

  /// The program of a tensor, for layers that make tensors of a shape.
  static Program
  of(const Tensor &tensor,
     std::source_location where = std::source_location::current());

  /// Adds a function of the model: what its outputs and updates need of what
  /// was built so far.
  void function(const std::string &name, const FunctionOptions &options,
                std::source_location where = std::source_location::current());

  /// The tensor of a name: that of an op for its first one, Scope_A/MatMul, or
  /// with its number, Scope_A/MatMul:0; or that of a symbolic layer's output,
  /// conv1/output. Throws GraphError where there is none.
  Tensor
  tensor(const std::string &name,
         std::source_location where = std::source_location::current()) const;
  /// All ops so far, in program order, inputs first.
  std::vector<OperationInfo> operations() const;

  /// Lists of tensors by name, in the order in which they were added; a tensor
  /// may be in several. Throws GraphError on a tensor of another program.
  void
  addToCollection(const std::string &collection, const Tensor &tensor,
                  std::source_location where = std::source_location::current());
  std::vector<Tensor> collection(const std::string &name) const;

  /// Gives variables their first values where a session runs it: these, or all
  /// that there are now.
  Updates initializer(
      const std::vector<Variable> &variables,
      std::source_location where = std::source_location::current()) const;
  Updates initializer(
      std::source_location where = std::source_location::current()) const;

  /// All that was built, named, as one function `graph` of all inputs: text of
  /// the tg dialect. As a file a path that ends in .dot gets a drawing for
  /// Graphviz, in which name scopes are clusters.
  std::string graphText() const;
  void writeGraph(
      const std::string &path,
      std::source_location where = std::source_location::current()) const;

  /// All variables so far, in order of creation, with the slots of optimizers;
  /// without `tg.step` and `tg.seed`, which hold the number of training steps
  /// and the seed of random draws where there are such.
  std::vector<Variable> variables() const;
  /// The number of elements of the trainable ones.
  int64_t parameterCount() const;

  /// The program as text of the tg dialect, with `init`.
  std::string text() const;
  /// Returns a table for people: the layers of each function with the shapes of
  /// their outputs, their parameters, their arithmetic (gradients not counted),
  /// and the bytes of output and parameters.
  std::string summary() const;
  /// The text as a file, written aside and renamed: input of tgc. A path that
  /// ends in .dot gets a graph for Graphviz, layers as clusters.
  void
  write(const std::string &path,
        std::source_location where = std::source_location::current()) const;
  /// Compiles the program into a library. Throws GraphError with what the
  /// compiler found, at the user's line: that of the call for an option or a
  /// file.
  void
  compile(const std::string &path, const ModelOptions &options = {},
          std::source_location where = std::source_location::current()) const;

  /// Who is told when the program is written or compiled, once each, of inputs
  /// that no function uses, of trainable variables that no function changes
  /// though others are trained, of variables that were to be trained but get no
  /// gradient, and of layers that are trained whose penalties (regularizers) no
  /// function uses: they are in no loss. Default: a line on the standard error,
  /// as compilers write. Nobody: an empty function.
  void onWarning(std::function<void(const Warning &)> handler);

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }

private:
  explicit Program(std::shared_ptr<dsl::Body> body) : owner(std::move(body)) {}

  std::shared_ptr<dsl::Body> owner;
};

/// Program::asDefault() while it lives.
class DefaultGraph {
public:
  explicit DefaultGraph(const Program &program);
  ~DefaultGraph();
  DefaultGraph(const DefaultGraph &) = delete;
  DefaultGraph &operator=(const DefaultGraph &) = delete;
};

/// A component of the names of what is built while it lives, with _1, _2 …
/// behind it where something has the name: a scope that is opened again is
/// Scope_A_1. In a program, or the default graph.
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

  /// The names of the open scopes and this one: Outer/Scope_A_1.
  const std::string &name() const { return path; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::string path;
};

/// A dependency: a tensor, or updates.
class Dependency {
public:
  Dependency(const Tensor &given);
  Dependency(const Updates &given);
  Dependency(const Assignment &given);

  /// The DSL's own.
  Tensor tensor;
  Updates updates;
};

/// Orders operations that are built while it lives after its dependencies: a
/// run of them runs the dependencies first, and variables are read after the
/// dependencies' assignments. Elsewhere assignments and reads of a run follow
/// the order of the program's lines, and a variable's handle is its value from
/// before the run.
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
