//===- Indices.cpp - gathers, sorts, diagonals ----------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

#include <algorithm>
#include <numeric>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Tensor dsl::iota(const BodyPtr &body, const std::vector<int64_t> &shape,
                 const std::vector<Operand> &extents, int64_t axis, DType dtype,
                 Place where) {
  std::vector<Attribute> attributes = {{"shape", shape}, {"axis", axis}};
  if (dtype != i64)
    attributes.push_back({"element_type", dtype});
  std::vector<Id> ids;
  for (const Operand &extent : extents)
    ids.push_back(extent.tensor().id());
  return Tensor(body, take(body->build("iota", ids, attributes, where))[0]);
}

Tensor tg::iotaLike(Operand like, int64_t axis, DType dtype) {
  Scope scope(like);
  return iota(like.tensor().body(), extentList(like), unknownExtents(like),
              resolveAxis(like, axis), dtype, like.where());
}

/// Returns the numbers 0, 1, ... below a size, in the type of the indices.
static Tensor positionsBelow(int64_t size, const Operand &indices) {
  const Tensor &tensor = indices.tensor();
  return iota(tensor.body(), {size}, {}, 0, tensor.dtype(), indices.where());
}

Tensor tg::oneHot(Operand indices, int64_t size, DType dtype) {
  Scope scope(indices);
  if (size < 1)
    raise("expected at least 1 class, found " + std::to_string(size),
          indices.tensor().body(), indices.where());
  DType given = indices.tensor().dtype();
  if (isFloat(given) || given == boolean)
    raise("expected indices of integers, found " + toString(given),
          indices.tensor().body(), indices.where());
  // Indices are compared as i64 if they are i64, otherwise as i32.
  if (given != i64)
    indices = cast(indices, i32);
  Tensor classes = positionsBelow(size, indices);
  return cast(expandDims(indices, -1) == classes, dtype);
}

Tensor tg::sequenceMask(Operand lengths, Operand like) {
  Scope scope(like);
  DType dtype = lengths.tensor().dtype();
  if (lengths.tensor().rank() != 1 || like.tensor().rank() < 2 ||
      isFloat(dtype) || dtype == boolean)
    raise("expected lengths [n] of integers of sequences [n, t, ...], found " +
              toString(dtype) + " " + toString(lengths.tensor().shape()) +
              " and " + toString(like.tensor().shape()),
          like.tensor().body(), like.where());
  std::vector<int64_t> shape(like.tensor().rank(), 1);
  shape[0] = extentList(lengths).at(0);
  Tensor bounds = reshapeFrom(lengths, shape,
                              shape[0] == -1 ? std::vector<int64_t>{0}
                                             : std::vector<int64_t>());
  return iotaLike(like, 1, dtype) < bounds;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static std::vector<Attribute> attributesOf(const Operand &input,
                                           const GatherOptions &options) {
  std::vector<Attribute> attributes;
  if (options.axis != 0)
    attributes.push_back({"axis", resolveAxis(input, options.axis)});
  if (options.batchDims != 0)
    attributes.push_back({"batch_dims", options.batchDims});
  return attributes;
}

Tensor tg::gather(Operand input, Operand indices,
                  const GatherOptions &options) {
  return call("gather", {input, indices.tensor()},
              attributesOf(input, options));
}

Tensor tg::scatterAdd(Operand base, Operand indices, Operand updates,
                      const GatherOptions &options) {
  return call("scatter", {base, indices.tensor(), updates},
              attributesOf(base, options));
}

Tensor tg::ensureIndex(Operand indices, int64_t size) {
  Scope scope(indices);
  return gather(positionsBelow(size, indices), indices);
}

Tensor dsl::swapDimensions(const Tensor &input, int64_t a, int64_t b) {
  if (a == b)
    return input;
  std::vector<int64_t> permutation(input.rank());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[a], permutation[b]);
  return transpose(input, permutation);
}

Tensor tg::takeAlongAxis(Operand input, Operand indices, int64_t axis) {
  Scope scope(input);
  int64_t last = input.tensor().rank() - 1;
  axis = resolveAxis(input, axis);
  if (indices.tensor().rank() != last + 1)
    raise("expected indices of rank " + std::to_string(last + 1) + ", found " +
              toString(indices.tensor().shape()),
          input.tensor().body(), input.where());
  return swapDimensions(gather(swapDimensions(input, axis, last),
                               swapDimensions(indices, axis, last),
                               {.axis = last, .batchDims = last}),
                        axis, last);
}

