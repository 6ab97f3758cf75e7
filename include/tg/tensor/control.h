/// Branches and loops, whose bodies are C++ functions of tensors. A body runs
/// conditionally or repeatedly. A body can use the variables and tensors of the
/// surrounding code; it passes tensors out by returning them.
///
///   Tensor larger = cond(reduceMax(x) > 1, [&] { return x / 2; },
///                        [&] { return x; });
///   auto [last, all] = scan(
///       [&](Tensor sum, Tensor row) {
///         return std::pair(sum + row, square(sum + row));
///       },
///       {start}, {rows});
///
/// In eager mode each function is called every time its branch or iteration
/// runs. In graph mode it is called once, to record its operations. In graph
/// mode variables have their values from before the step; an assign() inside a
/// body belongs to the program functions that take its updates, and runs as
/// often as its line does. A random op inside a body takes new samples in each
/// iteration. Gradients, optimizers and functions of a program must be
/// outside of bodies.
#ifndef TG_TENSOR_CONTROL_H
#define TG_TENSOR_CONTROL_H

#include "error.h"
#include "tensor.h"

#include <array>
#include <concepts>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tg {

class Program;

/// An initial value of a loop, or a result of a body: a tensor, or a number
/// that becomes a scalar. A number takes the type of its counterpart: the
/// initial value of the loop, or the result of the other branch, unless eager
/// mode runs only one branch. Without a counterpart integers become i32,
/// booleans become boolean and all others become f32. A loop whose initial
/// values are all numbers belongs to the default graph.
class LoopValue {
public:
  template <std::convertible_to<Tensor> Value>
  LoopValue(const Value &value) : tensor(Tensor(value)) {}
  template <typename Number>
    requires std::is_arithmetic_v<Number>
  LoopValue(Number value)
      : isNumber(true), number(static_cast<double>(value)),
        dtype(std::same_as<Number, bool> ? boolean
              : std::integral<Number>    ? i32
                                         : f32) {}

  /// Internal.
  Tensor tensor;
  bool isNumber = false;
  double number = 0;
  DType dtype = f32;
};

namespace dsl {

using LoopValues = std::vector<LoopValue>;

/// Converts the result of a body to a list. A body returns nothing, one value,
/// or several values in a vector, an array, a pair or a tuple.
template <typename Result> LoopValues listOf(const Result &result) {
  if constexpr (std::convertible_to<const Result &, LoopValue>)
    return {LoopValue(result)};
  else if constexpr (requires { std::tuple_size<Result>::value; })
    return std::apply(
        [](const auto &...values) { return LoopValues{LoopValue(values)...}; },
        result);
  else
    return LoopValues(result.begin(), result.end());
}

/// Returns the number of values that listOf() gives, or SIZE_MAX if it is known
/// at run time only.
template <typename Result> constexpr size_t valueCount() {
  if constexpr (std::is_void_v<Result>)
    return 0;
  else if constexpr (std::convertible_to<const Result &, LoopValue>)
    return 1;
  else if constexpr (requires { std::tuple_size<Result>::value; })
    return std::tuple_size_v<Result>;
  else
    return SIZE_MAX;
}

/// Returns tensors in the form in which a body returned them: a single tensor,
/// a vector of tensors, or an array for structured bindings.
template <typename Result> auto likeResult(std::vector<Tensor> tensors) {
  if constexpr (std::is_void_v<Result>)
    return;
  else if constexpr (std::convertible_to<Result, LoopValue>)
    return tensors.at(0);
  else if constexpr (requires { std::tuple_size<Result>::value; })
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return std::array<Tensor, sizeof...(i)>{tensors.at(i)...};
    }(std::make_index_sequence<std::tuple_size_v<Result>>());
  else
    return tensors;
}

/// Returns the number of parameters of a function of tensors, or SIZE_MAX if
/// the function takes a vector of tensors.
template <typename Function, size_t count = 0>
constexpr size_t parameterCount() {
  constexpr bool isInvocable = []<size_t... i>(std::index_sequence<i...>) {
    return std::invocable<
        Function &, std::tuple_element_t<i, std::array<Tensor, count>>...>;
  }(std::make_index_sequence<count>());
  if constexpr (isInvocable)
    return count;
  else if constexpr (count < 16)
    return parameterCount<Function, count + 1>();
  else
    return SIZE_MAX;
}

template <typename Function>
auto callWith(Function &function, const std::vector<Tensor> &arguments) {
  constexpr size_t count = parameterCount<Function>();
  if constexpr (count == SIZE_MAX)
    return function(arguments);
  else
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return function(arguments[i]...);
    }(std::make_index_sequence<count>());
}

template <typename Function>
using ResultOf = decltype(callWith(std::declval<Function &>(),
                                   std::declval<std::vector<Tensor> &>()));

/// A function of tensors that stands for a region. `run` is empty if the user's
/// function is empty.
struct RegionFunction {
  size_t parameters = SIZE_MAX;
  std::function<LoopValues(const std::vector<Tensor> &)> run;
  /// The number of values that it returns, as computed by valueCount().
  size_t values = SIZE_MAX;
};

template <typename Function> RegionFunction regionOf(Function &function) {
  if (isEmpty(function))
    return {};
  return {parameterCount<Function>(),
          [&function](const std::vector<Tensor> &arguments) -> LoopValues {
            if constexpr (std::is_void_v<ResultOf<Function>>) {
              callWith(function, arguments);
              return {};
            } else {
              return listOf(callWith(function, arguments));
            }
          },
          valueCount<ResultOf<Function>>()};
}

} // namespace dsl

