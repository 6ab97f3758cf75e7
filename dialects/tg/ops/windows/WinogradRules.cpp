//===- WinogradRules.cpp - the contractions of Winograd's algorithm -------===//
#include "dialects/tg/ops/windows/WinogradRules.h"
#include "dialects/tg/elements/ElementTypes.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

/// Returns the windows of a contraction if Winograd tiles can compute it: two
/// axes of 3 taps with stride 1, sums of f32, an rhs of rank
/// 4 (images or a filter), static channels and columns. Taps run in the
/// direction of the positions if `direction` is 1, and against it, as in an
/// adjoint, if it is -1.
static std::optional<WindowedLhs> findTiles(const Contraction &contraction,
                                            int64_t direction) {
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || windows->axes.size() != 2 ||
      !isa<FloatType>(contraction.accumulator) ||
      elementBytes(contraction.accumulator) != kElementBytes ||
      getElementTypeOrSelf(contraction.rhs.value) != contraction.accumulator ||
      contraction.rhs.extents.size() != 4)
    return std::nullopt;
  auto isPositive = [&](AffineExpr extent) {
    return staticExtent(extent).value_or(0) > 0;
  };
  bool fits = llvm::all_of(windows->axes, [&](const WindowAxis &axis) {
    return axis.stride == 1 && axis.dilation == direction &&
           axis.divisor == 1 &&
           staticExtent(contraction.dimensions[axis.tap].extent) == kTaps;
  });
  if (!fits || !isPositive(contraction.lhs.extents.back()) ||
      !isPositive(contraction.result.extents.back()))
    return std::nullopt;
  return windows;
}

/// Returns true if the tensor has these dimensions in this order.
static bool hasDimensions(const ContractionTensor &tensor,
                          ArrayRef<unsigned> dimensions) {
  return llvm::all_of(llvm::enumerate(dimensions), [&](auto indexed) {
    return tensor.axisOf(indexed.value()) == indexed.index();
  });
}

static unsigned columnOf(const Contraction &contraction) {
  return contraction.dimensionsOf(DimensionKind::column).front();
}

/// Returns true if the contraction is a convolution, or the gradient of its
/// input, of 3x3 windows with stride 1. The filter must be [taps, taps,
/// channels, columns] or, for an adjoint, [taps, taps, columns, channels].
bool winograd::isConvolution(const Contraction &contraction) {
  for (int64_t direction : {1, -1}) {
    std::optional<WindowedLhs> windows = findTiles(contraction, direction);
    if (!windows)
      continue;
    unsigned order[] = {windows->axes[0].tap, windows->axes[1].tap,
                        windows->channel, columnOf(contraction)};
    if (direction < 0)
      std::swap(order[2], order[3]);
    return hasDimensions(contraction.rhs, order);
  }
  return false;
}

bool winograd::isFilterGradient(const Contraction &contraction) {
  std::optional<WindowedLhs> windows = findTiles(contraction, /*direction=*/1);
  if (!windows)
    return false;
  unsigned column = columnOf(contraction);
  return hasDimensions(contraction.rhs,
                       {windows->outer, windows->axes[0].position,
                        windows->axes[1].position, column}) &&
         hasDimensions(contraction.result,
                       {windows->axes[0].tap, windows->axes[1].tap,
                        windows->channel, column});
}
