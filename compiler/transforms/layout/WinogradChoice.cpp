//===- WinogradChoice.cpp - which convolutions transform their tiles ------===//
#include "compiler/transforms/layout/WinogradChoice.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tgx/Tgx.h"
#include <cmath>

using namespace mlir;
using namespace tg;

// What the parts of a convolution cost, in multiplications of a direct one that
// takes them from the caches, of which a core of level 4 does 32 in a cycle.
// Measured on images of 2x2 to 56x56 with 64 to 512 channels, batches of 1 to
// 32, on one and two threads.

/// Columns and channels are computed in whole vectors, at most of so many.
static constexpr int64_t kVector = 16;
/// With fewer channels the transforms cost too much.
static constexpr int64_t kLeastChannels = 32;
/// A multiplication of a tile, whose operands are read more often.
static constexpr double kProductCost = 1.25;
/// Transforms of each channel and column of a tile, for each of its products.
static constexpr double kTransformCost = 8;
/// For each factor of a filter: that it is read from memory; that it is written
/// there before, too; that the kernel makes it for some tiles.
static constexpr double kReadCost = 14, kPackCost = 50, kMakeCost = 16;
static constexpr int64_t kMadeTiles = 64;
/// What the sums of a filter's gradient cost beside for each product of a
/// window, and the channels and columns of which they are summed at once.
static constexpr double kWindowCost = 8;
static constexpr int64_t kGradientBlock = 64;
/// Images where their number is not known: filters that were transformed ahead
/// must pay for a single one, others for a usual batch.
static constexpr int64_t kLeastImages = 1, kUsualImages = 32;
/// Tiles round more: they must not cost more than this part of a direct sum.
static constexpr double kWorthwhile = 0.9;

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
static bool canUseWinograd(const Contraction &contraction) {
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

static bool canUseWinogradGradient(const Contraction &contraction) {
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
/// The numbers that a choice depends on: images and their extents, those that
/// are summed over and those of sums.
struct Sizes {
  int64_t images;
  SmallVector<int64_t, 2> extents;
  int64_t channels, columns;

  /// What is multiplied at each position or product.
  double pairs() const { return double(channels) * columns; }
  double directCost() const {
    return double(images) * extents[0] * extents[1] * 9 * pairs();
  }
  double countTiles(int64_t positions) const {
    return double(images) * llvm::divideCeil(extents[0], positions) *
           llvm::divideCeil(extents[1], positions);
  }
};
} // namespace

static int64_t productsOf(int64_t positions) {
  return (positions + 2) * (positions + 2);
}

/// Of images of known extents, which are those of `positions`.
static std::optional<Sizes> sizesOf(const Contraction &contraction,
                                    const ContractionTensor &positions,
                                    bool isAhead) {
  Sizes sizes{staticExtent(positions.extents.front())
                  .value_or(isAhead ? kLeastImages : kUsualImages),
              {},
              *staticExtent(contraction.lhs.extents.back()),
              *staticExtent(contraction.result.extents.back())};
  for (AffineExpr extent :
       ArrayRef(positions.extents).drop_front().drop_back()) {
    std::optional<int64_t> number = staticExtent(extent);
    if (!number)
      return std::nullopt;
    sizes.extents.push_back(*number);
  }
  return sizes;
}

/// Transforms of tiles, and their products.
static double tileCost(const Sizes &sizes, int64_t positions,
                       int64_t transforms) {
  return sizes.countTiles(positions) * productsOf(positions) *
         (kProductCost * sizes.pairs() + kTransformCost * transforms);
}

/// Of a convolution or the gradient of its input.
static double costOf(const Sizes &sizes, WinogradChoice choice,
                     WinogradUse use) {
  double factorCost = kReadCost;
  if (!choice.isPacked)
    factorCost =
        kMakeCost * std::ceil(sizes.countTiles(choice.positions) / kMadeTiles);
  else if (!use.isAhead)
    factorCost += kPackCost;
  int64_t columns = llvm::alignTo(sizes.columns, kVector);
  return tileCost(sizes, choice.positions,
                  llvm::alignTo(sizes.channels, kVector) + columns) +
         factorCost * productsOf(choice.positions) * sizes.channels * columns;
}

/// Both operands are transformed for each block of the other one's channels.
static double gradientCostOf(const Sizes &sizes, int64_t positions) {
  auto blocksOf = [](int64_t count) -> int64_t {
    return llvm::divideCeil(count, kGradientBlock);
  };
  int64_t transforms =
      llvm::alignTo(sizes.channels, kVector) * blocksOf(sizes.columns) +
      llvm::alignTo(sizes.columns, kVector) * blocksOf(sizes.channels);
  return tileCost(sizes, positions, transforms) +
         kWindowCost * productsOf(positions) * sizes.pairs();
}

std::optional<WinogradChoice> tg::chooseWinograd(const Contraction &contraction,
                                                 WinogradUse use) {
  bool isGradient = canUseWinogradGradient(contraction);
  if (isGradient ? use.reducesRows : !canUseWinograd(contraction))
    return std::nullopt;
  std::optional<Sizes> sizes =
      sizesOf(contraction, isGradient ? contraction.rhs : contraction.result,
              use.isAhead);
  std::optional<WinogradChoice> best;
  double least = std::numeric_limits<double>::infinity();
  if (!sizes) {
    if (use.isForced)
      best = {tgx::kWinogradTiles[0], /*isPacked=*/!isGradient};
    return best;
  }
  if (!use.isForced) {
    if (std::min(sizes->channels, sizes->columns) < kLeastChannels)
      return std::nullopt;
    least = kWorthwhile * sizes->directCost();
  }
  auto consider = [&](WinogradChoice choice) {
    double cost = isGradient ? gradientCostOf(*sizes, choice.positions)
                             : costOf(*sizes, choice, use);
    if (cost >= least)
      return;
    best = choice;
    least = cost;
  };
  for (int64_t positions : tgx::kWinogradTiles) {
    if (!isGradient)
      consider({positions, /*isPacked=*/true});
    if (!use.isAhead)
      consider({positions, /*isPacked=*/false});
  }
  return best;
}
