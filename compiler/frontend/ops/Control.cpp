//===- Control.cpp - branches and while loops of C++ functions ------------===//
#include "tg/tensor/control.h"
#include "compiler/frontend/graph/OpenControl.h"
#include "compiler/frontend/ops/ControlValues.h"

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

//===----------------------------------------------------------------------===//
// cond
//===----------------------------------------------------------------------===//

/// Returns the type with the extents that both types have in common; other
/// extents are dynamic.
static TensorType commonType(TensorType type, const TensorType &other) {
  for (size_t axis = 0; axis < type.shape.size(); ++axis)
    if (type.rank() == other.rank() &&
        type.shape[axis].value != other.shape[axis].value)
      type.shape[axis] = dim();
  return type;
}

/// Throws GraphError unless both branches return the same number of values.
static void expectSameCounts(const BodyPtr &body, size_t first, size_t second,
                             Place where) {
  if (first != second)
    raise("expected branches that return equally many values, found " +
              std::to_string(first) + " and " + std::to_string(second),
          body, where);
}

/// Returns the values of both branches as tensors. A number gets the type of
/// the corresponding value of the other branch.
static std::vector<Tensors> pairValues(const BodyPtr &body,
                                       const LoopValues &first,
                                       const LoopValues &second, Place where) {
  expectSameCounts(body, first.size(), second.size(), where);
  std::vector<DType> types = typesOf(first);
  std::vector<DType> others = typesOf(second);
  for (size_t i = 0; i < types.size(); ++i) {
    if (first[i].isNumber && second[i].isNumber)
      continue;
    bool isTensor = !first[i].isNumber;
    (isTensor ? others : types)[i] = (isTensor ? types : others)[i];
  }
  return {tensorsOf(body, first, types, where),
          tensorsOf(body, second, others, where)};
}

/// Returns the value of a boolean scalar in eager mode. Throws GraphError for
/// other tensors.
static bool isTrue(const Tensor &predicate, Place where) {
  if (predicate.rank() != 0 || predicate.dtype() != boolean)
    raise("expected a scalar of booleans as condition, found " +
              toString(predicate.dtype()) + " " + toString(predicate.shape()),
          predicate.body(), where);
  return (*predicate.body()->bytesOf(predicate.id()))[0] != 0;
}

Tensors dsl::buildCond(const Operand &predicate, const RegionFunction &then,
                       const RegionFunction &otherwise) {
  const BodyPtr &body = predicate.tensor().body();
  Place where = predicate.where();
  expectFunction(body, then, "branch where the condition holds", where);
  expectFunction(body, otherwise, "branch where it does not hold", where);
  if (body->isEager()) {
    bool holds = isTrue(predicate.tensor(), where);
    LoopValues values = (holds ? then : otherwise).run({});
    // The length of a returned list is known only after the branch ran, and
    // only one branch runs.
    size_t first = holds ? values.size() : then.values;
    size_t second = holds ? otherwise.values : values.size();
    if (first != SIZE_MAX && second != SIZE_MAX)
      expectSameCounts(body, first, second, where);
    return tensorsOf(body, values, typesOf(values), where);
  }
  OpenControl control(body, "if", 2, {{predicate.tensor().id()}}, {}, where);
  LoopValues first = control.fill(then, {});
  LoopValues second = control.fill(otherwise, {});
  std::vector<Tensors> both = pairValues(body, first, second, where);
  std::vector<TensorType> results;
  for (size_t i = 0; i < both[0].size(); ++i)
    results.push_back(commonType(both[0][i].type(), both[1][i].type()));
  return control.end(both, results);
}

//===----------------------------------------------------------------------===//
// whileLoop
//===----------------------------------------------------------------------===//

/// Throws GraphError unless the body of an eager loop returns exactly as many
/// values as the loop carries.
static void expectCarried(const BodyPtr &body, size_t found, size_t carried,
                          Place where) {
  if (found != carried)
    raise("'tg.while' op expected " + std::to_string(carried) +
              " values of the body, found " + std::to_string(found),
          body, where);
}

static Tensors runWhile(const BodyPtr &body, const RegionFunction &condition,
                        const RegionFunction &step, Tensors values,
                        const WhileOptions &options, Place where) {
  std::vector<DType> types = dtypesOf(values);
  // Check before the loop, since it may have no iterations.
  if (step.values != SIZE_MAX)
    expectCarried(body, step.values, values.size(), where);
  for (int64_t trip = 0;; ++trip) {
    LoopValues holds = condition.run(values);
    if (holds.size() != 1)
      raise("expected the condition to return one value, found " +
                std::to_string(holds.size()),
            body, where);
    if (!isTrue(tensorOf(body, holds[0], holds[0].dtype, where), where))
      return values;
    if (options.maxTrip && trip == options.maxTrip)
      raise("expected the condition to be false after " + std::to_string(trip) +
                " iterations, which maxTrip allows, found true",
            body, where);
    Tensors next = tensorsOf(body, step.run(values), types, where);
    expectCarried(body, next.size(), values.size(), where);
    expectSameTypes(body, next, values, values.size(), where,
                    /*mayVary=*/true);
    values = std::move(next);
  }
}

Tensors dsl::buildWhile(const RegionFunction &condition,
                        const RegionFunction &step, const LoopValues &inits,
                        const WhileOptions &options, Place where) {
  BodyPtr body = bodyOfValues(inits, {}, where);
  const char *counted = "the first values";
  expectParameters(body, condition, "condition", inits.size(), counted, where);
  expectParameters(body, step, "body", inits.size(), counted, where);
  Tensors values = tensorsOf(body, inits, typesOf(inits), where);
  if (options.maxTrip < 0)
    raise("expected at least 1 trip, or 0 for any number, found " +
              std::to_string(options.maxTrip),
          body, where);
  if (body->isEager())
    return runWhile(body, condition, step, std::move(values), options, where);
  OpenWhile control(body, values, options, where);
  std::vector<TensorType> types = typesOf(values);
  LoopValues holds = control.fill(condition, types);
  LoopValues next = control.fill(step, types);
  return control.end({tensorsOf(body, holds, typesOf(holds), where),
                      tensorsOf(body, next, dtypesOf(values), where)},
                     types);
}
