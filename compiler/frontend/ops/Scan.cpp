//===- Scan.cpp - scans of C++ functions ----------------------------------===//
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/graph/OpenControl.h"
#include "compiler/frontend/ops/ControlValues.h"
#include "tg/graph/program.h"

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

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
tryStep(const BodyPtr &body, const RegionFunction &step, Tensors carried,
        const Tensors &inputs, const std::vector<DType> &types, Place where) {
  UnrecordedScope scope(*body);
  for (const Tensor &input : inputs)
    carried.push_back(Program::of(input).zeros(elementType(input.type()).shape,
                                               input.dtype()));
  Tensors results = tensorsOf(body, step.run(carried), types, where);
  Tensors taken;
  for (Id id : scope.end())
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

static Tensors runScan(const BodyPtr &body, const RegionFunction &step,
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
  BodyPtr body = bodyOfValues(inits, inputs, where);
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
  std::vector<TensorType> results = typesOf(carried);
  std::vector<TensorType> arguments = results;
  for (const Tensor &input : inputs)
    arguments.push_back(elementType(input.type()));
  OpenScan control(body, carried, inputs, options, where);
  Tensors next =
      tensorsOf(body, control.fill(step, arguments), dtypesOf(carried), where);
  for (size_t i = carried.size(); i < next.size(); ++i)
    results.push_back(stackedType(next[i].type(), lengthOf(inputs, options)));
  return control.end({next}, results);
}