//===-- Branches ----------------------------------------------------------===//

namespace dsl {
std::vector<Tensor> buildCond(const Operand &predicate,
                              const RegionFunction &then,
                              const RegionFunction &otherwise);
} // namespace dsl

/// Returns the result of `then` if the predicate, a boolean scalar, is true,
/// otherwise the result of `otherwise`. Both functions take no parameters and
/// return values of the same types, or nothing. Only the chosen branch is
/// computed.
template <std::invocable Then, std::invocable Otherwise>
auto cond(Operand predicate, Then then, Otherwise otherwise) {
  return dsl::likeResult<std::invoke_result_t<Then &>>(
      dsl::buildCond(predicate, dsl::regionOf(then), dsl::regionOf(otherwise)));
}

//===-- Loops -------------------------------------------------------------===//

struct WhileOptions {
  /// The upper bound of the number of iterations, at least 1. A run that
  /// exceeds it fails. In graph mode a gradient through the loop needs the
  /// bound; without it, the line that asks for the gradient throws an error. 0:
  /// no bound.
  int64_t maxTrip = 0;
};

struct ScanOptions {
  /// Visits the elements from last to first.
  bool reverse = false;
  /// Splits the loop into this number of segments. For gradients only the
  /// values at the start of each segment are saved; the others are recomputed,
  /// which takes less memory and more time. 0: all values are saved.
  int64_t segments = 0;
  /// The number of steps of a scan without inputs.
  std::optional<int64_t> length = {};
};

namespace dsl {
std::vector<Tensor> buildWhile(const RegionFunction &condition,
                               const RegionFunction &body,
                               const LoopValues &inits,
                               const WhileOptions &options,
                               std::source_location where);
std::vector<Tensor> buildScan(const RegionFunction &body,
                              const LoopValues &inits,
                              const std::vector<Tensor> &inputs,
                              const ScanOptions &options,
                              std::source_location where);
} // namespace dsl

/// Replaces values by the results of `body` as long as `condition`, a boolean
/// scalar, is true. Both functions have a parameter per value, or take all
/// values as a vector. The results of `body` have the types of `inits`. The
/// loop returns values of these types, in the form in which the body returned
/// its results.
/// In graph mode an extent has in every iteration the value that it has in
/// `inits`. An extent that grows or shrinks must be dynamic in `inits` and in
/// the result of `body`, with an upper bound. ensureShape() declares both, like
/// the shape invariants of TensorFlow.
template <typename Condition, typename Body>
auto whileLoop(Condition condition, Body body, const dsl::LoopValues &inits,
               const WhileOptions &options = {},
               std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Body>>(dsl::buildWhile(
      dsl::regionOf(condition), dsl::regionOf(body), inits, options, where));
}

/// Loops over the elements of tensors along dimension 0. `body` takes the
/// carried values, which start as `inits`, then an element of each input. It
/// returns the next carried values, then the values to stack: [d, ...] of each
/// of t steps becomes [t, d, ...]. The result has the last carried values, then
/// the stacked ones, in the form in which the body returned them. All inputs
/// have the same number of elements. Without inputs, `length` is the number of
/// steps. Step i reads and writes element i, in both directions.
template <typename Body>
auto scan(Body body, const dsl::LoopValues &inits,
          const std::vector<Tensor> &inputs = {},
          const ScanOptions &options = {},
          std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Body>>(
      dsl::buildScan(dsl::regionOf(body), inits, inputs, options, where));
}

/// Applies a function to each element of tensors along dimension 0, and stacks
/// the results.
template <typename Function>
auto mapFn(Function function, const std::vector<Tensor> &inputs,
           std::source_location where = std::source_location::current()) {
  return scan(std::move(function), {}, inputs, {}, where);
}

/// Returns function(… function(function(init, x[0]), x[1]) …, x[t - 1]).
template <typename Function>
Tensor foldl(Function function, const Tensor &input, const LoopValue &init,
             std::source_location where = std::source_location::current()) {
  return scan(std::move(function), {init}, {input}, {}, where);
}

//===-- Arrays of tensors -------------------------------------------------===//

/// A list of tensors of one shape, [size, ...], for loops to fill. The list is
/// an immutable value, like any tensor; every write returns a new list. Loops
/// can carry it, and their bodies can take and return it in place of its
/// tensor.
class TensorArray {
public:
  /// Makes a list of zeros. The shape of the elements must be static.
  TensorArray(const Program &program, int64_t size, DType dtype = f32,
              const Shape &elementShape = {},
              std::source_location where = std::source_location::current());
  /// Makes a list of the elements of a tensor along dimension 0.
  TensorArray(Tensor elements) : all(std::move(elements)) {}

  /// Returns the list with the element at an index replaced. The index is an
  /// integer scalar or a number. An index outside of the list is an error,
  /// before the run if possible, otherwise at run time.
  TensorArray write(Operand index, Operand value) const;
  Tensor read(Operand index) const;
  /// Returns the elements at several indices, [indices, ...].
  Tensor gather(Operand indices) const;
  /// Returns the rows of all elements, concatenated: [size · rows, ...].
  Tensor
  concat(std::source_location where = std::source_location::current()) const;
  /// Returns all elements, [size, ...].
  const Tensor &stack() const { return all; }
  operator const Tensor &() const { return all; }

private:
  Tensor all;
};

} // namespace tg

#endif // TG_TENSOR_CONTROL_H