/// Gathers each index from the positions of its dimension first, so that an
/// index out of range is an error. The linear index could be valid although one
/// of its indices is out of range.
Tensor tg::gatherNd(Operand input, Operand indices) {
  Scope scope(input);
  const Tensor &list = indices.tensor();
  int64_t rank = input.tensor().rank();
  int64_t depth = list.rank() == 0 ? 0 : extentList(list).back();
  if (depth < 1 || depth > rank)
    raise("expected indices [..., k] with k in [1, " + std::to_string(rank) +
              "], found " + toString(list.shape()),
          input.tensor().body(), input.where());
  std::vector<Tensor> components = unstack(cast(list, i64), -1);
  Tensor linear;
  for (int64_t axis = 0; axis < depth; ++axis) {
    Tensor index = gather(positions(input, axis, i64), components[axis]);
    linear = axis == 0 ? index : linear * extentOf(input, axis) + index;
  }
  std::vector<std::vector<int64_t>> groups(1 + rank - depth);
  for (int64_t axis = 0; axis < rank; ++axis)
    groups[std::max<int64_t>(axis - depth + 1, 0)].push_back(axis);
  return gather(regroup(input, groups), linear);
}

Tensor tg::nonzero(Operand mask) { return call("nonzero", {mask}); }

Tensor tg::booleanMask(Operand input, Operand mask) {
  Scope scope(input);
  const Tensor &flags = mask.tensor();
  std::vector<int64_t> extents = extentList(input);
  std::vector<int64_t> maskExtents = extentList(flags);
  bool fits = !maskExtents.empty() && maskExtents.size() <= extents.size();
  for (size_t axis = 0; fits && axis < maskExtents.size(); ++axis)
    fits = maskExtents[axis] == extents[axis] || maskExtents[axis] < 0 ||
           extents[axis] < 0;
  if (!fits)
    raise("expected a mask of the first dimensions of " +
              toString(input.tensor().shape()) + ", found " +
              toString(flags.shape()),
          input.tensor().body(), input.where());
  Tensor selected = reshape(nonzero(reshape(flags, {-1})), {-1});
  return gather(flatten(input, 0, flags.rank() - 1), selected);
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// Sorts along an axis and returns values and indices. Ascending order is the
/// reverse of the descending order of the reversed input, so that equal
/// elements keep their order.
static TopK inOrder(const Operand &input, const SortOptions &options) {
  int64_t last = input.tensor().rank() - 1;
  int64_t axis = resolveAxis(input, options.axis);
  Tensor rows = swapDimensions(input, axis, last);
  if (!options.descending)
    rows = reverse(rows, {last});
  TopK order = topK(rows, -1);
  if (!options.descending)
    order = {reverse(order.values, {last}),
             extentOf(rows, last) - 1.0 - reverse(order.indices, {last})};
  return {swapDimensions(order.values, axis, last),
          swapDimensions(order.indices, axis, last)};
}

Tensor tg::sort(Operand input, const SortOptions &options) {
  Scope scope(input);
  return inOrder(input, options).values;
}

Tensor tg::argSort(Operand input, const SortOptions &options) {
  Scope scope(input);
  return inOrder(input, options).indices;
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

Tensor tg::diag(Operand input) {
  Scope scope(input);
  int64_t axis = resolveAxis(input, -1);
  Tensor columns = positions(input, axis, i64);
  return select(expandDims(columns, -1) == columns, expandDims(input, -1), 0.0);
}

Tensor tg::diagPart(Operand input) {
  Scope scope(input);
  const Tensor &matrices = input.tensor();
  std::vector<int64_t> shape = extentList(matrices);
  int64_t last = matrices.rank() - 1;
  if (last < 1 || (shape[last] != shape[last - 1] &&
                   std::min(shape[last], shape[last - 1]) != -1))
    raise("expected square matrices [..., n, n], found " +
              toString(matrices.shape()),
          matrices.body(), input.where());
  shape[last] = shape[last - 1] = std::max(shape[last], shape[last - 1]);
  Tensor columns = positions(input, last, i64);
  Tensor square = ensureShape(input, shape);
  return reduceSum(select(expandDims(columns, -1) == columns, square, 0.0),
                   {{last}});
}

Tensor tg::bandPart(Operand input, int64_t lower, int64_t upper) {
  Scope scope(input);
  int64_t last = input.tensor().rank() - 1;
  if (last < 1)
    raise("expected matrices [..., m, n], found " +
              toString(input.tensor().shape()),
          input.tensor().body(), input.where());
  Tensor distance = positions(input, last, i64) -
                    expandDims(positions(input, last - 1, i64), -1);
  Tensor result = input;
  if (lower >= 0)
    result = select(distance >= static_cast<double>(-lower), result, 0.0);
  if (upper >= 0)
    result = select(distance <= static_cast<double>(upper), result, 0.0);
  return result;
}
