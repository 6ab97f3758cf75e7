//===- WinogradChoice.cpp - the choice of Winograd tiles ------------------===//
#include "compiler/transforms/layout/WinogradChoice.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tgx/Tgx.h"
#include <cmath>

using namespace mlir;
using namespace tg;

// The cost model of a convolution. The unit is a multiplication of a direct
// convolution with operands in the caches; a core of ISA level 4 does 32 of
// them in a cycle. The costs were measured on images of 2x2 to 56x56 with 64 to
// 512 channels and batches of 1 to 32, on one and two threads.

/// Columns and channels are computed in whole vectors of at most this size.
static constexpr int64_t kVector = 16;
/// With fewer channels the transforms cost too much.
static constexpr int64_t kMinChannels = 32;
/// The cost of a multiplication of a tile, whose operands are read more often.
static constexpr double kProductCost = 1.25;
/// The cost of the transforms of each channel and column of a tile, for each of
/// its products.
static constexpr double kTransformCost = 8;
/// The costs for each factor of a transformed filter: of reading it from
/// memory, of writing it there beforehand (added to the former), and of
/// computing it in the kernel, once for kTilesPerTransform tiles.
static constexpr double kReadCost = 14, kPackCost = 50,
                        kTransformFilterCost = 16;
static constexpr int64_t kTilesPerTransform = 64;
/// The additional cost of the sums of a filter's gradient for each product of a
/// window, and the block size of channels and columns that are summed at once.
static constexpr double kWindowCost = 8;
static constexpr int64_t kGradientBlock = 64;
/// The assumed number of images if it is dynamic: filters that were transformed
/// ahead must pay off for a single image, other filters for a usual batch.
static constexpr int64_t kLeastImages = 1, kUsualImages = 32;
/// Tiles round more, so their cost must be at most this fraction of a direct
/// sum.
static constexpr double kWorthwhile = 0.9;

namespace {
/// The numbers that a choice depends on: the images and their extents, the
/// summed channels, and the columns of the result.
struct Sizes {
  int64_t images;
  SmallVector<int64_t, 2> extents;
  int64_t channels, columns;

  /// Returns the number of multiplications per position or product.
  double multiplications() const { return double(channels) * columns; }
  double directCost() const {
    return double(images) * extents[0] * extents[1] * 9 * multiplications();
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

/// Returns the sizes if the images have static extents, which are the extents
/// of `positions`; none otherwise.
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

/// Returns the cost of transforming the tiles and of their products.
static double tileCost(const Sizes &sizes, int64_t positions,
                       int64_t transforms) {
  return sizes.countTiles(positions) * productsOf(positions) *
         (kProductCost * sizes.multiplications() + kTransformCost * transforms);
}

/// Returns the cost of a convolution or of the gradient of its input.
static double costOf(const Sizes &sizes, WinogradChoice choice,
                     WinogradUse use) {
  double factorCost = kReadCost;
  if (!choice.isPacked)
    factorCost =
        kTransformFilterCost *
        std::ceil(sizes.countTiles(choice.positions) / kTilesPerTransform);
  else if (!use.isAhead)
    factorCost += kPackCost;
  int64_t columns = llvm::alignTo(sizes.columns, kVector);
  return tileCost(sizes, choice.positions,
                  llvm::alignTo(sizes.channels, kVector) + columns) +
         factorCost * productsOf(choice.positions) * sizes.channels * columns;
}

/// Returns the cost of the gradient of a filter. Both operands are transformed
/// for each block of the other operand's channels.
static double gradientCostOf(const Sizes &sizes, int64_t positions) {
  auto blocksOf = [](int64_t count) -> int64_t {
    return llvm::divideCeil(count, kGradientBlock);
  };
  int64_t transforms =
      llvm::alignTo(sizes.channels, kVector) * blocksOf(sizes.columns) +
      llvm::alignTo(sizes.columns, kVector) * blocksOf(sizes.channels);
  return tileCost(sizes, positions, transforms) +
         kWindowCost * productsOf(positions) * sizes.multiplications();
}

std::optional<WinogradChoice> tg::chooseWinograd(const Contraction &contraction,
                                                 WinogradUse use) {
  unsigned images = contraction.findWindows()->outer;
  bool isGradient =
      contraction.dimensions[images].kind == DimensionKind::reduced;
  std::optional<Sizes> sizes =
      sizesOf(contraction, isGradient ? contraction.rhs : contraction.result,
              use.isAhead);
  std::optional<WinogradChoice> best;
  double lowest = std::numeric_limits<double>::infinity();
  if (!sizes) {
    if (use.isForced)
      best = {tgx::kWinogradTiles[0], /*isPacked=*/!isGradient};
    return best;
  }
  if (!use.isForced) {
    if (std::min(sizes->channels, sizes->columns) < kMinChannels)
      return std::nullopt;
    lowest = kWorthwhile * sizes->directCost();
  }
  auto consider = [&](WinogradChoice choice) {
    double cost = isGradient ? gradientCostOf(*sizes, choice.positions)
                             : costOf(*sizes, choice, use);
    if (cost >= lowest)
      return;
    best = choice;
    lowest = cost;
  };
  for (int64_t positions : tgx::kWinogradTiles) {
    if (!isGradient)
      consider({positions, /*isPacked=*/true});
    if (!use.isAhead)
      consider({positions, /*isPacked=*/false});
  }
  return best;
}
