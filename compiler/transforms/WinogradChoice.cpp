//===- WinogradChoice.cpp - which convolutions transform their tiles ------===//
#include "compiler/transforms/WinogradChoice.h"
#include "dialects/tg/ElementTypes.h"

using namespace mlir;
using namespace tg;

/// Columns and channels come in whole vectors of so many, which every level
/// divides.
static constexpr int64_t kVector = 16;
/// In smaller images too much of the tiles sticks out, and with fewer channels
/// the transforms cost too much. Measured at the least of both and above: 1.7
/// to 3 times as fast.
static constexpr int64_t kLeastExtent = 14, kLeastChannels = 32;
/// What the transforms cost for each channel and each column of a tile, in
/// multiplications of a product.
static constexpr int64_t kTransformCost = 300;

/// Bytes of the widest sums that may be rounded as the transforms do: f32.
static constexpr int64_t kWidest = 4;

static bool isWindowOfThree(const Contraction &contraction,
                            const WindowAxis &axis) {
  return axis.stride == 1 && axis.dilation == 1 && axis.divisor == 1 &&
         staticExtent(contraction.dimensions[axis.tap].extent) == 3;
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
  unsigned order[] = {windows->axes[0].tap, windows->axes[1].tap,
                      windows->channel, column};
  for (auto [axis, dimension] : llvm::enumerate(order))
    if (contraction.rhs.axisOf(dimension) != axis)
      return false;
  auto isWhole = [&](AffineExpr extent) {
    std::optional<int64_t> number = staticExtent(extent);
    return number && *number > 0 && *number % kVector == 0;
  };
  return llvm::all_of(windows->axes,
                      [&](const WindowAxis &axis) {
                        return isWindowOfThree(contraction, axis);
                      }) &&
         isWhole(contraction.lhs.extents.back()) &&
         isWhole(contraction.result.extents.back());
}

bool tg::isFasterByWinograd(const Contraction &contraction) {
  ArrayRef<AffineExpr> extents = contraction.result.extents;
  int64_t positions = 1, tiles = 1;
  for (AffineExpr extent : extents.drop_front().drop_back()) {
    std::optional<int64_t> number = staticExtent(extent);
    if (!number || *number < kLeastExtent)
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
  return 5 * transformed < 4 * positions * 9 * channels * columns;
}
