//===- MovementFunctions.cpp - reshapes, joins, splits, copies ------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Extents and reshapes
//===----------------------------------------------------------------------===//

Tensor tg::extentOf(Operand input, int64_t axis) {
  return call("dim", {input}, {{"axis", resolveAxis(input, axis)}});
}

/// Returns the product of the static extents.
static int64_t staticCount(const std::vector<int64_t> &extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    if (extent != -1)
      count *= extent;
  return count;
}

/// Warns of a reshape whose -1 takes the place of the only dynamic extent, but
/// counts something else: the other dims have neither a multiple nor a part of
/// the elements that they have in the input. The product of the dims was
/// checked, so it does not overflow.
static void warnOfRows(const Operand &input,
                       const std::vector<int64_t> &shape) {
  std::vector<int64_t> extents = extentList(input);
  auto axis = std::find(extents.begin(), extents.end(), -1);
  auto entry = std::find(shape.begin(), shape.end(), -1);
  if (std::count(extents.begin(), extents.end(), -1) != 1 ||
      entry == shape.end())
    return;
  int64_t before = staticCount(extents), after = staticCount(shape);
  if (before == 0 || after == 0 || before % after == 0 || after % before == 0)
    return;
  input.tensor().body()->warn("dim " + std::to_string(entry - shape.begin()) +
                                  " of the result is not dim " +
                                  std::to_string(axis - extents.begin()) +
                                  " of the input: " + std::to_string(before) +
                                  " elements for each of its indices, found " +
                                  std::to_string(after) +
                                  " in the other dims of the result",
                              input.where());
}

Tensor tg::reshape(Operand input, std::vector<int64_t> shape) {
  Tensor result = call("reshape", {input}, {{"shape", shape}});
  warnOfRows(input, shape);
  return result;
}

Tensor tg::flatten(Operand input) {
  Scope scope(input);
  if (input.tensor().rank() == 0)
    raise("expected a tensor of rank at least 1, found a scalar",
          input.tensor().body(), input.where());
  std::vector<int64_t> extents = extentList(input);
  int64_t width = 1;
  bool isKnown = true;
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    isKnown &= extents[axis] != -1;
    width *= extents[axis];
  }
  if (isKnown)
    return reshapeFrom(input, {extents[0], width},
                       extents[0] == -1 ? std::vector<int64_t>{0}
                                        : std::vector<int64_t>());
  if (extents[0] != -1)
    return reshape(input, {extents[0], -1});
  std::vector<int64_t> others;
  for (size_t axis = 1; axis < extents.size(); ++axis)
    others.push_back(static_cast<int64_t>(axis));
  return call("reshape",
              {input, extentOf(input, 0), elementCount(input, others, i64)},
              {{"shape", std::vector<int64_t>{-1, -1}}});
}

Tensor tg::flatten(Operand input, int64_t first, int64_t last) {
  Scope scope(input);
  first = resolveAxis(input, first);
  last = resolveAxis(input, last);
  std::vector<std::vector<int64_t>> groups;
  for (int64_t axis = 0; axis < input.tensor().rank(); ++axis) {
    if (axis <= first || axis > last)
      groups.emplace_back();
    groups.back().push_back(axis);
  }
  return regroup(input, groups);
}

Tensor tg::unflatten(Operand input, int64_t axis,
                     std::vector<int64_t> extents) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  std::vector<int64_t> shape = extentList(input);
  std::vector<int64_t> sources;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == -1 && static_cast<int64_t>(i) != axis)
      sources.push_back(static_cast<int64_t>(i));
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  if (product != shape[axis])
    raise("expected extents whose product equals dim " + std::to_string(axis) +
              " of shape " + toString(input.tensor().shape()) + ", found " +
              std::to_string(product),
          input.tensor().body(), input.where());
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, extents.begin(), extents.end());
  return reshapeFrom(input, shape, sources);
}

Tensor tg::expandDims(Operand input, int64_t axis) {
  Scope scope(input);
  int64_t rank = input.tensor().rank();
  int64_t resolved = axis < 0 ? axis + rank + 1 : axis;
  if (resolved < 0 || resolved > rank)
    raise("expected an axis in [" + std::to_string(-rank - 1) + ", " +
              std::to_string(rank) + "], found " + std::to_string(axis),
          input.tensor().body(), input.where());
  std::vector<int64_t> shape = extentList(input);
  std::vector<int64_t> sources;
  for (int64_t i = 0; i < rank; ++i)
    if (shape[i] == -1)
      sources.push_back(i);
  shape.insert(shape.begin() + resolved, 1);
  return reshapeFrom(input, shape, sources);
}

