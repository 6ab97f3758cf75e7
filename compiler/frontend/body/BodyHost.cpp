//===- BodyHost.cpp - host calls, prints, asserts, custom gradients -------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/CudaOps.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/HostOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

SmallVector<Value> Body::Impl::valuesOf(std::span<const Id> ids) {
  SmallVector<Value> list;
  for (Id id : ids)
    list.push_back(use(id));
  return list;
}

/// Returns the attribute of a kernel; null after an error at `loc`.
static CudaKernelAttr convert(const CudaKernelSpec &kernel, Location loc) {
  MLIRContext *context = loc.getContext();
  auto text = [&](const std::string &value) {
    return value.empty() ? StringAttr() : StringAttr::get(context, value);
  };
  auto list = [&](const std::vector<int64_t> &values) {
    return values.empty() ? DenseI64ArrayAttr()
                          : DenseI64ArrayAttr::get(context, values);
  };
  return CudaKernelAttr::getChecked(
      [&] { return emitError(loc); }, context, text(kernel.cuda),
      text(kernel.ptx), text(kernel.entry), list(kernel.block),
      list(kernel.grid), kernel.elementsPerBlock, kernel.sharedBytes);
}

/// Builds the op of a call; null after an error.
static Operation *makeCall(const HostCallSpec &spec, TypeRange types,
                           ValueRange inputs, ValueRange sizes,
                           OpBuilder &builder, Location loc) {
  if (!spec.kernel)
    return HostCallOp::create(builder, loc, types, spec.name, inputs, sizes,
                              spec.isPure);
  CudaKernelAttr kernel = convert(*spec.kernel, loc);
  return kernel ? CudaCallOp::create(builder, loc, types, spec.name, inputs,
                                     sizes, kernel)
                      .getOperation()
                : nullptr;
}

Result<std::vector<Id>> Body::hostCall(const HostCallSpec &spec, Place where) {
  if (impl->evaluator)
    return impl->evaluator->hostCall(spec, where);
  for (const std::vector<Id> *ids : {&spec.inputs, &spec.sizes})
    if (auto error = impl->checkVisible(*ids, effectivePlace(where)))
      return {{}, impl->inScope(std::move(*error))};
  SmallVector<Type> types;
  for (const tg::TensorType &type : spec.results)
    types.push_back(impl->convert(type));
  Capture capture(&impl->context);
  Operation *call =
      makeCall(spec, types, impl->valuesOf(spec.inputs),
               impl->valuesOf(spec.sizes), *impl->builder, impl->locate(where));
  if (!call || !impl->verifyOrErase(call))
    return {{}, capture.take("a valid call of the host")};
  impl->trackExtents(call);
  return {impl->addAll(call->getResults())};
}

Result<Id> Body::print(const std::string &label, Id value, Place where) {
  if (impl->evaluator)
    return {0, impl->needsGraph("a print", where)};
  if (auto error = impl->checkVisible({&value, 1}, effectivePlace(where)))
    return {0, impl->inScope(std::move(*error))};
  impl->effects.push_back(PrintOp::create(*impl->builder, impl->locate(where),
                                          label, impl->use(value)));
  return {Id(impl->effects.size() - 1)};
}

/// Evaluates an assert in eager mode.
static Result<Id> checkNow(const HostTensor &condition,
                           const std::string &message, Place where) {
  if (condition.getRank() == 0 && condition.integerAt(0))
    return {0};
  return {0, Error{"the condition is false: " + message, where.file_name(),
                   where.line(), where.column()}};
}

Result<Id> Body::check(Id condition, const std::string &message, Place where) {
  if (impl->evaluator)
    return checkNow(impl->evaluator->valueOf(condition), message,
                    effectivePlace(where));
  if (auto error = impl->checkVisible({&condition, 1}, effectivePlace(where)))
    return {0, impl->inScope(std::move(*error))};
  Capture capture(&impl->context);
  auto op = AssertOp::create(*impl->builder, impl->locate(where),
                             impl->use(condition), message);
  if (!impl->verifyOrErase(op))
    return {0, capture.take("a valid assert")};
  impl->effects.push_back(op);
  return {Id(impl->effects.size() - 1)};
}

