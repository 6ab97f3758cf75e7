//===- Slices.cpp - slices of tensors, read and updated -------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

/// Returns the attribute for the starts, with -1 for each start that is a
/// tensor. Appends the tensors to the operands.
static std::vector<int64_t> startList(const Operand &input,
                                      const std::vector<Operand> &starts,
                                      std::vector<Operand> &operands) {
  std::vector<int64_t> list;
  for (const Operand &start : starts) {
    if (!start.isNumber()) {
      expectIntegerScalar(start, "a start");
      operands.emplace_back(cast(start, i64), input.where());
      list.push_back(-1);
      continue;
    }
    if (start.number() < 0 || start.number() != std::trunc(start.number()))
      raise("expected whole starts of at least 0, found " +
                textOf(start.number()),
            input.tensor().body(), start.where());
    list.push_back(static_cast<int64_t>(start.number()));
  }
  return list;
}

/// Returns the size of a slice to the end of an axis.
static Tensor sizeToEnd(const Operand &input, const SliceOptions &options,
                        int64_t axis) {
  const Operand &start = options.starts[axis];
  Tensor length =
      extentOf(input, axis) -
      (start.isNumber() ? start : Operand(cast(start, i64), input.where()));
  if (options.strides.empty() || options.strides[axis] == 1)
    return length;
  double stride = static_cast<double>(options.strides[axis]);
  return (length + (stride - 1)) / stride;
}

/// Returns the attribute for the sizes, with -1 for each size that is a tensor.
/// A size that is given as the number -1 extends to the end of the axis. If any
/// size is a tensor, appends an operand for each -1 of the list, because the op
/// takes operands for all of them or for none.
static std::vector<int64_t> sizeList(const Operand &input,
                                     const SliceOptions &options,
                                     std::vector<Operand> &operands) {
  std::vector<int64_t> list;
  bool givesSizes = false;
  for (const Operand &size : options.sizes) {
    givesSizes |= !size.isNumber();
    if (!size.isNumber())
      expectIntegerScalar(size, "a size");
    if (size.isNumber() && size.number() != std::trunc(size.number()))
      raise("expected whole sizes, found " + textOf(size.number()),
            input.tensor().body(), size.where());
    list.push_back(size.isNumber() ? static_cast<int64_t>(size.number()) : -1);
  }
  bool fits = list.size() == options.starts.size() &&
              static_cast<int64_t>(list.size()) == input.tensor().rank();
  for (size_t axis = 0; givesSizes && fits && axis < list.size(); ++axis) {
    if (list[axis] != -1)
      continue;
    const Operand &size = options.sizes[axis];
    operands.emplace_back(size.isNumber()
                              ? sizeToEnd(input, options, int64_t(axis))
                              : cast(size, i64),
                          input.where());
  }
  return list;
}

Tensor tg::slice(Operand input, const SliceOptions &options) {
  Scope scope(input);
  std::vector<Operand> operands = {input};
  std::vector<Attribute> attributes = {
      {"starts", startList(input, options.starts, operands)}};
  attributes.push_back({"sizes", sizeList(input, options, operands)});
  if (!options.strides.empty())
    attributes.push_back({"strides", options.strides});
  return call("slice", operands, std::move(attributes));
}

Tensor tg::slice(Operand input, Operand starts, Operand sizes) {
  Scope scope(input);
  int64_t rank = input.tensor().rank();
  SliceOptions options;
  for (const Operand *list : {&starts, &sizes})
    if (list->tensor().rank() != 1 || extentList(*list)[0] != rank ||
        isFloat(list->tensor().dtype()) || list->tensor().dtype() == boolean)
      raise("expected starts and sizes that are integers [" +
                std::to_string(rank) + "], found " +
                toString(list->tensor().dtype()) + " " +
                toString(list->tensor().shape()),
            input.tensor().body(), list->where());
  std::vector<Tensor> from = unstack(cast(starts, i64));
  std::vector<Tensor> lengths = unstack(cast(sizes, i64));
  for (int64_t axis = 0; axis < rank; ++axis) {
    Tensor toEnd = extentOf(input, axis) - from[axis];
    options.starts.push_back(from[axis]);
    options.sizes.push_back(
        select(lengths[axis] == -1.0, toEnd, lengths[axis]));
  }
  return slice(input, options);
}

Tensor tg::updateSlice(Operand base, Operand update,
                       const std::vector<Operand> &starts) {
  Scope scope(base);
  std::vector<Operand> operands = {base, update};
  std::vector<int64_t> list = startList(base, starts, operands);
  return call("update_slice", operands, {{"starts", std::move(list)}});
}
