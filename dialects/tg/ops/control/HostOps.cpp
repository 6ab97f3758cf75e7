//===- HostOps.cpp - host calls, asserts and prints -----------------------===//
#include "dialects/tg/ops/control/HostOps.h"
#include "dialects/tg/ops/control/HostResults.h"
#include "dialects/tg/rules/SignatureRules.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/control/HostOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// host_call
//===----------------------------------------------------------------------===//

/// Returns the number of dynamic extents of all results.
static int64_t countDynamicExtents(Operation *op) {
  int64_t count = 0;
  for (Type type : op->getResultTypes())
    count += cast<RankedTensorType>(type).getNumDynamicDims();
  return count;
}

LogicalResult tg::verifyHostCall(Operation *op, StringRef callee,
                                 OperandRange sizes) {
  if (!isName(callee))
    return op->emitOpError()
           << "expected the name of a function like fc1/relu, found '" << callee
           << "' [C1]";
  int64_t dynamicCount = countDynamicExtents(op);
  if (dynamicCount == int64_t(sizes.size()))
    return success();
  return op->emitOpError() << "expected as many sizes as dynamic extents of "
                              "results ("
                           << dynamicCount << "), found " << sizes.size()
                           << " [C2]";
}

LogicalResult tg::inferHostResults(Operation *op, OperandRange sizes,
                                   ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    TensorExtents extents = {type.getElementType(), {}};
    for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(extent)) {
        extents.dims.push_back(inference.constant(extent));
        continue;
      }
      extents.dims.push_back(inference.sizeOf(sizes.front()));
      sizes = sizes.drop_front();
      if (failed(inference.requireNotNegative(extents.dims.back(),
                                              "result " + Twine(index) +
                                                  " dim " + Twine(axis))))
        return failure();
    }
    results.push_back(std::move(extents));
  }
  return success();
}

void tg::setHostSize(Operation *op, unsigned index, int64_t size) {
  for (Value result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (index >= type.getNumDynamicDims()) {
      index -= type.getNumDynamicDims();
      continue;
    }
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &extent : shape)
      if (ShapedType::isDynamic(extent) && index-- == 0)
        extent = size;
    result.setType(type.clone(shape));
    return;
  }
}

LogicalResult HostCallOp::verify() {
  return verifyHostCall(*this, getCallee(), getDynamic());
}

void HostCallOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getPure())
    effects.emplace_back(MemoryEffects::Write::get(), HostState::get());
}

LogicalResult
HostCallOp::inferExtents(ShapeInference &inference,
                         SmallVectorImpl<TensorExtents> &results) {
  return inferHostResults(*this, getDynamic(), inference, results);
}

SmallVector<StringRef> HostCallOp::getSizeAttributes() { return {}; }

void HostCallOp::setSize(unsigned index, int64_t size) {
  setHostSize(*this, index, size);
}

HostAction HostCallOp::getHostAction() { return HostAction::call; }

StringRef HostCallOp::getHostText() { return getCallee(); }

OperandRange HostCallOp::getHostInputs() { return getInputs(); }

//===----------------------------------------------------------------------===//
// assert
//===----------------------------------------------------------------------===//

HostAction AssertOp::getHostAction() { return HostAction::check; }

StringRef AssertOp::getHostText() { return getMessage(); }

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

HostAction PrintOp::getHostAction() { return HostAction::print; }

StringRef PrintOp::getHostText() { return getLabel(); }

bool PrintOp::canFail() { return false; }
