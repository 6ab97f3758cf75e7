//===- Subscript.cpp - parts of tensors by index --------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/functional.h"

using namespace tg;
using namespace tg::dsl;

namespace {
/// A position from the start of a dimension, or from its end if the extent is
/// dynamic.
struct Bound {
  int64_t number = 0;
  bool fromEnd = false;
};

/// A builder of the part of a tensor that indices select.
class Subscript {
public:
  Subscript(const Tensor &tensor, Place where)
      : input(tensor, where), shape(extentList(tensor)),
        starts(shape.size(), 0), sizes(shape.size(), -1),
        strides(shape.size(), 1), startOf(shape.size()), sizeOf(shape.size()) {}

  void take(int64_t axis, const Index &index);
  Tensor result();

private:
  void take(int64_t axis, int64_t number);
  void take(int64_t axis, const Tensor &index);
  void take(int64_t axis, const Slice &slice);
  void takeForward(int64_t axis, const Slice &slice, const Slice &written);
  void drop(int64_t axis);
  Bound resolve(int64_t axis, int64_t number) const;
  /// Returns a bound as a tensor, counted from the start of the axis.
  Tensor positionOf(int64_t axis, Bound bound) const;
  [[noreturn]] void refuse(int64_t axis, const Slice &slice) const;

  Operand input;
  std::vector<int64_t> shape, starts, sizes, strides, dropped, reversed;
  /// The starts and sizes that are computed at run time, by axis; undefined for
  /// static ones.
  std::vector<Tensor> startOf, sizeOf;
};
} // namespace

void Subscript::take(int64_t axis, const Index &index) {
  switch (index.kind) {
  case Index::Kind::number:
    return take(axis, index.number);
  case Index::Kind::tensor:
    return take(axis, index.tensor);
  case Index::Kind::slice:
    return take(axis, index.slice);
  }
}

Bound Subscript::resolve(int64_t axis, int64_t number) const {
  int64_t extent = shape[axis];
  if (number == Slice::end)
    return extent == -1 ? Bound{0, true} : Bound{extent};
  if (number >= 0)
    return {number};
  return extent == -1 ? Bound{number, true} : Bound{number + extent};
}

Tensor Subscript::positionOf(int64_t axis, Bound bound) const {
  double number = static_cast<double>(bound.number);
  if (!bound.fromEnd)
    return scalar(input.tensor().body(), number, i64, input.where());
  Tensor extent = extentOf(input, axis);
  return number == 0 ? extent : extent + number;
}

void Subscript::drop(int64_t axis) {
  sizes[axis] = 1;
  dropped.push_back(axis);
}

void Subscript::take(int64_t axis, int64_t number) {
  Bound start = resolve(axis, number);
  int64_t extent = shape[axis];
  if (extent != -1 && (start.number < 0 || start.number >= extent))
    raise("expected an index in [" + std::to_string(-extent) + ", " +
              std::to_string(extent) + ") of dim " + std::to_string(axis) +
              " of shape " + toString(input.tensor().shape()) + ", found " +
              std::to_string(number),
          input.tensor().body(), input.where());
  starts[axis] = start.fromEnd ? -1 : start.number;
  if (start.fromEnd)
    startOf[axis] = positionOf(axis, start);
  drop(axis);
}

void Subscript::take(int64_t axis, const Tensor &index) {
  expectDefined(index, input.where());
  if (index.rank() != 0)
    raise("expected numbers, slices and scalars as indices of several "
          "dimensions, found a tensor " +
              toString(index.shape()) + "; gather takes lists along an axis",
          input.tensor().body(), input.where());
  expectIntegerScalar({index, input.where()}, "an index");
  starts[axis] = -1;
  startOf[axis] = cast(index, i64);
  drop(axis);
}

void Subscript::refuse(int64_t axis, const Slice &slice) const {
  auto print = [](int64_t bound) {
    return bound == Slice::end ? "the end" : std::to_string(bound);
  };
  raise("expected a slice within dim " + std::to_string(axis) + " of shape " +
            toString(input.tensor().shape()) + " and a step other than 0, " +
            "found " + print(slice.start) + " to " + print(slice.stop) +
            " by " + std::to_string(slice.step),
        input.tensor().body(), input.where());
}

