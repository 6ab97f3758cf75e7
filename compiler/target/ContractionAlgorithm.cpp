//===- ContractionAlgorithm.cpp - the contractions of a target ------------===//
#include "compiler/target/ContractionAlgorithm.h"
#include "dialects/tg/elements/ElementTypes.h"

using namespace mlir;
using namespace tg;

unsigned ContractionRequest::getLaneBytes() const {
  return laneBytes ? laneBytes : elementBytes(contraction.accumulator);
}

bool ContractionRequest::reducesTiles(ArrayRef<int64_t> tile,
                                      int64_t unit) const {
  return rowOrder && rowOrder.getTile() == tile &&
         !rowOrder.getLines().empty() &&
         rowOrder.getLines().front() % unit == 0;
}

bool ContractionRequest::hasFloatOperands() const {
  auto hasType = [&](const ContractionTensor &tensor) {
    return getElementTypeOrSelf(tensor.value) == contraction.accumulator;
  };
  return isa<FloatType>(contraction.accumulator) && hasType(contraction.lhs) &&
         hasType(contraction.rhs);
}

OrderAttr ContractionRequest::getOrder() const {
  return orderOf(contraction.result.value.getDefiningOp());
}

ContractionRequest tg::requestOf(tgx::KernelOp kernel,
                                 const Contraction &contraction) {
  Value lhs = contraction.lhs.value, rhs = contraction.rhs.value;
  auto unpack = rhs.getDefiningOp<tgx::UnpackOp>();
  ContractionRequest request{contraction};
  request.readsLhs = isa<BlockArgument>(lhs);
  request.readsRhs = isa<BlockArgument>(unpack ? unpack.getInput() : rhs);
  if (unpack)
    request.layout = unpack.getLayout();
  auto reductions = kernel.getBlock().getOps<ReductionOpInterface>();
  if (!reductions.empty())
    request.rowOrder = orderOf(*reductions.begin());
  return request;
}

const ContractionAlgorithm *
tg::findByName(ArrayRef<const ContractionAlgorithm *> algorithms,
               StringRef name) {
  for (const ContractionAlgorithm *algorithm : algorithms)
    if (!name.empty() && algorithm->getName() == name)
      return algorithm;
  return nullptr;
}

const ContractionAlgorithm *
tg::findFirst(ArrayRef<const ContractionAlgorithm *> algorithms,
              const ContractionRequest &request,
              const TargetDescription &target) {
  for (const ContractionAlgorithm *algorithm : algorithms)
    if (algorithm->getWinogradTile() == request.getOrder().getWinograd() &&
        algorithm->findUnmetRequirement(request, target).empty())
      return algorithm;
  return nullptr;
}
