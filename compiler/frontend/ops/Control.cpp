//===- Control.cpp - branches and loops of C++ functions ------------------===//
#include "tg/tensor/control.h"
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/graph/OpenControl.h"
#include "tg/graph/default_graph.h"
#include "tg/graph/program.h"

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the program of the values, or the default graph if there are only
/// numbers.
static Bodies bodyOfValues(const LoopValues &values, const Tensors &more,
                           Place where) {
  std::vector<Operand> operands;
  for (const LoopValue &value : values)
    if (!value.isNumber)
      operands.emplace_back(value.tensor, where);
  for (const Tensor &tensor : more)
    operands.emplace_back(tensor, where);
  return operands.empty() ? defaultGraph().body() : bodyOf(operands);
}

/// Returns the value as a tensor. A number becomes a scalar of the type.
static Tensor tensorOf(const Bodies &body, const LoopValue &value, DType dtype,
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

/// Returns the results of a region as tensors. Numbers get the type of the
/// corresponding value in `beside`, if there is one.
static Tensors tensorsOf(const Bodies &body, const LoopValues &values,
                         const std::vector<DType> &beside, Place where) {
  Tensors tensors;
  for (size_t i = 0; i < values.size(); ++i)
    tensors.push_back(tensorOf(body, values[i],
                               i < beside.size() ? beside[i] : values[i].dtype,
                               where));
  return tensors;
}

static std::vector<DType> typesOf(const LoopValues &values) {
  std::vector<DType> types;
  for (const LoopValue &value : values)
    types.push_back(value.isNumber || !value.tensor.isDefined()
                        ? value.dtype
                        : value.tensor.dtype());
  return types;
}

static std::vector<TensorType> typesOf(const Tensors &tensors) {
  std::vector<TensorType> types;
  for (const Tensor &tensor : tensors)
    types.push_back(tensor.type());
  return types;
}

static std::vector<DType> dtypesOf(const Tensors &tensors) {
  std::vector<DType> types;
  for (const Tensor &tensor : tensors)
    types.push_back(tensor.dtype());
  return types;
}

/// Throws GraphError if a function is empty.
static void expectFunction(const Bodies &body, const RegionFunction &function,
                           const char *what, Place where) {
  if (!function.run)
    raise("expected a " + std::string(what) + ", found an empty function", body,
          where);
}

/// Throws GraphError unless a function has `count` parameters.
static void expectParameters(const Bodies &body, const RegionFunction &function,
                             const char *what, size_t count,
                             const char *counted, Place where) {
  expectFunction(body, function, what, where);
  if (function.parameters != SIZE_MAX && function.parameters != count)
    raise("expected a " + std::string(what) + " of " + std::to_string(count) +
              " parameters, one for each of " + counted + ", found one of " +
              std::to_string(function.parameters),
          body, where);
}

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
static void expectSameCounts(const Bodies &body, size_t first, size_t second,
                             Place where) {
  if (first != second)
    raise("expected branches that return equally many values, found " +
              std::to_string(first) + " and " + std::to_string(second),
          body, where);
}

/// Returns the values of both branches as tensors. A number gets the type of
/// the corresponding value of the other branch.
static std::vector<Tensors> pairValues(const Bodies &body,
                                       const LoopValues &first,
                                       const LoopValues &second, Place where) {
  expectSameCounts(body, first.size(), second.size(), where);
  std::vector<DType> types = typesOf(first), others = typesOf(second);
  for (size_t i = 0; i < types.size(); ++i) {
    if (first[i].isNumber && second[i].isNumber)
      continue;
    bool isTensor = !first[i].isNumber;
    (isTensor ? others : types)[i] = (isTensor ? types : others)[i];
  }
  return {tensorsOf(body, first, types, where),
          tensorsOf(body, second, others, where)};
}

/// Returns the value of a boolean scalar in eager mode.
static bool isTrue(const Tensor &predicate, Place where) {
  if (predicate.rank() != 0 || predicate.dtype() != boolean)
    raise("expected a scalar of booleans as condition, found " +
              toString(predicate.dtype()) + " " + toString(predicate.shape()),
          predicate.body(), where);
  return (*predicate.body()->bytesOf(predicate.id()))[0] != 0;
}

Tensors dsl::buildCond(const Operand &predicate, const RegionFunction &then,
                       const RegionFunction &otherwise) {
  const Bodies &body = predicate.tensor().body();
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

/// Throws GraphError unless an iteration of an eager loop preserves the types
/// of the carried values. If mayVary is true, only element types and ranks must
/// stay the same.
static void expectSameTypes(const Bodies &body, const Tensors &next,
                            const Tensors &before, size_t count, Place where,
                            bool mayVary = false) {
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

/// Throws GraphError unless the body of an eager loop returns a value per
/// carried value.
static void expectCarried(const Bodies &body, size_t found, size_t carried,
                          Place where) {
  if (found != carried)
    raise("'tg.while' op expected " + std::to_string(carried) +
              " values of the body, found " + std::to_string(found),
          body, where);
}

static Tensors runWhile(const Bodies &body, const RegionFunction &condition,
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
  Bodies body = bodyOfValues(inits, {}, where);
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

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// Returns the type of a stack of tensors of a type. elementType() is the
/// inverse.
static TensorType stackedType(TensorType type, Extent length) {
  type.shape.insert(type.shape.begin(), length);
  return type;
}

static TensorType elementType(TensorType type) {
  type.shape.erase(type.shape.begin());
  return type;
}

/// Returns the number of steps, or a dynamic extent.
static Extent lengthOf(const Tensors &inputs, const ScanOptions &options) {
  if (options.length)
    return *options.length;
  for (const Tensor &input : inputs)
    if (input.rank() > 0 && input.shape()[0].isKnown())
      return input.shape()[0];
  return dim();
}

/// Returns the carried values, followed by element `place` of each input.
static Tensors argumentsAt(Tensors carried, const Tensors &inputs,
                           int64_t place) {
  for (const Tensor &input : inputs)
    carried.push_back(input[place]);
  return carried;
}

/// Runs the body once on zeros. Returns its results, which give the types for a
/// loop without steps, and the tensors from outside that it uses, if tapes
/// compute gradients for them.
static std::pair<Tensors, Tensors>
tryStep(const Bodies &body, const RegionFunction &step, Tensors carried,
        const Tensors &inputs, const std::vector<DType> &types, Place where) {
  Trial trial(*body);
  for (const Tensor &input : inputs)
    carried.push_back(Program::of(input).zeros(elementType(input.type()).shape,
                                               input.dtype()));
  Tensors results = tensorsOf(body, step.run(carried), types, where);
  Tensors taken;
  for (Id id : trial.end())
    taken.emplace_back(body, id);
  return {results, taken};
}

/// Returns an empty stack of elements like `element`. To give gradients of
/// zeros for `sources`, which the elements would depend on, it adds a sum over
/// an empty slice of each.
static Tensor stackOfNone(const Tensor &element, const Tensors &sources,
                          Place where) {
  Tensor none = stack({{element, where}}, 0, where)[Slice(0, 0)];
  if (!isFloat(none.dtype()))
    return none;
  for (const Tensor &source : sources) {
    if (!isFloat(source.dtype()))
      continue;
    Tensor flat = reshape({source, where}, {-1});
    none = none + cast(reduceSum(flat[Slice(0, 0)]), none.dtype());
  }
  return none;
}

static Tensors runScan(const Bodies &body, const RegionFunction &step,
                       Tensors carried, const Tensors &inputs,
                       const ScanOptions &options, Place where) {
  std::vector<DType> types = dtypesOf(carried);
  size_t count = carried.size();
  int64_t length = lengthOf(inputs, options).value;
  for (const Tensor &input : inputs)
    if (input.shape()[0].value != length)
      raise("expected inputs of one leading extent, found " +
                std::to_string(length) + " and " +
                std::to_string(input.shape()[0].value),
            body, where);
  std::vector<std::vector<Operand>> stacks;
  Tensors taken;
  for (int64_t i = 0; i < std::max<int64_t>(length, 1); ++i) {
    int64_t place = options.reverse ? length - 1 - i : i;
    Tensors next;
    if (length == 0)
      std::tie(next, taken) =
          tryStep(body, step, carried, inputs, types, where);
    else
      next = tensorsOf(body, step.run(argumentsAt(carried, inputs, place)),
                       types, where);
    expectSameTypes(body, next, carried, count, where);
    stacks.resize(next.size() - count);
    for (size_t k = count; k < next.size(); ++k)
      stacks[k - count].emplace_back(next[k], where);
    if (length > 0)
      carried.assign(next.begin(), next.begin() + int64_t(count));
  }
  taken.insert(taken.end(), inputs.begin(), inputs.end());
  for (std::vector<Operand> &elements : stacks) {
    if (options.reverse)
      std::reverse(elements.begin(), elements.end());
    carried.push_back(length == 0 ? stackOfNone(elements[0], taken, where)
                                  : stack(elements, 0, where));
  }
  return carried;
}

Tensors dsl::buildScan(const RegionFunction &step, const LoopValues &inits,
                       const Tensors &inputs, const ScanOptions &options,
                       Place where) {
  Bodies body = bodyOfValues(inits, inputs, where);
  expectParameters(body, step, "body", inits.size() + inputs.size(),
                   "the first values and the inputs", where);
  Tensors carried = tensorsOf(body, inits, typesOf(inits), where);
  for (const Tensor &input : inputs)
    if (input.rank() == 0)
      raise("expected inputs of rank 1 or more, found a scalar", body, where);
  if (inputs.empty() && !options.length)
    raise("expected a length of a scan without inputs, found none", body,
          where);
  if (!inputs.empty() && options.length)
    raise("expected no length of a scan beside its inputs, found " +
              std::to_string(*options.length),
          body, where);
  if (options.length && *options.length < 0)
    raise("expected a length of at least 0 of a scan, found " +
              std::to_string(*options.length),
          body, where);
  if (body->isEager())
    return runScan(body, step, std::move(carried), inputs, options, where);
  std::vector<TensorType> results = typesOf(carried), arguments = results;
  for (const Tensor &input : inputs)
    arguments.push_back(elementType(input.type()));
  OpenScan control(body, carried, inputs, options, where);
  Tensors next =
      tensorsOf(body, control.fill(step, arguments), dtypesOf(carried), where);
  for (size_t i = carried.size(); i < next.size(); ++i)
    results.push_back(stackedType(next[i].type(), lengthOf(inputs, options)));
  return control.end({next}, results);
}
