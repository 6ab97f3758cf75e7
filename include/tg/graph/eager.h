/// Eager mode: the same programs, layers and optimizers, but every operation is
/// evaluated when its line runs. Tensors can be printed, C++ may branch on
/// their values, and variables change at once.
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

/// From now on, in all threads, programs are made in eager mode. To be called
/// first in main().
void enableEagerExecution();
/// Returns true if a program made now by this thread is in eager mode.
bool executingEagerly();

/// Sets the mode in which this thread makes programs while it lives, whatever
/// was enabled: for tests, and for programs with both modes. Programs keep the
/// mode that they were made in.
class ExecutionScope {
public:
  explicit ExecutionScope(bool eagerly);
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope &) = delete;

private:
  int before;
};

/// Program::variable() of graph mode alone, as TensorFlow's tf.Variable is;
/// throws GraphError in eager mode. Program::variable() is right in both.
Variable
referenceVariable(Program program, std::string name, DType dtype,
                  const Shape &shape, const Initializer &initializer,
                  const VariableOptions &options = {},
                  std::source_location where = std::source_location::current());

/// The options of a gradient tape.
struct GradientTapeOptions {
  /// May be asked for gradients more than once.
  bool persistent = false;
  /// Trainable variables need no watch().
  bool watchVariables = true;
};

/// Records how tensors are computed, from here until stop() or its end, and
/// gives the derivatives of one for others. Tapes nest; what a tape computes
/// for gradient() is recorded by the others, which gives derivatives of higher
/// order. In graph mode, where programs keep all ops, gradient() adds ops to
/// the program. For the programs of one thread; tapes of a thread end in
/// reverse order.
class GradientTape {
public:
  explicit GradientTape(GradientTapeOptions options = {});
  ~GradientTape();
  GradientTape(const GradientTape &) = delete;
  GradientTape &operator=(const GradientTape &) = delete;

  /// Records what follows from a tensor of floats, too.
  void watch(const Tensor &tensor,
             std::source_location where = std::source_location::current());
  /// Records no more.
  void stop();

  /// The derivatives of a tensor, of the sum of its elements if there are
  /// several, in the shapes of the sources: variables, watched tensors, or
  /// tensors computed of them. A tensor without value (isDefined() is false)
  /// where it does not depend on the source. A tape that is not persistent can
  /// be asked once.
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
