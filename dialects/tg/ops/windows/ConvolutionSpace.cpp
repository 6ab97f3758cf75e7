//===- ConvolutionSpace.cpp - iteration spaces of convolutions ------------===//
#include "dialects/tg/ops/windows/ConvolutionSpace.h"

using namespace mlir;
using namespace tg;

ConvolutionRoles<Value> tg::rolesOf(ConvOp op) {
  return {op.getInput(), op.getFilter(), op.getResult()};
}

ConvolutionRoles<Value> tg::rolesOf(ConvTransposeOp op) {
  return {op.getResult(), op.getFilter(), op.getInput()};
}

ConvolutionRoles<Value> tg::rolesOf(ConvFilterGradOp op) {
  return {op.getInput(), op.getResult(), op.getOutputGrad()};
}

static ContractionIndex plainIndex(unsigned dimension) {
  return {.terms = {{.dimension = dimension}}};
}

/// Returns the simplified offset, or null if it is 0.
static AffineExpr offsetOf(AffineExpr offset) {
  return staticExtent(offset) == 0 ? AffineExpr() : simplifyExtent(offset);
}

/// Returns the index of a channel among the channels of all groups.
ContractionIndex ConvolutionSpace::channelOf(unsigned channel) const {
  if (!group)
    return plainIndex(channel);
  int64_t channels = *staticExtent(dimensions[channel].extent);
  if (channels == 1)
    return plainIndex(*group);
  return {.terms = {{.dimension = *group, .factor = channels},
                    {.dimension = channel}}};
}

/// Returns the index along an axis of the input: the position of a tap.
ContractionIndex ConvolutionSpace::windowIndex(unsigned axis) const {
  AffineExpr extent = extents.input[axis + 1];
  return {
      .terms = {{.dimension = positions[axis],
                 .factor = windows.strideOf(axis)},
                {.dimension = taps[axis], .factor = windows.dilationOf(axis)}},
      .offset = offsetOf(-windows.paddingBefore(axis, extent)),
      .isPartial = !windows.isInside(axis, extent)};
}

/// Returns the index along an axis of the output: the window whose tap lies at
/// a position of the input.
ContractionIndex ConvolutionSpace::positionIndex(unsigned axis) const {
  AffineExpr extent = extents.input[axis + 1];
  AffineExpr low = windows.paddingBefore(axis, extent);
  auto isNeverNegative = [](AffineExpr number) {
    return staticExtent(simplifyExtent(number)).value_or(-1) >= 0;
  };
  bool isInside = windows.strideOf(axis) == 1 &&
                  isNeverNegative(low + (1 - windows.reachOf(axis))) &&
                  isNeverNegative(windows.countOf(axis, extent) - extent - low);
  return {
      .terms = {{.dimension = positions[axis]},
                {.dimension = taps[axis], .factor = -windows.dilationOf(axis)}},
      .offset = offsetOf(low),
      .divisor = windows.strideOf(axis),
      .isPartial = !isInside};
}

ContractionTensor ConvolutionSpace::getInput() const {
  ContractionTensor tensor{values.input, extents.input, {plainIndex(sample)}};
  for (unsigned axis = 0; axis < windows.getRank(); ++axis)
    tensor.indices.push_back(positionsAreOfInput ? plainIndex(positions[axis])
                                                 : windowIndex(axis));
  tensor.indices.push_back(channelOf(inputChannel));
  return tensor;
}

ContractionTensor ConvolutionSpace::getFilter() const {
  ContractionTensor tensor{values.filter, extents.filter, {}};
  for (unsigned tap : taps)
    tensor.indices.push_back(plainIndex(tap));
  tensor.indices.push_back(plainIndex(inputChannel));
  tensor.indices.push_back(channelOf(outputChannel));
  return tensor;
}

ContractionTensor ConvolutionSpace::getOutput() const {
  ContractionTensor tensor{values.output, extents.output, {plainIndex(sample)}};
  for (unsigned axis = 0; axis < windows.getRank(); ++axis)
    tensor.indices.push_back(positionsAreOfInput ? positionIndex(axis)
                                                 : plainIndex(positions[axis]));
  tensor.indices.push_back(channelOf(outputChannel));
  return tensor;
}

Contraction ConvolutionSpace::makeContraction(ContractionTensor lhs,
                                              ContractionTensor rhs,
                                              ContractionTensor result) const {
  ElementType element = elementOf(getElementTypeOrSelf(result.value));
  return {dimensions, std::move(lhs), std::move(rhs), std::move(result),
          mlirTypeOf(typeInfoOf(element).product, context())};
}
