//===- TapeGradients.cpp - gradients of tapes -----------------------------===//
#include "compiler/frontend/eager/Engine.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/HostOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Builds an op that uses the results of a gradient request, so that they can
/// be found after the request is expanded.
static Operation *buildAnchor(OpBuilder &builder, Location loc,
                              ValueRange values) {
  return UnrealizedConversionCastOp::create(builder, loc, TypeRange(), values);
}

/// Returns the sum of all elements.
static Value buildTotal(OpBuilder &builder, Location loc, Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (rank == 0)
    return value;
  return ReduceSumOp::create(builder, loc, value,
                             llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                             /*keepDims=*/false);
}

std::vector<std::optional<Id>>
Engine::gradientOfVariable(const TapeState *tape, Id target,
                           std::span<const Id> sources) {
  std::vector<std::optional<Id>> gradients(sources.size());
  if (watches(tape, target))
    for (auto [gradient, source] : llvm::zip_equal(gradients, sources))
      if (source == target)
        gradient = addNumbers(slots[target].value.getType(), {{1.0}});
  return gradients;
}

Result<std::vector<std::optional<Id>>>
Engine::gradient(const TapeState *tape, Id target, std::span<const Id> sources,
                 Place where) {
  if (slots[target].variable)
    return {gradientOfVariable(tape, target, sources)};
  std::vector<std::optional<Id>> gradients(sources.size());
  if (!isActive(slots[target]) || (tape && !recordings.count(tape->number)))
    return {gradients};
  llvm::DenseSet<Value> reached = reachedFrom(slots[target].recorded);
  llvm::DenseSet<Value> watched;
  if (tape)
    watched = watchedBy(*tape);
  // The stand-ins that the gradient depends on, per source.
  SmallVector<SmallVector<Value>> wanted;
  SmallVector<Value> all;
  for (Id source : sources) {
    wanted.emplace_back();
    for (Value value : standInsOf(source))
      if (reached.contains(value) && (!tape || watched.contains(value)))
        wanted.back().push_back(value);
    all.append(wanted.back());
  }
  if (all.empty())
    return {gradients};
  Location loc = impl.locate(where);
  Operation *last = impl.top->empty() ? nullptr : &impl.top->back();
  OpBuilder builder(&impl.context);
  builder.setInsertionPointToEnd(impl.top);
  auto request = GradientOp::create(
      builder, loc, ValueRange(all).getTypes(),
      buildTotal(builder, loc, slots[target].recorded), all, ArrayAttr(),
      /*allow_unconnected=*/builder.getUnitAttr());
  SmallVector<Value> sums;
  size_t next = 0;
  for (const SmallVector<Value> &values : wanted) {
    Value sum;
    for (size_t i = 0; i < values.size(); ++i) {
      Value part = request.getGradients()[next++];
      sum = sum ? Value(AddOp::create(builder, loc, sum, part)) : part;
    }
    if (sum)
      sums.push_back(sum);
  }
  Operation *anchor = buildAnchor(builder, loc, sums);
  bool staysRecorded =
      !RecordingPause::isOn() &&
      llvm::any_of(openTapes(), [](const auto &open) { return open->records; });
  Capture capture(&impl.context);
  std::optional<Error> error;
  if (failed(expandGradient(request)))
    error = capture.take("a gradient");
  else
    error = evaluateGradient(last, anchor, staysRecorded);
  size_t found = 0;
  for (auto [number, values] : llvm::enumerate(wanted)) {
    if (error || values.empty())
      continue;
    Value result = anchor->getOperand(found++);
    Id id = add(recordedValues.lookup(result));
    if (staysRecorded)
      setStandIn(id, result, /*isActive=*/true);
    gradients[number] = id;
  }
  // The ops of the gradient follow `last`.
  anchor->erase();
  if (!staysRecorded || error)
    while (!impl.top->empty() && &impl.top->back() != last) {
      for (Value result : impl.top->back().getResults())
        recordedValues.erase(result);
      impl.top->back().erase();
    }
  if (error)
    return {{}, error};
  return {gradients};
}

Result<std::vector<Id>> Engine::gradient(Id target, std::span<const Id> values,
                                         std::span<const std::string> variables,
                                         Place where) {
  std::vector<Id> sources(values.begin(), values.end());
  for (const std::string &name : variables)
    sources.push_back(body.findVariable(name)->read);
  if (!isRecorded(target))
    return {{},
            errorAt("expected a tensor that a GradientTape recorded, found "
                    "another: eager "
                    "execution forgets how other tensors were computed",
                    where)};
  auto [gradients, error] = gradient(nullptr, target, sources, where);
  if (error)
    return {{}, error};
  std::vector<Id> ids;
  for (size_t i = 0; i < sources.size(); ++i) {
    const HostTensor &like = slots[sources[i]].value;
    ids.push_back(
        gradients[i] ? *gradients[i]
                     : add(HostTensor(like.getElementType(), like.getShape())));
  }
  return {ids};
}

std::optional<Error> Engine::evaluateGradient(Operation *last,
                                              Operation *results,
                                              bool staysRecorded) {
  llvm::DenseSet<Operation *> needed = {results};
  SmallVector<Operation *> order;
  for (Operation *op = results; op != last && op; op = op->getPrevNode()) {
    if (!needed.contains(op))
      continue;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *from = operand.getDefiningOp())
          needed.insert(from);
    });
    if (op != results)
      order.push_back(op);
  }
  for (Operation *op : llvm::reverse(order))
    if (std::optional<Error> error = evaluateRecorded(op))
      return error;
  if (!staysRecorded)
    return {};
  for (Operation *op = results; op != last && op;) {
    Operation *before = op->getPrevNode();
    if (!needed.contains(op))
      op->erase();
    op = before;
  }
  return {};
}

std::optional<Error> Engine::evaluateRecorded(Operation *op) {
  if (auto custom = dyn_cast<CustomGradientOp>(op))
    return evaluateRegion(custom.getForward(), custom.getInputs(),
                          custom.getResults());
  if (auto call = dyn_cast<HostCallOp>(op))
    return evaluateHostCall(call);
  if (auto control = dyn_cast<RegionOpInterface>(op))
    return evaluateControl(control);
  auto rule = dyn_cast<EvaluableOpInterface>(op);
  llvm::StringRef name = op->getName().getStringRef();
  if (!rule)
    return makeError(
        ("expected a gradient of ops with values, found '" + name + "'").str(),
        op->getLoc());
  SmallVector<HostTensor> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(recordedValues.lookup(operand));
  std::string error = isExact ? OpReference(op).evaluate(operands, results)
                              : evaluateOp(rule, operands, results);
  if (error.empty() && checksNumerics)
    error = findBadNumber(name, operands, results);
  if (!error.empty())
    return makeError(nameOp(name, error), op->getLoc());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
    result.setType(value.getType());
    recordedValues[result] = std::move(value);
  }
  return {};
}
