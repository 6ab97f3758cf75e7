//===- ControlValues.cpp - the values of branches and loops ---------------===//
#include "compiler/frontend/ops/ControlValues.h"
#include "tg/graph/default_graph.h"

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

BodyPtr dsl::bodyOfValues(const LoopValues &values, const Tensors &more,
                          Place where) {
  std::vector<Operand> operands;
  for (const LoopValue &value : values)
    if (!value.isNumber)
      operands.emplace_back(value.tensor, where);
  for (const Tensor &tensor : more)
    operands.emplace_back(tensor, where);
  return operands.empty() ? defaultGraph().body() : bodyOf(operands);
}

Tensor dsl::tensorOf(const BodyPtr &body, const LoopValue &value, DType dtype,
                     Place where) {
  if (!value.isNumber) {
    expectDefined(value.tensor, where);
    if (value.tensor.body() != body)
      raise("expected a tensor of program '" + body->name() + "', found " +
                describeOwner(value.tensor, body->effectivePlace(where)),
            body, where);
    return value.tensor;
  }
  TopLevel outside(body); // visible to enclosing regions
  return scalar(body, value.number, dtype, where);
}

Tensors dsl::tensorsOf(const BodyPtr &body, const LoopValues &values,
                       const std::vector<DType> &beside, Place where) {
  Tensors tensors;
  for (size_t i = 0; i < values.size(); ++i)
    tensors.push_back(tensorOf(body, values[i],
                               i < beside.size() ? beside[i] : values[i].dtype,
                               where));
  return tensors;
}

std::vector<DType> dsl::typesOf(const LoopValues &values) {
  std::vector<DType> types;
  for (const LoopValue &value : values)
    types.push_back(value.isNumber || !value.tensor.isDefined()
                        ? value.dtype
                        : value.tensor.dtype());
  return types;
}

std::vector<TensorType> dsl::typesOf(const Tensors &tensors) {
  std::vector<TensorType> types;
  for (const Tensor &tensor : tensors)
    types.push_back(tensor.type());
  return types;
}

std::vector<DType> dsl::dtypesOf(const Tensors &tensors) {
  std::vector<DType> types;
  for (const Tensor &tensor : tensors)
    types.push_back(tensor.dtype());
  return types;
}

void dsl::expectFunction(const BodyPtr &body, const RegionFunction &function,
                         const char *what, Place where) {
  if (!function.run)
    raise("expected a " + std::string(what) + ", found an empty function", body,
          where);
}

void dsl::expectParameters(const BodyPtr &body, const RegionFunction &function,
                           const char *what, size_t count, const char *counted,
                           Place where) {
  expectFunction(body, function, what, where);
  if (function.parameters != SIZE_MAX && function.parameters != count)
    raise("expected a " + std::string(what) + " of " + std::to_string(count) +
              " parameters, one for each of " + counted + ", found one of " +
              std::to_string(function.parameters),
          body, where);
}

void dsl::expectSameTypes(const BodyPtr &body, const Tensors &next,
                          const Tensors &before, size_t count, Place where,
                          bool mayVary) {
  if (next.size() < count)
    raise("expected the body to return " + std::to_string(count) +
              " values, one for each carried value, found " +
              std::to_string(next.size()),
          body, where);
  for (size_t i = 0; i < count; ++i)
    if (next[i].dtype() != before[i].dtype() ||
        next[i].rank() != before[i].rank() ||
        (!mayVary && extentList(next[i]) != extentList(before[i])))
      raise("expected carried value " + std::to_string(i) + " to stay " +
                toString(before[i].dtype()) + " " +
                toString(before[i].shape()) + ", found " +
                toString(next[i].dtype()) + " " + toString(next[i].shape()),
            body, where);
}
