//===- Shapes.cpp - shapes of numbers and tensors -------------------------===//
#include "tg/tensor/shapes.h"
#include "compiler/frontend/graph/Build.h"

#include <algorithm>
#include <numeric>

using namespace tg;
using namespace tg::dsl;

std::vector<Operand> tg::extentsOf(Operand input) {
  Scope scope(input);
  std::vector<Operand> extents;
  for (int64_t axis = 0; axis < input.tensor().rank(); ++axis) {
    Extent extent = input.tensor().shape()[axis];
    if (extent.isKnown())
      extents.emplace_back(static_cast<double>(extent.value), input.where());
    else
      extents.emplace_back(extentOf(input, axis), input.where());
  }
  return extents;
}

ReshapeEntry::ReshapeEntry(const Operand &given) {
  if (given.isNumber())
    number = static_cast<int64_t>(given.number());
  else
    extent = given.tensor();
}

/// Returns the product of the input's extents on the axes `given`: a number if
/// all of them are known.
static ReshapeEntry productOf(const Operand &input,
                              const std::vector<int64_t> &given) {
  std::vector<int64_t> axes = resolveAxes(input, given);
  Shape shape = input.tensor().shape();
  int64_t product = 1;
  for (int64_t axis : axes) {
    if (!shape[axis].isKnown())
      return elementCount(input, axes, i64);
    product *= shape[axis].value;
  }
  return product;
}

/// Returns the extent of the -1 entry: the number of elements divided by the
/// other entries. An entry that is an extent of the input is left out of both
/// the dividend and the divisor.
static ReshapeEntry inferredExtent(const Operand &input,
                                   const std::vector<ReshapeEntry> &entries) {
  const Tensor &tensor = input.tensor();
  std::vector<int64_t> axes(tensor.rank());
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<Tensor> others;
  double numbers = 1;
  for (const ReshapeEntry &entry : entries) {
    if (!entry.extent.isDefined()) {
      numbers *= entry.number == -1 ? 1 : static_cast<double>(entry.number);
      continue;
    }
    int64_t axis = tensor.body()->axisOf(entry.extent.id(), tensor.id());
    if (std::erase(axes, axis) == 0)
      others.push_back(entry.extent);
  }
  Tensor rest = elementCount(input, axes, i64);
  for (const Tensor &other : others)
    rest = rest / cast({other, input.where()}, i64);
  return numbers == 1 ? rest : rest / numbers;
}

Tensor dsl::reshapeTo(const Operand &input,
                      const std::vector<ReshapeEntry> &given) {
  std::vector<ReshapeEntry> entries = given;
  Scope scope(input);
  bool isGrouped =
      std::any_of(entries.begin(), entries.end(),
                  [](const ReshapeEntry &entry) { return entry.isGroup; });
  for (ReshapeEntry &entry : entries)
    if (isGrouped && !entry.extent.isDefined())
      entry = productOf(input,
                        entry.isGroup ? entry.dims : std::vector{entry.number});
  auto isInferred = [](const ReshapeEntry &entry) {
    return !entry.extent.isDefined() && entry.number == -1;
  };
  auto inferred = std::count_if(entries.begin(), entries.end(), isInferred);
  auto unknown = std::count_if(
      entries.begin(), entries.end(),
      [](const ReshapeEntry &entry) { return entry.extent.isDefined(); });
  if (inferred > 1)
    raise("expected at most one extent of -1, found " +
              std::to_string(inferred),
          input.tensor().body(), input.where());
  if (inferred == 1 && unknown > 0)
    *std::find_if(entries.begin(), entries.end(), isInferred) =
        inferredExtent(input, entries);
  std::vector<int64_t> shape;
  std::vector<Operand> operands = {input};
  for (const ReshapeEntry &entry : entries) {
    shape.push_back(entry.extent.isDefined() ? -1 : entry.number);
    if (entry.extent.isDefined())
      operands.emplace_back(cast({entry.extent, input.where()}, i64),
                            input.where());
  }
  return call("reshape", operands, {{"shape", shape}});
}