Tensor tg::squeeze(Operand input, std::vector<int64_t> axes) {
  Scope scope(input);
  std::vector<int64_t> extents = extentList(input);
  axes = resolveAxes(input, std::move(axes));
  bool all = axes.empty();
  std::vector<int64_t> shape, sources;
  for (int64_t axis = 0; axis < input.tensor().rank(); ++axis) {
    bool named = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (named && extents[axis] != 1)
      raise("expected dim " + std::to_string(axis) + " of shape " +
                toString(input.tensor().shape()) + " to be 1",
            input.tensor().body(), input.where());
    if (named || (all && extents[axis] == 1))
      continue;
    shape.push_back(extents[axis]);
    if (extents[axis] == -1)
      sources.push_back(axis);
  }
  return reshapeFrom(input, shape, sources);
}

Tensor tg::transpose(Operand input, std::vector<int64_t> permutation) {
  return call("transpose", {input},
              {{"permutation", resolveAxes(input, std::move(permutation))}});
}

Tensor tg::broadcastLike(Operand input, Operand like) {
  Scope scope(like);
  std::vector<Operand> operands = unknownExtents(like);
  if (input.isNumber())
    input = scalar(like.tensor().body(), input.number(), like.tensor().dtype(),
                   like.where());
  operands.insert(operands.begin(), input);
  return call("broadcast_to", operands, {{"shape", extentList(like)}});
}

Tensor tg::zerosLike(Operand like) { return broadcastLike(0.0, like); }
Tensor tg::onesLike(Operand like) { return broadcastLike(1.0, like); }

Tensor tg::ensureShape(Operand input, std::vector<int64_t> shape,
                       std::vector<int64_t> bounds) {
  if (bounds.empty())
    return call("ensure_shape", {input}, {{"shape", std::move(shape)}});
  return call("ensure_shape", {input},
              {{"bounds", std::move(bounds)}, {"shape", std::move(shape)}});
}

//===----------------------------------------------------------------------===//
// Joins and splits
//===----------------------------------------------------------------------===//

Tensor tg::concat(const Operands &inputs, int64_t axis,
                  std::source_location where) {
  bodyOf(inputs, where);
  return call("concat", inputs, {{"axis", resolveAxis(inputs.front(), axis)}});
}

/// Returns `size` elements along an axis from `start` on.
static Tensor sliceFrom(const Operand &input, int64_t axis, int64_t start,
                        int64_t size) {
  int64_t rank = input.tensor().rank();
  SliceOptions options = {std::vector<Operand>(rank, 0.0),
                          std::vector<Operand>(rank, -1.0)};
  options.starts[axis] = static_cast<double>(start);
  options.sizes[axis] = static_cast<double>(size);
  return slice(input, options);
}

/// Returns `size` elements along an axis, of which the last is `distance`
/// elements before the last element of the axis.
static Tensor sliceBeforeEnd(const Operand &input, int64_t axis,
                             int64_t distance, int64_t size) {
  int64_t rank = input.tensor().rank();
  int64_t extent = extentList(input)[axis];
  double back = static_cast<double>(distance + size);
  SliceOptions options = {std::vector<Operand>(rank, 0.0),
                          std::vector<Operand>(rank, -1.0)};
  if (extent == -1)
    options.starts[axis] = extentOf(input, axis) - back;
  else
    options.starts[axis] = static_cast<double>(extent) - back;
  options.sizes[axis] = static_cast<double>(size);
  return slice(input, options);
}

/// Returns numbers for a message: "[-1, 0]".
static std::string textOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

/// Pads an axis with copies of its own elements.
static Tensor padAxis(const Operand &input, int64_t axis, int64_t low,
                      int64_t high, PadMode mode) {
  int64_t extent = extentList(input)[axis];
  bool reflects = mode == PadMode::reflect;
  if (extent != -1 && (reflects ? std::max(low, high) >= extent : extent == 0))
    raise(std::string("expected ") +
              (reflects ? "less padding than dim " : "an element in dim ") +
              std::to_string(axis) + " of shape " +
              toString(input.tensor().shape()) +
              (reflects ? " has, found " + std::to_string(std::max(low, high))
                        : " to pad with, found none"),
          input.tensor().body(), input.where());
  auto makeBorder = [&](const Tensor &slice, int64_t size) -> Tensor {
    std::vector<int64_t> repeats(input.tensor().rank(), 1);
    repeats[axis] = size;
    return reflects ? reverse(slice, {axis}) : tile(slice, repeats);
  };
  std::vector<Operand> parts = {input};
  if (low > 0)
    parts.insert(
        parts.begin(),
        makeBorder(sliceFrom(input, axis, reflects ? 1 : 0, reflects ? low : 1),
                   low));
  if (high > 0)
    parts.emplace_back(makeBorder(
        sliceBeforeEnd(input, axis, reflects ? 1 : 0, reflects ? high : 1),
        high));
  return parts.size() == 1 ? input.tensor() : concat(parts, axis);
}

