//===- CustomGradients.cpp - eager custom gradients and host calls --------===//
#include "compiler/frontend/eager/Engine.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/HostOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// The block for recorded ops
//===----------------------------------------------------------------------===//

Value Engine::recordedValueOf(Id id) {
  if (customGradients.empty())
    return standInOf(id);
  CustomGradient &open = *customGradients.back();
  Value &value = open.values[id];
  if (!value) {
    // A value that was computed elsewhere is a constant of the region.
    OpBuilder builder(&impl.context);
    builder.setInsertionPointToEnd(&open.regions.back()->front());
    value =
        ConstantOp::create(builder, open.loc, slots[id].value.toAttribute());
  }
  return value;
}

void Engine::recordOp(Operation *op, std::span<const Id> results) {
  if (customGradients.empty()) {
    impl.top->push_back(op);
    for (auto [id, result] : llvm::zip_equal(results, op->getResults()))
      setStandIn(id, result, isa<FloatType>(slots[id].value.getElementType()));
    return;
  }
  CustomGradient &open = *customGradients.back();
  open.regions.back()->front().push_back(op);
  for (auto [id, result] : llvm::zip_equal(results, op->getResults()))
    open.values[id] = result;
}

//===----------------------------------------------------------------------===//
// Custom gradients
//===----------------------------------------------------------------------===//

std::vector<Id> Engine::addArguments(ArrayRef<HostTensor> tensors) {
  CustomGradient &open = *customGradients.back();
  open.values.clear();
  Block *block = nullptr;
  if (open.isTraced)
    block =
        &open.regions.emplace_back(std::make_unique<Region>())->emplaceBlock();
  std::vector<Id> ids;
  for (const HostTensor &tensor : tensors) {
    ids.push_back(add(tensor));
    if (block)
      open.values[ids.back()] = block->addArgument(tensor.getType(), open.loc);
  }
  return ids;
}

std::vector<Id> Engine::beginCustomGradient(std::span<const Id> inputs,
                                            Place where) {
  auto made = std::make_unique<CustomGradient>(
      CustomGradient{impl.locate(where), needsRecording(nullptr, inputs), {}});
  for (Id input : inputs) {
    made->inputs.push_back(slots[input].value);
    if (made->isTraced)
      made->operands.push_back(recordedValueOf(input));
  }
  customGradients.push_back(std::move(made));
  return addArguments(customGradients.back()->inputs);
}

/// Terminates the region that is being filled.
static void buildYield(Region &region, Location loc, ValueRange values) {
  OpBuilder builder(loc.getContext()); // the region has no ops yet
  builder.setInsertionPointToEnd(&region.front());
  YieldOp::create(builder, loc, values);
}

/// Returns a tensor of ones with the type of `like`.
static HostTensor onesLike(const HostTensor &like) {
  HostTensor ones(like.getElementType(), like.getShape());
  visitElementType(like.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (T &element : ones.values<T>())
      element = T(1);
  });
  return ones;
}

std::vector<Id> Engine::beginBackward(std::span<const Id> outputs) {
  CustomGradient &open = *customGradients.back();
  SmallVector<Value> yielded;
  std::vector<HostTensor> arguments = open.inputs;
  for (Id output : outputs) {
    yielded.push_back(recordedValueOf(output));
    open.outputs.push_back(slots[output].value);
  }
  buildYield(*open.regions.back(), open.loc, yielded);
  llvm::append_range(arguments, open.outputs);
  // The recorded ops do not depend on the values of the cotangents, so any
  // values are suitable.
  for (const HostTensor &output : open.outputs)
    if (isa<FloatType>(output.getElementType()))
      arguments.push_back(onesLike(output));
  return addArguments(arguments);
}

Result<std::vector<Id>>
Engine::endCustomGradient(std::span<const Id> gradients) {
  SmallVector<Value> yielded;
  for (Id gradient : gradients)
    yielded.push_back(recordedValueOf(gradient));
  std::unique_ptr<CustomGradient> made = std::move(customGradients.back());
  buildYield(*made->regions.back(), made->loc, yielded);
  customGradients.pop_back();
  OperationState state(made->loc, CustomGradientOp::getOperationName());
  state.addOperands(made->operands);
  for (const HostTensor &output : made->outputs)
    state.addTypes(output.getType());
  for (std::unique_ptr<Region> &region : made->regions)
    state.addRegion(std::move(region));
  Capture capture(&impl.context);
  Operation *op = Operation::create(state);
  if (failed(verifyWithOwnMessages(op))) {
    op->destroy();
    return {{}, capture.take("a valid gradient")};
  }
  std::vector<Id> ids;
  for (HostTensor &output : made->outputs)
    ids.push_back(add(std::move(output)));
  recordOp(op, ids);
  return {ids};
}

//===----------------------------------------------------------------------===//
// Host functions
//===----------------------------------------------------------------------===//

