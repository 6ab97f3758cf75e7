//===- Sequences.cpp - positions and sequences of different lengths -------===//
#include "tg/tensor/sequences.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/functional.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

Tensor tg::positions(Operand like, int64_t axis, DType dtype) {
  Scope scope(like);
  axis = resolveAxis(like, axis);
  int64_t extent = extentList(like)[axis];
  std::vector<Operand> unknown;
  if (extent == -1)
    unknown.push_back(extentOf(like, axis));
  return iota(like.tensor().body(), {extent}, unknown, 0, dtype, like.where());
}

Tensor tg::range(Operand limit, const RangeOptions &options) {
  Scope scope(limit.tensor().body(), "range", limit.where());
  const Tensor &number = limit.tensor();
  const BodyPtr &body = number.body();
  expectIntegerScalar(limit, "a limit");
  if (options.max < 0)
    raise("expected a greatest limit of at least 0, found " +
              std::to_string(options.max),
          body, limit.where());
  Tensor count = cast(number, i64);
  if (options.max == 0)
    return iota(body, {-1}, {count}, 0, options.dtype, limit.where());
  Tensor all = iota(body, {options.max}, {}, 0, options.dtype, limit.where());
  return slice(all, {.starts = {0}, .sizes = {count}});
}

/// Gathers each step before the length from its mirrored position. The other
/// steps do not change.
Tensor tg::reverseSequence(Operand input, Operand lengths,
                           const ReverseSequenceOptions &options) {
  Scope scope(input.tensor().body(), "reverseSequence", input.where());
  int64_t axis = resolveAxis(input, options.axis);
  int64_t batch = resolveAxis(input, options.batchAxis);
  DType dtype = lengths.tensor().dtype();
  if (axis == batch || lengths.tensor().rank() != 1 || isFloat(dtype))
    raise("expected two axes and integer lengths [n], found axes " +
              std::to_string(axis) + " and " + std::to_string(batch) +
              " and lengths " + toString(dtype) + " " +
              toString(lengths.tensor().shape()),
          input.tensor().body(), input.where());
  Tensor swapped = swapDimensions(input, batch, 0);
  // The axis of the steps after the swap.
  int64_t steps = axis == 0 ? batch : axis;
  Tensor index = positions(swapped, steps);
  Tensor length = expandDims(cast(lengths, i64), -1);
  Tensor source = select(index < length, length - 1.0 - index, index);
  Tensor reversed = swapDimensions(gather(swapDimensions(swapped, steps, 1),
                                          source, {.axis = 1, .batchDims = 1}),
                                   steps, 1);
  return swapDimensions(reversed, batch, 0);
}

Tensor tg::sinusoids(Operand positions, int64_t units, DType dtype) {
  Scope scope(positions);
  const BodyPtr &body = positions.tensor().body();
  if (units < 2 || units % 2 != 0)
    raise("expected an even number of units, found " + std::to_string(units),
          body, positions.where());
  if (!isFloat(dtype))
    raise("expected a type of floats, found " + toString(dtype), body,
          positions.where());
  std::vector<double> rates;
  for (int64_t i = 0; i < units; i += 2)
    rates.push_back(std::pow(1e4, -static_cast<double>(i) / double(units)));
  Tensor rate(body, take(body->constant({dtype, {units / 2}}, rates,
                                        positions.where())));
  Tensor angle = expandDims(cast(positions, dtype), -1) * rate;
  Tensor pairs = stack({sin(angle), cos(angle)}, -1);
  return flatten(pairs, pairs.rank() - 2);
}
