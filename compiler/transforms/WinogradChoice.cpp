//===- WinogradChoice.cpp - which convolutions transform their tiles ------===//
#include "compiler/transforms/WinogradChoice.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "dialects/tg/ElementTypes.h"

using namespace mlir;
using namespace tg;

/// Columns and channels are computed in whole vectors, at most of so many.
static constexpr int64_t kVector = 16;
/// In smaller images the factors of a filter that was transformed ahead come
/// from memory for few positions, and with fewer channels the transforms cost
/// too much. Measured at the least of both and above: 1.7 to 3 times as fast.
static constexpr int64_t kLeastExtent = 14, kLeastChannels = 32;
/// What the transforms cost for each channel and each column of a tile, and for
/// each window of a filter, in multiplications of a product.
static constexpr int64_t kTransformCost = 300, kFilterCost = 1800;
/// What the sums of a filter's gradient cost beside for each window, and the
/// channels and columns of which they are summed at once.
static constexpr int64_t kWindowCost = 300, kGradientBlock = 64;

/// Bytes of the widest sums that may be rounded as the transforms do: f32.
static constexpr int64_t kWidest = 4;

/// The windows of a contraction that are those of tiles: two axes in steps of
/// one, f32, a rhs of images or of a filter, known channels and columns. Taps
/// run along the positions, or, of an adjoint, against them.
static std::optional<WindowedLhs> findTiles(const Contraction &contraction,
                                            int64_t direction) {
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || windows->axes.size() != 2 ||
      !isa<FloatType>(contraction.accumulator) ||
      elementBytes(contraction.accumulator) > kWidest ||
      getElementTypeOrSelf(contraction.rhs.value) != contraction.accumulator ||
      contraction.rhs.extents.size() != 4)
    return std::nullopt;
  auto isKnown = [&](AffineExpr extent) {
    return staticExtent(extent).value_or(0) > 0;
  };
  bool fits = llvm::all_of(windows->axes, [&](const WindowAxis &axis) {
    return axis.stride == 1 && axis.dilation == direction &&
           axis.divisor == 1 &&
           staticExtent(contraction.dimensions[axis.tap].extent) == 3;
  });
  if (!fits || !isKnown(contraction.lhs.extents.back()) ||
      !isKnown(contraction.result.extents.back()))
    return std::nullopt;
  return windows;
}

/// Whether these are the dimensions of a tensor.
static bool hasDimensions(const ContractionTensor &tensor,
                          ArrayRef<unsigned> dimensions) {
  return llvm::all_of(llvm::enumerate(dimensions), [&](auto indexed) {
    return tensor.axisOf(indexed.value()) == indexed.index();
  });
}

static unsigned columnOf(const Contraction &contraction) {
  return contraction.dimensionsOf(DimensionKind::column).front();
}

/// The filter is [taps, taps, channels, columns] or, of an adjoint,
/// [taps, taps, columns, channels].
bool tg::canUseWinograd(const Contraction &contraction) {
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

bool tg::canUseWinogradGradient(const Contraction &contraction) {
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

namespace {
/// The numbers that a choice depends on.
struct TileCosts {
  int64_t positions, tiles, channels, columns;

  /// What is transformed, in whole vectors.
  int64_t wholeChannels() const { return llvm::alignTo(channels, kVector); }
  int64_t wholeColumns() const { return llvm::alignTo(columns, kVector); }

  /// Whether so many multiplications by tiles take less time than all.
  bool pays(int64_t transformed) const {
    return std::min(channels, columns) >= kLeastChannels &&
           5 * transformed < 4 * positions * 9 * channels * columns;
  }
};
} // namespace

/// Of images of known extents, `least` or more.
static std::optional<TileCosts> costsOf(const Contraction &contraction,
                                        const ContractionTensor &positions,
                                        int64_t least) {
  int64_t images = plannedNumber(positions.extents.front());
  TileCosts costs{images, images, *staticExtent(contraction.lhs.extents.back()),
                  *staticExtent(contraction.result.extents.back())};
  for (AffineExpr extent :
       ArrayRef(positions.extents).drop_front().drop_back()) {
    std::optional<int64_t> number = staticExtent(extent);
    if (!number || *number < least)
      return std::nullopt;
    costs.positions *= *number;
    costs.tiles *= llvm::divideCeil(*number, 4);
  }
  return costs;
}

bool tg::isFasterByWinograd(const Contraction &contraction,
                            bool transformsFilter) {
  std::optional<TileCosts> costs =
      costsOf(contraction, contraction.result,
              /*least=*/transformsFilter ? 1 : kLeastExtent);
  if (!costs)
    return false;
  int64_t channels = costs->channels, columns = costs->wholeColumns();
  int64_t squares = costs->wholeChannels() + columns;
  int64_t transformed = costs->tiles * (36 * channels * costs->columns +
                                        kTransformCost * squares);
  if (transformsFilter)
    transformed += kFilterCost * channels * columns;
  return costs->pays(transformed);
}

/// Both operands are transformed for each block of the other one's channels.
bool tg::isGradientFasterByWinograd(const Contraction &contraction) {
  std::optional<TileCosts> costs =
      costsOf(contraction, contraction.rhs, /*least=*/1);
  if (!costs)
    return false;
  auto blocksOf = [](int64_t count) -> int64_t {
    return llvm::divideCeil(count, kGradientBlock);
  };
  int64_t squares = costs->wholeChannels() * blocksOf(costs->columns) +
                    costs->wholeColumns() * blocksOf(costs->channels);
  int64_t products = costs->channels * costs->columns;
  return costs->pays(costs->tiles * (36 * products + kTransformCost * squares) +
                     kWindowCost * products);
}
