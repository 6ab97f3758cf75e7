//===- Makers.cpp - tensors created from a shape --------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/program.h"
#include "tg/tensor/functional.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The numbers of a shape, with -1 for dynamic extents, and the dynamic
/// extents.
struct Extents {
  std::vector<int64_t> numbers;
  std::vector<Operand> unknown;
};
} // namespace

/// Returns the extents of a shape. A named extent has its value from the first
/// input that has it, or in eager mode from the last tensor.
static Extents extentsOf(const BodyPtr &body, const Shape &shape, Place where) {
  Extents extents;
  for (const Extent &extent : shape) {
    extents.numbers.push_back(extent.value);
    if (extent.value >= 0)
      continue;
    auto number = body->namedNumbers.find(extent.name);
    if (number != body->namedNumbers.end()) {
      extents.numbers.back() = number->second;
      continue;
    }
    auto named = body->namedExtents.find(extent.name);
    if (named == body->namedExtents.end())
      raise(extent.isKnown()
                ? "expected extents of at least 0, found " + toString(shape)
            : extent.name.empty()
                ? "expected extents that are numbers or have names of inputs' "
                  "extents, found dim()"
                : "expected an input with an extent '" + extent.name +
                      "', found none",
            body, where);
    const auto &[input, axis] = named->second;
    extents.unknown.push_back(extentOf({Tensor(body, input), where}, axis));
  }
  return extents;
}

Tensor Program::fill(const Shape &shape, double value, DType dtype,
                     std::source_location where) {
  Scope scope(owner, "", where);
  Extents extents = extentsOf(owner, shape, where);
  if (extents.unknown.empty())
    return constant(value, dtype,
                    {extents.numbers.begin(), extents.numbers.end()}, where);
  std::vector<Operand> operands = {scalar(owner, value, dtype, where)};
  operands.insert(operands.end(), extents.unknown.begin(),
                  extents.unknown.end());
  return call("broadcast_to", operands, {{"shape", extents.numbers}});
}

Tensor Program::zeros(const Shape &shape, DType dtype,
                      std::source_location where) {
  return fill(shape, 0, dtype, where);
}

Tensor Program::ones(const Shape &shape, DType dtype,
                     std::source_location where) {
  return fill(shape, 1, dtype, where);
}

Tensor Program::range(const Extent &limit, DType dtype,
                      std::source_location where) {
  Scope scope(owner, "", where);
  Extents extents = extentsOf(owner, {limit}, where);
  return iota(owner, extents.numbers, extents.unknown, 0, dtype, where);
}

/// Computes floats as f64 and rounds them once.
Tensor Program::range(double start, double limit, double step, DType dtype,
                      std::source_location where) {
  Scope scope(owner, "", where);
  double count = step == 0 ? -1 : std::ceil((limit - start) / step);
  if (!(count >= 0))
    raise("expected a step from " + textOf(start) + " towards " +
              textOf(limit) + ", found " + textOf(step),
          owner, where);
  if (count >= 0x1p53)
    raise("expected fewer than 2^53 numbers in a range, found " + textOf(count),
          owner, where);
  DType exact = isFloat(dtype) ? f64 : dtype;
  Tensor numbers =
      iota(owner, {static_cast<int64_t>(count)}, {}, 0, exact, where);
  if (step != 1)
    numbers *= step;
  if (start != 0)
    numbers += start;
  return cast(numbers, dtype);
}

/// Computes as f64 and rounds once. The last number is exactly `stop`.
Tensor Program::linspace(double start, double stop, int64_t count, DType dtype,
                         std::source_location where) {
  Scope scope(owner, "", where);
  if (!isFloat(dtype))
    raise("expected a type of floats, found " + toString(dtype), owner, where);
  if (count < 0)
    raise("expected at least 0 numbers, found " + std::to_string(count), owner,
          where);
  double last = static_cast<double>(count - 1);
  double step = count > 1 ? (stop - start) / last : 0;
  Tensor index = iota(owner, {count}, {}, 0, f64, where);
  Tensor numbers = index * step + start;
  if (count > 1)
    numbers = select(index == last, stop, numbers);
  return cast(numbers, dtype);
}

Tensor Program::eye(const Extent &rows, DType dtype,
                    std::source_location where) {
  return eye(rows, rows, dtype, where);
}

Tensor Program::eye(const Extent &rows, const Extent &columns, DType dtype,
                    std::source_location where) {
  Scope scope(owner, "", where);
  Tensor row = range(rows, i64, where);
  Tensor column = range(columns, i64, where);
  return cast(expandDims(row, -1) == column, dtype);
}

Tensor Program::randomUniform(const Shape &shape, UniformOptions options,
                              DType dtype, std::source_location where) {
  Scope scope(owner, "", where);
  if (!(options.low <= options.high))
    raise("expected a range from low to high, found " + textOf(options.low) +
              " to " + textOf(options.high),
          owner, where);
  Extents extents = extentsOf(owner, shape, where);
  Tensor samples = drawSamples("random_uniform", owner, extents.numbers,
                               extents.unknown, dtype, where);
  if (options.high - options.low != 1)
    samples *= options.high - options.low;
  return options.low == 0 ? samples : samples + options.low;
}

Tensor Program::randomNormal(const Shape &shape, NormalOptions options,
                             DType dtype, std::source_location where) {
  Scope scope(owner, "", where);
  Extents extents = extentsOf(owner, shape, where);
  Tensor samples = drawSamples("random_normal", owner, extents.numbers,
                               extents.unknown, dtype, where);
  if (options.stddev != 1)
    samples *= options.stddev;
  return options.mean == 0 ? samples : samples + options.mean;
}

Tensor tg::shapeOf(Operand input) {
  Scope scope(input);
  const Tensor &tensor = input.tensor();
  if (tensor.rank() == 0)
    return iota(tensor.body(), {0}, {}, 0, i64, input.where());
  std::vector<Operand> extents;
  for (int64_t axis = 0; axis < tensor.rank(); ++axis)
    extents.push_back(extentOf(input, axis));
  return stack(extents);
}
