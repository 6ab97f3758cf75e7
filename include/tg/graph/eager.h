/// Eager mode: the same programs, layers and optimizers, but every operation is
/// evaluated when its line runs. Tensors can be printed, C++ may branch on
/// their values, and variables change immediately.
///
///   enableEagerExecution();
///   Program program("look");
///   Variable w = program.variable("w", f32, {2, 1}, ones());
///   GradientTape tape;
///   Tensor loss = reduceSum(matmul(program.tensor<float>({1, 2}, {1, 2}), w));
///   std::cout << loss << ' ' << tape.gradient(loss, {w})[0];
#ifndef TG_GRAPH_EAGER_H
#define TG_GRAPH_EAGER_H

#include "optimizer.h"

namespace tg {

/// The options of eager mode.
struct EagerOptions {
  /// Computes the results of each operation to the bits that compiled code has
  /// for the operation on x86-64-v3 and later, in plain loops. Otherwise a
  /// library multiplies matrices, sums are added in double precision, and
  /// functions are those of the C library: faster, and equal within rounding.
  /// Host functions compute what they compute in both cases.
  bool exact = false;
};

/// Makes new programs eager in all threads. Must be called at the beginning of
/// main().
void enableEagerExecution(EagerOptions options = {});
/// Returns true if a program that this thread makes now is in eager mode.
bool executingEagerly();

/// Sets the mode of the programs that this thread makes during its lifetime,
/// regardless of enableEagerExecution(). Meant for tests and for programs with
/// both modes. A program keeps the mode in which it was made.
class ExecutionScope {
public:
  /// The options of a scope that is not eager have no effect.
  explicit ExecutionScope(bool eagerly, EagerOptions options = {});
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope &) = delete;

private:
  int before;
};

/// Makes a variable in graph mode only, like TensorFlow's tf.Variable. Throws
/// GraphError in eager mode. Program::variable() works in both modes.
Variable
referenceVariable(Program program, std::string name, DType dtype,
                  const Shape &shape, const Initializer &initializer,
                  const VariableOptions &options = {},
                  std::source_location where = std::source_location::current());

/// The options of a GradientTape.
struct GradientTapeOptions {
  /// Allows more than one call of gradient().
  bool persistent = false;
  /// Records trainable variables without watch().
  bool watchVariables = true;
};

/// Records the computation of tensors from its construction until stop() or its
/// destruction, and computes derivatives from the record. Tapes nest: the
/// operations of gradient() are recorded by the other tapes, which gives
/// derivatives of higher order. In graph mode, in which programs keep all ops,
/// gradient() adds ops to the program. A tape covers the programs of one
/// thread; tapes of a thread must be destroyed in reverse order.
class GradientTape {
public:
  explicit GradientTape(GradientTapeOptions options = {});
  ~GradientTape();
  GradientTape(const GradientTape &) = delete;
  GradientTape &operator=(const GradientTape &) = delete;

  /// Also records the computations that depend on a float tensor.
  void watch(const Tensor &tensor,
             std::source_location where = std::source_location::current());
  /// Stops the recording.
  void stop();

  /// Returns the derivatives of a tensor, or of the sum of its elements if it
  /// has several, in the shapes of the sources. Sources are variables, watched
  /// tensors, or tensors computed from them. If the target does not depend on a
  /// source, its derivative is a tensor without a value (isDefined() is false).
  /// A tape that is not persistent allows only one call.
  std::vector<Tensor>
  gradient(const Tensor &target, const std::vector<Tensor> &sources,
           std::source_location where = std::source_location::current());
  std::vector<Tensor>
  gradient(const Tensor &target, const std::vector<Variable> &sources,
           std::source_location where = std::source_location::current());
  std::vector<Tensor>
  gradient(const Tensor &target, std::initializer_list<Variable> sources,
           std::source_location where = std::source_location::current()) {
    return gradient(target, std::vector<Variable>(sources), where);
  }

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace tg

#endif // TG_GRAPH_EAGER_H
