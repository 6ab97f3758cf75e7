/// Branches and loops, whose bodies are C++ functions of tensors. What they
/// compute is run on condition or again and again, and variables and tensors of
/// outside are seen inside; a tensor of inside is given out by being returned.
///
///   Tensor larger = cond(reduceMax(x) > 1, [&] { return x / 2; },
///                        [&] { return x; });
///   auto [last, all] = scan(
///       [&](Tensor sum, Tensor row) {
///         return std::pair(sum + row, square(sum + row));
///       },
///       {start}, {rows});
///
/// In eager mode the functions are called as often as they run; else once, to
/// see what they do. Variables have their values from before the step; what
/// assign() gives inside belongs to the functions that take it, and is then
/// done as often as the line runs. A random draw inside is another one in each
/// trip. Gradients, optimizers and functions of a program stand outside.
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

/// A value that a loop begins with or that a body returns: a tensor, or a
/// number that becomes a scalar. Its type is that of the value in the same
/// place: where the loop begins, or of the other branch, unless eager mode runs
/// one alone. Else integers are i32, truth values boolean and all others f32.
/// A loop that begins with numbers alone stands in the default graph.
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

  /// The DSL's own.
  Tensor tensor;
  bool isNumber = false;
  double number = 0;
  DType dtype = f32;
};

namespace dsl {

using LoopValues = std::vector<LoopValue>;

/// Returns the results of a body as a list: nothing, one value, or several in a
/// vector, an array, a pair or a tuple.
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

/// Returns the number of values of listOf(); SIZE_MAX if only a run knows it.
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

/// Tensors as a body returned them: one by itself, a vector of them, or an
/// array for structured bindings.
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

/// The number of parameters of a function of tensors; SIZE_MAX of one that
/// takes a vector of them.
template <typename Function, size_t count = 0>
constexpr size_t parameterCount() {
  constexpr bool takesSoMany = []<size_t... i>(std::index_sequence<i...>) {
    return std::invocable<
        Function &, std::tuple_element_t<i, std::array<Tensor, count>>...>;
  }(std::make_index_sequence<count>());
  if constexpr (takesSoMany)
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

/// A function of tensors that stands for a region; `run` is empty where it is.
struct RegionFunction {
  size_t parameters = SIZE_MAX;
  std::function<LoopValues(const std::vector<Tensor> &)> run;
  /// The number of values that it returns, as valueCount() says.
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

/// Returns the results of `then` if the predicate, a boolean scalar, is true,
/// else those of `otherwise`: functions without parameters that return values
/// of the same types, or nothing. The other function is not computed.
template <std::invocable Then, std::invocable Otherwise>
auto cond(Operand predicate, Then then, Otherwise otherwise) {
  return dsl::likeResult<std::invoke_result_t<Then &>>(
      dsl::buildCond(predicate, dsl::regionOf(then), dsl::regionOf(otherwise)));
}

//===-- Loops -------------------------------------------------------------===//

struct WhileOptions {
  /// The most trips that there can be, at least 1: more are an error of the
  /// run. In graph mode gradients through the loop need it, and to ask for one
  /// without is an error at the line that asks. 0: any number.
  int64_t maxTrip = 0;
};

struct ScanOptions {
  /// From the last element to the first.
  bool reverse = false;
  /// The number of parts of the loop. Gradients save the state at the start of
  /// each part and recompute the rest: less memory for more time. 0: saves
  /// everything.
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

/// Replaces values by what `body` makes of them while `condition` of them
/// holds, a scalar of truth values. Both functions have a parameter per value,
/// or take all of them as a vector; what `body` returns has the types of
/// `inits`, and so has the result, in the form in which the body returned it.
///
/// In graph mode an extent stays from trip to trip what it is in `inits`. Where
/// it is to grow or shrink it must be unknown there and in what `body` returns,
/// with a bound of how much room it needs: ensureShape() says both, as the
/// shape invariants of TensorFlow do.
///
///   auto open = [](Tensor x) { return ensureShape(x, {-1}, {16}); };
///   Tensor eight = whileLoop(
///       [](Tensor x) { return reduceSum(x) < 8.0; },
///       [&](Tensor x) { return open(concat({x, x}, 0)); },
///       {open(program.ones({1}))});
template <typename Condition, typename Body>
auto whileLoop(Condition condition, Body body, const dsl::LoopValues &inits,
               const WhileOptions &options = {},
               std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Body>>(dsl::buildWhile(
      dsl::regionOf(condition), dsl::regionOf(body), inits, options, where));
}

/// A loop over the elements of tensors along dimension 0. `body` takes the
/// carried values, which begin as `inits`, then an element of each input, and
/// returns the next carried values, then what is stacked: [d, ...] of each step
/// becomes [t, d, ...]. The result has the last carried values, then the
/// stacked ones, in the form in which the body returned them. Inputs have as
/// many elements, or there are none and `length` says how many steps there are.
/// Step i's element stands at place i, in both directions.
template <typename Body>
auto scan(Body body, const dsl::LoopValues &inits,
          const std::vector<Tensor> &inputs = {},
          const ScanOptions &options = {},
          std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Body>>(
      dsl::buildScan(dsl::regionOf(body), inits, inputs, options, where));
}

/// Returns the results of a function of each element of tensors along dimension
/// 0, stacked.
template <typename Function>
auto mapFn(Function function, const std::vector<Tensor> &inputs,
           std::source_location where = std::source_location::current()) {
  return scan(std::move(function), {}, inputs, {}, where);
}

/// function(… function(function(init, x[0]), x[1]) …, x[t - 1]).
template <typename Function>
Tensor foldl(Function function, const Tensor &input, const LoopValue &init,
             std::source_location where = std::source_location::current()) {
  return scan(std::move(function), {init}, {input}, {}, where);
}

//===-- Arrays of tensors -------------------------------------------------===//

/// A list of tensors of one shape, [size, ...], that loops fill: a value like
/// any tensor, which every write replaces by another one. Loops carry it, and
/// their functions may take and return it, in place of its tensor.
class TensorArray {
public:
  /// Zeros, each of the shape, which is known.
  TensorArray(const Program &program, int64_t size, DType dtype = f32,
              const Shape &elementShape = {},
              std::source_location where = std::source_location::current());
  /// The elements of a tensor along dimension 0.
  TensorArray(Tensor elements) : all(std::move(elements)) {}

  /// The list with another element at a place, an integer scalar or a number. A
  /// place outside of it is an error, at run time if not before.
  TensorArray write(Operand place, Operand value) const;
  Tensor read(Operand place) const;
  /// The elements at several places, [places, ...].
  Tensor gather(Operand places) const;
  /// The rows of all elements, one after the other, [size · rows, ...].
  Tensor
  concat(std::source_location where = std::source_location::current()) const;
  /// All elements, [size, ...].
  const Tensor &stack() const { return all; }
  operator const Tensor &() const { return all; }

private:
  Tensor all;
};

} // namespace tg

#endif // TG_TENSOR_CONTROL_H