Result<SmallVector<HostTensor>> Engine::callHost(const HostCallSpec &spec,
                                                 ArrayRef<HostTensor> inputs,
                                                 Location loc) {
  if (!body.hostRunner)
    return {{},
            makeError("expected function '" + spec.name +
                          "' of the host to be registered with the program, "
                          "found none",
                      loc)};
  std::vector<SavedTensor> arguments;
  for (const HostTensor &input : inputs)
    arguments.push_back(Body::Impl::save(input));
  auto [outputs, error] = body.hostRunner(spec, arguments);
  if (error)
    return {{}, makeError(error->message, loc)};
  SmallVector<HostTensor> results;
  for (const SavedTensor &output : outputs)
    results.push_back(impl.tensorOf(output));
  return {results};
}

Result<std::vector<Id>> Engine::hostCall(const HostCallSpec &spec,
                                         Place where) {
  HostCallSpec known = spec;
  auto size = spec.sizes.begin();
  for (tg::TensorType &type : known.results)
    for (Extent &extent : type.shape)
      if (!extent.isKnown())
        extent = Extent(slots[*size++].value.integerAt(0));
  SmallVector<HostTensor> inputs;
  for (Id input : spec.inputs)
    inputs.push_back(slots[input].value);
  Location loc = impl.locate(where);
  auto [outputs, error] = callHost(known, inputs, loc);
  if (error)
    return {{}, impl.inScope(std::move(*error))};
  std::vector<Id> ids;
  SmallVector<Type> types;
  for (HostTensor &output : outputs) {
    types.push_back(output.getType());
    ids.push_back(add(std::move(output)));
  }
  // A host call has no gradient itself, but the regions of a custom gradient
  // may contain it.
  if (customGradients.empty() || !customGradients.back()->isTraced)
    return {ids};
  SmallVector<Value> operands;
  for (Id input : spec.inputs)
    operands.push_back(recordedValueOf(input));
  OpBuilder builder(&impl.context);
  recordOp(HostCallOp::create(builder, loc, types, spec.name, operands,
                              ValueRange(), spec.isPure),
           ids);
  return {ids};
}

//===----------------------------------------------------------------------===//
// Evaluation of recorded ops
//===----------------------------------------------------------------------===//

std::optional<Error> Engine::evaluateHostCall(Operation *op) {
  auto call = cast<HostCallOp>(op);
  HostCallSpec spec{call.getCallee().str(), {}, {}, {}, call.getPure()};
  for (Type type : call.getResultTypes())
    spec.results.push_back(Body::Impl::convert(cast<RankedTensorType>(type)));
  SmallVector<HostTensor> inputs;
  for (Value input : call.getInputs())
    inputs.push_back(recordedValues.lookup(input));
  auto [outputs, error] = callHost(spec, inputs, op->getLoc());
  if (error)
    return error;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), outputs))
    recordedValues[result] = std::move(value);
  return {};
}

std::optional<Error> Engine::evaluateRegion(Region &region,
                                            ValueRange arguments,
                                            ValueRange results) {
  Block &block = region.front();
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    recordedValues[argument] = recordedValues.lookup(value);
  for (Operation &op : block.without_terminator())
    if (std::optional<Error> error = evaluateRecorded(&op))
      return error;
  for (auto [result, value] :
       llvm::zip_equal(results, block.getTerminator()->getOperands()))
    recordedValues[result] = recordedValues.lookup(value);
  forget(block);
  return {};
}

void Engine::forget(Block &block) {
  for (Operation &op : block)
    for (Value value : op.getResults())
      recordedValues.erase(value);
  for (Value argument : block.getArguments())
    recordedValues.erase(argument);
}

/// Evaluates a branch or a loop in a gradient, such as the scans in the
/// gradient of a product reduction.
std::optional<Error> Engine::evaluateControl(RegionOpInterface op) {
  std::optional<Error> error;
  auto run = [&](Block &block, ArrayRef<HostTensor> arguments,
                 SmallVectorImpl<HostTensor> &yielded) -> std::string {
    for (auto [argument, value] :
         llvm::zip_equal(block.getArguments(), arguments))
      recordedValues[argument] = value;
    for (Operation &inner : block.without_terminator())
      if ((error = evaluateRecorded(&inner)))
        return error->message;
    for (Value value : block.getTerminator()->getOperands())
      yielded.push_back(recordedValues.lookup(value));
    forget(block);
    return {};
  };
  SmallVector<HostTensor> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(recordedValues.lookup(operand));
  std::string failure = op.evaluateRegions(operands, run, results);
  if (error)
    return error;
  if (!failure.empty())
    return makeError(nameOp(op->getName().getStringRef(), failure),
                     op->getLoc());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
    result.setType(value.getType());
    recordedValues[result] = std::move(value);
  }
  return {};
}