Tensor tg::pad(Operand input, const PadOptions &options) {
  if (options.mode == PadMode::constant)
    return call("pad", {input, options.value},
                {{"low", options.low}, {"high", options.high}});
  Scope scope(input);
  size_t rank = static_cast<size_t>(input.tensor().rank());
  auto isSize = [](int64_t size) { return size >= 0; };
  if (options.low.size() != rank || options.high.size() != rank ||
      !std::all_of(options.low.begin(), options.low.end(), isSize) ||
      !std::all_of(options.high.begin(), options.high.end(), isSize))
    raise("expected a padding of at least 0 before and after each dimension "
          "of " +
              toString(input.tensor().shape()) + ", found " +
              textOf(options.low) + " and " + textOf(options.high),
          input.tensor().body(), input.where());
  for (size_t axis = 0; axis < rank; ++axis)
    input =
        Operand(padAxis(input, static_cast<int64_t>(axis), options.low[axis],
                        options.high[axis], options.mode),
                input.where());
  return input;
}

std::vector<Tensor> tg::split(Operand input, int64_t parts, int64_t axis) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  const BodyPtr &body = input.tensor().body();
  int64_t extent =
      input.tensor().dim(axis, body->effectivePlace(input.where()));
  if (parts < 1 || extent % parts != 0)
    raise("expected a number of parts that divides dim " +
              std::to_string(axis) + " (" + std::to_string(extent) +
              "), found " + std::to_string(parts),
          body, input.where());
  std::vector<Tensor> results;
  for (int64_t i = 0; i < parts; ++i)
    results.push_back(
        sliceFrom(input, axis, i * (extent / parts), extent / parts));
  return results;
}

Tensor tg::stack(const Operands &inputs, int64_t axis,
                 std::source_location where) {
  bodyOf(inputs, where);
  Scope scope(inputs.front());
  int64_t rank = inputs.front().tensor().rank();
  std::vector<Operand> expanded;
  for (const Operand &input : inputs)
    expanded.push_back(expandDims(input, axis));
  return concat(expanded, axis < 0 ? axis + rank + 1 : axis);
}

std::vector<Tensor> tg::unstack(Operand input, int64_t axis) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  const Place where = input.tensor().body()->effectivePlace(input.where());
  std::vector<Tensor> results;
  for (const Tensor &slice :
       split(input, input.tensor().dim(axis, where), axis))
    results.push_back(squeeze(slice, {axis}));
  return results;
}

Tensor tg::reverse(Operand input, std::vector<int64_t> axes) {
  return call("reverse", {input},
              {{"axes", resolveAxes(input, std::move(axes))}});
}

//===----------------------------------------------------------------------===//
// Copies and shifts
//===----------------------------------------------------------------------===//

/// The shapes are [d0, d1], [1, d0, 1, d1], [r0, d0, r1, d1] and [r0 * d0, r1 *
/// d1].
Tensor tg::tile(Operand input, std::vector<int64_t> repeats) {
  Scope scope(input);
  std::vector<int64_t> extents = extentList(input);
  if (repeats.size() != extents.size() ||
      std::any_of(repeats.begin(), repeats.end(),
                  [](int64_t count) { return count < 1; }))
    raise("expected a number of copies of at least 1 for each dimension of " +
              toString(input.tensor().shape()) + ", found " + textOf(repeats),
          input.tensor().body(), input.where());
  std::vector<int64_t> withOnes, broadcastShape, result, sources;
  std::vector<Operand> products;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    int64_t extent = extents[axis], count = repeats[axis];
    withOnes.insert(withOnes.end(), {1, extent});
    broadcastShape.insert(broadcastShape.end(), {count, extent});
    result.push_back(extent == -1 ? -1 : extent * count);
    if (extent != -1)
      continue;
    sources.push_back(static_cast<int64_t>(axis));
    Tensor size = extentOf(input, sources.back());
    products.push_back(count == 1 ? size : size * static_cast<double>(count));
  }
  Tensor copies = call("broadcast_to", {reshapeFrom(input, withOnes, sources)},
                       {{"shape", broadcastShape}});
  products.insert(products.begin(), copies);
  return call("reshape", products, {{"shape", result}});
}

Tensor tg::repeat(Operand input, int64_t count, int64_t axis) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  if (count < 1)
    raise("expected each element at least once, found " + std::to_string(count),
          input.tensor().body(), input.where());
  std::vector<int64_t> repeats(size_t(input.tensor().rank()) + 1, 1);
  repeats[size_t(axis) + 1] = count;
  return flatten(tile(expandDims(input, axis + 1), std::move(repeats)), axis,
                 axis + 1);
}

Tensor tg::roll(Operand input, int64_t shift, int64_t axis) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  int64_t extent = extentList(input)[axis];
  if (extent == -1) {
    Tensor sources = positions(input, axis, i64) - static_cast<double>(shift);
    // Avoids division by 0 for an axis without elements.
    Tensor extent = maximum(extentOf(input, axis), 1.0);
    return gather(input, floorMod(sources, extent), {.axis = axis});
  }
  int64_t moved = extent == 0 ? 0 : (shift % extent + extent) % extent;
  if (moved == 0)
    return input;
  return concat({sliceFrom(input, axis, extent - moved, moved),
                 sliceFrom(input, axis, 0, extent - moved)},
                axis);
}
