//===- WinogradChoice.cpp - which convolutions transform their tiles ------===//
#include "compiler/transforms/WinogradChoice.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "dialects/tg/ElementTypes.h"

using namespace mlir;
using namespace tg;

/// Columns and channels come in whole vectors of so many, which every level
/// divides.
static constexpr int64_t kVector = 16;
/// In smaller images the factors of a filter that was transformed ahead come
/// from memory for few positions, and with fewer channels the transforms cost
/// too much. Measured at the least of both and above: 1.7 to 3 times as fast.
static constexpr int64_t kLeastExtent = 14, kLeastChannels = 32;
/// What the transforms cost for each channel and each column of a tile, and for
/// each window of a filter, in multiplications of a product.
static constexpr int64_t kTransformCost = 300, kFilterCost = 1300;

/// Bytes of the widest sums that may be rounded as the transforms do: f32.
static constexpr int64_t kWidest = 4;

/// Taps run along the positions, or, of an adjoint, against them.
static bool isWindowOfThree(const Contraction &contraction,
                            const WindowAxis &axis, int64_t direction) {
  return axis.stride == 1 && axis.dilation == direction && axis.divisor == 1 &&
         staticExtent(contraction.dimensions[axis.tap].extent) == 3;
}

/// Whether the rhs is a filter of these windows, [taps, taps, channels,
/// columns] or, of an adjoint, [taps, taps, columns, channels].
static bool isFilterOf(const ContractionTensor &rhs, const WindowedLhs &windows,
                       unsigned column, bool isAdjoint) {
  unsigned order[] = {windows.axes[0].tap, windows.axes[1].tap, windows.channel,
                      column};
  if (isAdjoint)
    std::swap(order[2], order[3]);
  return llvm::all_of(llvm::enumerate(order), [&](auto indexed) {
    return rhs.axisOf(indexed.value()) == indexed.index();
  });
}

bool tg::canUseWinograd(const Contraction &contraction) {
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || windows->axes.size() != 2 ||
      !isa<FloatType>(contraction.accumulator) ||
      elementBytes(contraction.accumulator) > kWidest ||
      getElementTypeOrSelf(contraction.rhs.value) != contraction.accumulator ||
      contraction.rhs.extents.size() != 4)
    return false;
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  bool isAdjoint = contraction.rhs.axisOf(column) == 2;
  if (!isFilterOf(contraction.rhs, *windows, column, isAdjoint))
    return false;
  auto isWhole = [&](AffineExpr extent) {
    std::optional<int64_t> number = staticExtent(extent);
    return number && *number > 0 && *number % kVector == 0;
  };
  return llvm::all_of(windows->axes,
                      [&](const WindowAxis &axis) {
                        return isWindowOfThree(contraction, axis,
                                               isAdjoint ? -1 : 1);
                      }) &&
         isWhole(contraction.lhs.extents.back()) &&
         isWhole(contraction.result.extents.back());
}

bool tg::isFasterByWinograd(const Contraction &contraction,
                            bool transformsFilter) {
  ArrayRef<AffineExpr> extents = contraction.result.extents;
  int64_t images = plannedNumber(extents.front());
  int64_t positions = images, tiles = images;
  for (AffineExpr extent : extents.drop_front().drop_back()) {
    std::optional<int64_t> number = staticExtent(extent);
    if (!number || (!transformsFilter && *number < kLeastExtent))
      return false;
    positions *= *number;
    tiles *= llvm::divideCeil(*number, 4);
  }
  int64_t channels = *staticExtent(contraction.lhs.extents.back());
  int64_t columns = *staticExtent(extents.back());
  if (std::min(channels, columns) < kLeastChannels)
    return false;
  int64_t transformed =
      tiles * (36 * channels * columns + kTransformCost * (channels + columns));
  if (transformsFilter)
    transformed += kFilterCost * channels * columns;
  return 5 * transformed < 4 * positions * 9 * channels * columns;
}
