/// The interface of a program to its host: host functions, prints, asserts, and
/// custom gradients. In both modes; in eager mode all of it happens at once.
#ifndef TG_TENSOR_HOST_H
#define TG_TENSOR_HOST_H

#include "array.h"
#include "tensor.h"

#include <concepts>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tg {

class Program;

/// The cotangents of inputs, one for each that is a float, from inputs, outputs
/// and the cotangents of the outputs that are floats.
using GivenGradient = std::function<std::vector<Tensor>(
    const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs,
    const std::vector<Tensor> &gradients)>;

/// A function of the host: the results that its hostCall() declares, from its
/// inputs. What it throws ends the run.
using ArrayFunction =
    std::function<std::vector<Array>(const std::vector<Array> &inputs)>;
/// The receiver of print().
using ArrayPrinter =
    std::function<void(const std::string &label, const Array &value)>;

/// Gives a function the name by which hostCall() calls it: in eager mode, and
/// in the sessions of a graph that do not have another one of the name
/// (Session::registerHost).
void registerHost(const Program &program, const std::string &name,
                  ArrayFunction function,
                  std::source_location where = std::source_location::current());
/// Who is told what print() prints in an eager program. Default: a line on the
/// standard error. Nobody: an empty function.
void onPrint(const Program &program, ArrayPrinter handler);

/// The options of a host call.
struct HostCallOptions {
  /// A function of its inputs alone: equal calls may be one, one that nothing
  /// needs is left out, and only such a one may get a gradient. Without it the
  /// call happens once in each function that needs a result of it, in the order
  /// of the program.
  bool pure = false;
  /// The unknown extents of the results without a name, in order: scalars of
  /// i64 that follow from extents. One with a name is that of the first input
  /// that has it, unless there is a size for each unknown extent.
  std::vector<Operand> sizes = {};
  /// In place of sizes, where the function finds these extents itself: the most
  /// that each can be. An ArrayFunction then gives arrays as large as they are.
  /// One that a library calls fills as much of results of these extents as it
  /// has, from the start of each dimension, and one result more, i64 [k], with
  /// the extents of all results, one after the other.
  std::vector<int64_t> bounds = {};
};

/// Results of a function that the host registers under a name: with the program
/// (registerHost), a session, or when it runs the library
/// (Context::registerHost). It gets the inputs as dense arrays and fills the
/// results. Without inputs the call is in the default graph. Not
/// differentiable, but within a GradientOverride of the name, or in
/// customGradient.
std::vector<Tensor>
hostCallAll(const std::string &name, const std::vector<Operand> &inputs,
            const std::vector<TensorType> &results,
            const HostCallOptions &options = {},
            std::source_location where = std::source_location::current());
/// The same with one result.
Tensor hostCall(const std::string &name, const std::vector<Operand> &inputs,
                const TensorType &result, const HostCallOptions &options = {},
                std::source_location where = std::source_location::current());

/// The same without inputs, in a program.
std::vector<Tensor>
hostCallAll(const Program &program, const std::string &name,
            const std::vector<TensorType> &results,
            const HostCallOptions &options = {},
            std::source_location where = std::source_location::current());
Tensor hostCall(const Program &program, const std::string &name,
                const TensorType &result, const HostCallOptions &options = {},
                std::source_location where = std::source_location::current());

/// The value, which goes to the host's log when a function runs that needs what
/// this gives.
Tensor print(const std::string &label, Operand value);

/// The condition, a truth value of rank 0. A run of a function that needs what
/// this gives ends with TG_ERROR_ASSERT where it is false, and changes no
/// variable. For the second, what it gives is the value.
Tensor assertTrue(Operand condition, const std::string &message);
Tensor assertTrue(Operand condition, const std::string &message, Operand value);
/// The value, of which every element must be above 0, or below, or not below,
/// or not above.
Tensor assertPositive(Operand value, const std::string &message = "");
Tensor assertNegative(Operand value, const std::string &message = "");
Tensor assertNonNegative(Operand value, const std::string &message = "");
Tensor assertNonPositive(Operand value, const std::string &message = "");
/// The value, whose elements must all compare so with those of the other.
Tensor assertEqual(Operand value, Operand other,
                   const std::string &message = "");
Tensor assertLess(Operand value, Operand other,
                  const std::string &message = "");
Tensor assertLessEqual(Operand value, Operand other,
                       const std::string &message = "");
Tensor assertGreater(Operand value, Operand other,
                     const std::string &message = "");
Tensor assertGreaterEqual(Operand value, Operand other,
                          const std::string &message = "");
/// The value; an error at once where it has another rank.
Tensor assertRank(Operand value, int64_t rank);

/// Returns the results of `forward`, with the gradient that `backward` gives;
/// both are called at once, with tensors of their own, and use no others. A
/// gradient of the gradient differentiates the operations that `backward`
/// built.
std::vector<Tensor> customGradient(
    const std::vector<Operand> &inputs,
    const std::function<std::vector<Tensor>(const std::vector<Tensor> &)>
        &forward,
    const GivenGradient &backward,
    std::source_location where = std::source_location::current());

/// Gives a gradient a name, by which a GradientOverride finds it. Throws
/// GraphError where another one of the program has the name.
void registerGradient(
    const Program &program, const std::string &name, GivenGradient gradient,
    std::source_location where = std::source_location::current());

/// A gradient for a GradientOverride: the function, or the name that it was
/// registered by.
class OverrideGradient {
public:
  template <std::convertible_to<GivenGradient> Function>
    requires(!std::convertible_to<Function, std::string>)
  OverrideGradient(Function function,
                   std::source_location where = std::source_location::current())
      : gradient(dsl::required(std::move(function),
                               "a function that gives gradients", where)) {}
  OverrideGradient(std::string given) : name(std::move(given)) {}
  OverrideGradient(const char *given) : name(given) {}

  /// The DSL's own.
  GivenGradient gradient;
  std::string name;
};

/// While it lives, host calls of the names get these gradients; they count as
/// pure. Inner ones come before outer ones. TensorFlow: gradient_override_map.
class GradientOverride {
public:
  GradientOverride(
      const Program &program, std::map<std::string, OverrideGradient> gradients,
      std::source_location where = std::source_location::current());
  ~GradientOverride();
  GradientOverride(const GradientOverride &) = delete;
  GradientOverride &operator=(const GradientOverride &) = delete;

private:
  std::shared_ptr<dsl::Body> body;
  std::map<std::string, GivenGradient> before;
};

} // namespace tg

#endif // TG_TENSOR_HOST_H
