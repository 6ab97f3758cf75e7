//===- TensorArray.cpp - lists of tensors for loops -----------------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/program.h"
#include "tg/tensor/control.h"

using namespace tg;
using namespace tg::dsl;

TensorArray::TensorArray(const Program &program, int64_t size, DType dtype,
                         const Shape &elementShape, Place where) {
  Shape shape = elementShape;
  shape.insert(shape.begin(), size);
  all = Program(program).zeros(shape, dtype, where);
}

/// Returns the starts of an element of a list: its index, then zeros.
static std::vector<Operand> startsOf(const Tensor &all, const Operand &index) {
  std::vector<Operand> starts(size_t(all.rank(index.where())),
                              Operand(0.0, index.where()));
  if (starts.empty())
    raise("expected elements along a dimension, found a scalar", all.body(),
          index.where());
  starts.front() = index;
  return starts;
}

TensorArray TensorArray::write(Operand index, Operand value) const {
  Operand list(all, index.where());
  Scope scope(list);
  std::vector<Operand> starts = startsOf(all, index);
  Operand element = toTensorLike(value, list);
  return updateSlice(list, {expandDims(element, 0), index.where()}, starts);
}

Tensor TensorArray::read(Operand index) const {
  Operand list(all, index.where());
  Scope scope(list);
  SliceOptions options{startsOf(all, index),
                       std::vector<Operand>(size_t(all.rank()), -1.0)};
  options.sizes.front() = 1.0;
  return squeeze(slice(list, options), {0});
}

Tensor TensorArray::gather(Operand indices) const {
  return tg::gather({all, indices.where()}, indices);
}

Tensor TensorArray::concat(std::source_location where) const {
  if (all.rank(where) < 2)
    raise("expected elements of rank 1 or more to concatenate, found " +
              toString(all.shape(where)),
          all.body(), where);
  return flatten({all, where}, 0, 1);
}