/// A slice with a negative step is built as a slice of the reversed dimension,
/// where element i is element -1 - i of the original.
void Subscript::take(int64_t axis, const Slice &slice) {
  if (slice.step == 0 || slice.step == INT64_MIN)
    refuse(axis, slice);
  if (slice.step > 0)
    return takeForward(axis, slice, slice);
  reversed.push_back(axis);
  Slice mirrored(slice.start == Slice::end ? 0 : -1 - slice.start,
                 slice.stop == Slice::end ? Slice::end : -1 - slice.stop,
                 -slice.step);
  takeForward(axis, mirrored, slice);
}

/// Adds a slice with a positive step. `written` is the slice in the source, for
/// messages.
void Subscript::takeForward(int64_t axis, const Slice &slice,
                            const Slice &written) {
  Bound start = resolve(axis, slice.start);
  Bound stop = resolve(axis, slice.stop);
  bool sameSide = start.fromEnd == stop.fromEnd;
  if ((sameSide && start.number > stop.number) ||
      (!start.fromEnd && start.number < 0) ||
      (shape[axis] != -1 && stop.number > shape[axis]))
    refuse(axis, written);
  starts[axis] = start.fromEnd ? -1 : start.number;
  if (start.fromEnd)
    startOf[axis] = positionOf(axis, start);
  strides[axis] = slice.step;
  if (sameSide) {
    int64_t length = stop.number - start.number;
    sizes[axis] = length == 0 ? 0 : (length - 1) / slice.step + 1;
  } else if (slice.stop != Slice::end) {
    Tensor length = positionOf(axis, stop) - positionOf(axis, start);
    double step = static_cast<double>(slice.step);
    sizeOf[axis] = slice.step == 1 ? length : (length + (step - 1)) / step;
  }
}

/// Builds the slice. Its dynamic sizes either all extend to the end of their
/// dimensions, or are all operands.
Tensor Subscript::result() {
  Tensor whole = reversed.empty() ? input.tensor() : reverse(input, reversed);
  std::vector<Operand> operands = {{whole, input.where()}};
  bool givesSizes = false;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (startOf[axis].isDefined())
      operands.emplace_back(startOf[axis], input.where());
    givesSizes |= sizeOf[axis].isDefined();
  }
  for (size_t axis = 0; givesSizes && axis < shape.size(); ++axis) {
    if (sizes[axis] != -1)
      continue;
    if (!sizeOf[axis].isDefined()) {
      double before = static_cast<double>(starts[axis]);
      double step = static_cast<double>(strides[axis]);
      Tensor length = extentOf(input, static_cast<int64_t>(axis)) - before;
      sizeOf[axis] = step == 1 ? length : (length + (step - 1)) / step;
    }
    operands.emplace_back(sizeOf[axis], input.where());
  }
  std::vector<Attribute> attributes = {{"starts", starts}, {"sizes", sizes}};
  for (int64_t stride : strides)
    if (stride != 1) {
      attributes.push_back({"strides", strides});
      break;
    }
  Tensor part = call("slice", operands, std::move(attributes));
  return dropped.empty() ? part : squeeze({part, input.where()}, dropped);
}

/// Applies all indices to a tensor, with the source line of the first index.
static Tensor subscript(const Tensor &tensor, const Index *indices,
                        size_t count) {
  Place where = indices->where;
  Scope scope(Operand(tensor, where));
  if (static_cast<int64_t>(count) > tensor.rank())
    raise("expected at most " + std::to_string(tensor.rank()) +
              " indices of a tensor " + toString(tensor.shape()) + ", found " +
              std::to_string(count),
          tensor.body(), where);
  Subscript part(tensor, where);
  for (size_t axis = 0; axis < count; ++axis)
    part.take(static_cast<int64_t>(axis), indices[axis]);
  return part.result();
}

Tensor Tensor::operator[](const Index &index) const {
  if (index.kind == Index::Kind::tensor)
    return gather({*this, index.where}, {index.tensor, index.where});
  return subscript(*this, &index, 1);
}

Tensor Tensor::operator[](std::initializer_list<Index> indices) const {
  return indices.size() == 0
             ? *this
             : subscript(*this, indices.begin(), indices.size());
}