//===----------------------------------------------------------------------===//
// Custom gradients
//===----------------------------------------------------------------------===//

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

Result<std::vector<Id>> Body::beginCustomGradient(std::span<const Id> inputs,
                                                  Place where) {
  if (impl->evaluator)
    return {impl->evaluator->beginCustomGradient(inputs, where)};
  if (auto error = impl->checkVisible(inputs, effectivePlace(where)))
    return {{}, impl->inScope(std::move(*error))};
  Location loc = impl->locate(where);
  // The result types follow from the yielded values. Until these are known, an
  // op without results holds the regions.
  OperationState state(loc, CustomGradientOp::getOperationName());
  state.addOperands(impl->valuesOf(inputs));
  state.addRegion();
  state.addRegion();
  Operation *op = impl->builder->create(state);
  impl->openCustomGradients.push_back(op);
  Block &block = op->getRegion(0).emplaceBlock();
  for (Value input : op->getOperands())
    impl->addArgumentLike(block, input, loc);
  impl->builder->setInsertionPointToEnd(&block);
  return {impl->addAll(block.getArguments())};
}

bool Body::needsBackward() const {
  return !impl->evaluator || impl->evaluator->needsBackward();
}

Result<std::vector<Id>> Body::beginBackward(std::span<const Id> outputs,
                                            Place where) {
  if (impl->evaluator)
    return {impl->evaluator->beginBackward(outputs)};
  if (auto error = impl->checkVisible(outputs, effectivePlace(where)))
    return {{}, impl->inScope(std::move(*error))};
  Operation *op = impl->openCustomGradients.back();
  Location loc = impl->locate(where);
  YieldOp::create(*impl->builder, loc, impl->valuesOf(outputs));
  Block &block = op->getRegion(1).emplaceBlock();
  for (Value input : op->getOperands())
    impl->addArgumentLike(block, input, loc);
  SmallVector<Value> results = impl->valuesOf(outputs);
  for (Value result : results)
    impl->addArgumentLike(block, result, loc);
  for (Value result : results)
    if (isFloat(result))
      impl->addArgumentLike(block, result, loc);
  impl->builder->setInsertionPointToEnd(&block);
  return {impl->addAll(block.getArguments())};
}

Result<std::vector<Id>> Body::endCustomGradient(std::span<const Id> gradients,
                                                Place where) {
  if (impl->evaluator)
    return impl->evaluator->endCustomGradient(gradients);
  if (auto error = impl->checkVisible(gradients, effectivePlace(where))) {
    abandonCustomGradient();
    return {{}, impl->inScope(std::move(*error))};
  }
  Operation *open = impl->openCustomGradients.back();
  YieldOp::create(*impl->builder, impl->locate(where),
                  impl->valuesOf(gradients));
  impl->builder->setInsertionPoint(open);
  OperationState state(open->getLoc(), open->getName());
  state.addOperands(open->getOperands());
  state.addTypes(open->getRegion(0).front().getTerminator()->getOperandTypes());
  for (Region &region : open->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = impl->builder->create(state);
  abandonCustomGradient();
  Capture capture(&impl->context);
  if (failed(verifyWithOwnMessages(made))) {
    impl->eraseRegions(made);
    return {{}, capture.take("a valid gradient")};
  }
  impl->trackExtents(made);
  return {impl->addAll(made->getResults())};
}

void Body::abandonCustomGradient() {
  if (impl->evaluator)
    return impl->evaluator->abandonCustomGradient();
  Operation *open = impl->openCustomGradients.back();
  impl->openCustomGradients.pop_back();
  impl->builder->setInsertionPointAfter(open);
  impl->eraseRegions(open);
}
