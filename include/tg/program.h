/// Programs: named inputs, variables and functions, and the library they
/// become.
#ifndef TG_PROGRAM_H
#define TG_PROGRAM_H

#include "error.h"
#include "initializer.h"
#include "variable.h"

namespace tg {

/// Assignments of variables that a function may contain: what optimizers,
/// averages and assign() give. Those that no function has when the program is
/// written or compiled are an error.
class [[nodiscard]] Updates {
public:
  Updates() = default;
  /// The DSL's own: assignments of a program's body, by number.
  Updates(std::shared_ptr<dsl::Body> body, std::vector<uint32_t> effects)
      : owner(std::move(body)), numbers(std::move(effects)) {}

  /// Both, in the order in which the program made them.
  Updates operator+(const Updates &other) const;

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  const std::vector<uint32_t> &effects() const { return numbers; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::vector<uint32_t> numbers;
};

/// Sets a variable as a whole at the end of every function that contains it.
Updates assign(const Variable &variable, Operand value);

/// An output of a function.
struct Output {
  std::string name;
  Tensor value;
};

/// What a function takes, gives and changes.
struct FunctionOptions {
  /// From Program::input, in the order of the caller.
  std::vector<Tensor> inputs = {};
  std::vector<Output> outputs = {};
  /// Beside these, layers' own updates that the outputs depend on.
  Updates updates = {};
};

/// How a program becomes a library; the defaults are those of tgc.
struct ModelOptions {
  /// 0: one kernel per op, scalar loops; 1: fusion; 2: vectors; 3: more LLVM.
  int optimization = 2;
  /// x86-64 levels in the library.
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
  /// The most bytes of workspace that a function may need: what does not fit is
  /// computed again, which takes time and changes no bit; where that is not
  /// enough, convolutions are computed of filters as they are, which may round
  /// in another way.
  /// Extents must be numbers, as with `dims`. 0 for no limit.
  std::int64_t memoryBudget = 0;
  /// A directory that keeps the code of kernels from one compilation to the
  /// next, made if need be: only kernels that changed are compiled again, and
  /// the library is the same. Whoever may write there decides what code
  /// libraries have. "" for none.
  std::string kernelCache = {};
  /// 3x3 convolutions by Winograd's algorithm, which rounds differently: where
  /// it takes less time ("auto"), never ("direct"), wherever it can be done
  /// ("winograd").
  std::string convAlgorithm = "auto";
  /// A file for what the library is made of and costs, kernel by kernel: JSON,
  /// or a page for a browser where the name ends in .html. "" for none.
  std::string report = {};
  /// An object file to link statically, with its one symbol
  /// `<symbolPrefix>_tg_model_get`, instead of a library.
  bool relocatable = false;
  std::string symbolPrefix = {};
};

/// A model under construction. Copies are the same program. One thread.
class Program {
public:
  /// The name starts the path of every layer's variable.
  explicit Program(std::string name, std::source_location where =
                                         std::source_location::current());

  /// A tensor that callers of a function give.
  Tensor input(std::string name, DType dtype, Shape shape,
               std::source_location where = std::source_location::current());

  /// A tensor of one number, or of these in row-major order.
  Tensor constant(double value, DType dtype = f32, const Shape &shape = {},
                  std::source_location where = std::source_location::current());
  Tensor constant(std::vector<double> elements, DType dtype, const Shape &shape,
                  std::source_location where = std::source_location::current());

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
  /// 1 on the diagonal, 0 elsewhere.
  Tensor eye(const Extent &rows, DType dtype = f32,
             std::source_location where = std::source_location::current());
  Tensor eye(const Extent &rows, const Extent &columns, DType dtype = f32,
             std::source_location where = std::source_location::current());
  /// Draws of floats, others in each training step: uniform in [low, high), or
  /// normal.
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

  /// All variables so far, in order of creation.
  std::vector<Variable> variables() const;
  /// The number of elements of the trainable ones.
  int64_t parameterCount() const;

  /// The program as text of the tg dialect, with `init`.
  std::string text() const;
  /// Of each function its layers with the shapes of their outputs, their
  /// parameters, arithmetic (that of gradients not counted), and the bytes of
  /// output and parameters; a table for people.
  std::string summary() const;
  /// The text as a file, written aside and renamed: input of tgc. A path that
  /// ends in .dot gets a graph for Graphviz, layers as clusters.
  void write(const std::string &path) const;
  /// Compiles the program into a library. Throws GraphError with what the
  /// compiler found, at the user's line.
  void compile(const std::string &path, const ModelOptions &options = {}) const;

  /// Who is told when the program is written or compiled, once each, of inputs
  /// that no function uses, of trainable variables that no function changes
  /// though others are trained, and of variables that were to be trained but
  /// get no gradient. Default: a line on the standard error, as compilers
  /// write. Nobody: an empty function.
  void onWarning(std::function<void(const Warning &)> handler);

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }

private:
  explicit Program(std::shared_ptr<dsl::Body> body) : owner(std::move(body)) {}

  std::shared_ptr<dsl::Body> owner;
};

} // namespace tg

#endif // TG_PROGRAM_H
