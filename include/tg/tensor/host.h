/// The interaction of a program with its caller: host functions, prints,
/// assertions and user-defined gradients. All work in both modes; in eager mode
/// they take effect immediately.
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

/// A function that returns the cotangents of the float inputs, in order. It
/// gets the inputs, the outputs, and the cotangents of the float outputs.
using GivenGradient = std::function<std::vector<Tensor>(
    const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs,
    const std::vector<Tensor> &gradients)>;

/// A host function. It gets the inputs and returns the results that its
/// hostCall() declares. An exception that it throws ends the run.
using ArrayFunction =
    std::function<std::vector<Array>(const std::vector<Array> &inputs)>;
/// A handler of print().
using ArrayPrinter =
    std::function<void(const std::string &label, const Array &value)>;

/// Registers a host function under a name for hostCall(). It is called in eager
/// mode, and in sessions that have no function of this name themselves
/// (Session::registerHost).
void registerHost(const Program &program, const std::string &name,
                  ArrayFunction function,
                  std::source_location where = std::source_location::current());
/// Sets the handler of print() in an eager program. Default: a line on the
/// standard error. An empty function discards the output.
void onPrint(const Program &program, ArrayPrinter handler);

/// The options of a call of a host function.
struct HostCallOptions {
  /// Declares that the results depend on the inputs alone. Equal calls may then
  /// be merged, an unused call is removed, and the call may have a gradient.
  /// Otherwise the call happens once in each function that needs one of its
  /// results, in program order.
  bool pure = false;
  /// The values of dynamic extents of the results, in order: i64 scalars that
  /// are computed from extents. An extent with the name of an extent of an
  /// input has no entry, and is equal to that extent of the first such input.
  /// However, if `sizes` has an entry for every dynamic extent, names are
  /// ignored.
  std::vector<Operand> sizes = {};
  /// Upper bounds of the dynamic extents, in place of `sizes`, if the function
  /// determines the extents. An ArrayFunction then returns arrays of the actual
  /// extents. A function that a library calls gets results with these upper
  /// bounds as extents, and fills them from the start of each dimension. It
  /// also fills an additional result, i64 [k], with the actual extents of all
  /// results in order.
  std::vector<int64_t> bounds = {};
};

/// Calls a host function that is registered under a name: with the program
/// (registerHost), with a session, or with the caller of the library
/// (Context::registerHost). The function gets the inputs as dense arrays and
/// fills the results. Without inputs the call belongs to the default graph. It
/// is not differentiable, except within a GradientOverride of the name or in
/// customGradient().
std::vector<Tensor>
hostCallAll(const std::string &name, const std::vector<Operand> &inputs,
            const std::vector<TensorType> &results,
            const HostCallOptions &options = {},
            std::source_location where = std::source_location::current());
/// Same, for a function with one result.
Tensor hostCall(const std::string &name, const std::vector<Operand> &inputs,
                const TensorType &result, const HostCallOptions &options = {},
                std::source_location where = std::source_location::current());

/// Same, for functions without inputs, in the given program.
std::vector<Tensor>
hostCallAll(const Program &program, const std::string &name,
            const std::vector<TensorType> &results,
            const HostCallOptions &options = {},
            std::source_location where = std::source_location::current());
Tensor hostCall(const Program &program, const std::string &name,
                const TensorType &result, const HostCallOptions &options = {},
                std::source_location where = std::source_location::current());

/// Returns the value. A run of a function that needs the result prints the
/// value to the log.
Tensor print(const std::string &label, Operand value);

/// Returns the condition, a boolean scalar; the second overload returns
/// `value`. A run of a function that needs the result fails with
/// TG_ERROR_ASSERT if the condition is false, and changes no variable.
Tensor assertTrue(Operand condition, const std::string &message);
Tensor assertTrue(Operand condition, const std::string &message, Operand value);
/// Return the value. Every element must be positive, negative, not negative, or
/// not positive, respectively; otherwise the run fails.
Tensor assertPositive(Operand value, const std::string &message = "");
Tensor assertNegative(Operand value, const std::string &message = "");
Tensor assertNonNegative(Operand value, const std::string &message = "");
Tensor assertNonPositive(Operand value, const std::string &message = "");
/// Return the value. Every element must satisfy the comparison with the element
/// of `other`; otherwise the run fails.
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
/// Returns the value. Throws immediately if it has another rank.
Tensor assertRank(Operand value, int64_t rank);

/// Returns the results of `forward` with the gradient that `backward` computes.
/// Both are called immediately, with their own tensors, and must not use other
/// tensors. A second-order gradient differentiates the operations that
/// `backward` built.
std::vector<Tensor> customGradient(
    const std::vector<Operand> &inputs,
    const std::function<std::vector<Tensor>(const std::vector<Tensor> &)>
        &forward,
    const GivenGradient &backward,
    std::source_location where = std::source_location::current());

/// Registers a gradient under a name for GradientOverride. Throws GraphError if
/// the program has another gradient of the name.
void registerGradient(
    const Program &program, const std::string &name, GivenGradient gradient,
    std::source_location where = std::source_location::current());

/// A gradient for a GradientOverride: a function, or the name under which it
/// was registered.
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

  /// Internal.
  GivenGradient gradient;
  std::string name;
};

/// Sets the gradients of the host functions with these names. Applies to the
/// calls that are built during the lifetime of this object, which count as
/// pure. Inner overrides take precedence over outer ones. TensorFlow:
/// gradient_override_map.
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
