//===- WinogradChoice.cpp - the choice of Winograd tiles ------------------===//
#include "compiler/transforms/numerics/WinogradChoice.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tg/ops/windows/WinogradRules.h"
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
/// The assumed number of images: filters that are transformed ahead must pay
/// off for a single image, other filters for a usual batch.
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

/// Returns true for the gradient of a filter, which sums over images.
static bool isFilterGradient(const Contraction &contraction) {
  unsigned images = contraction.findWindows()->outer;
  return contraction.dimensions[images].kind == DimensionKind::reduced;
}

/// Returns the sizes for an assumed number of images; none if the extents of
/// the images are dynamic.
static std::optional<Sizes> sizesOf(const Contraction &contraction,
                                    bool isAhead) {
  const ContractionTensor &positions =
      isFilterGradient(contraction) ? contraction.rhs : contraction.result;
  Sizes sizes{isAhead ? kLeastImages : kUsualImages,
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

/// Returns the cost, for each factor of a filter, of transforming the filter
/// beforehand and reading the factors, and of transforming it in the kernel.
static double packedFactorCost(bool isAhead) {
  return kReadCost + (isAhead ? 0 : kPackCost);
}
static double computedFactorCost(const Sizes &sizes, int64_t positions) {
  return kTransformFilterCost *
         std::ceil(sizes.countTiles(positions) / kTilesPerTransform);
}

/// Returns the cost of a convolution or of the gradient of its input.
static double costOf(const Sizes &sizes, int64_t positions, bool isAhead) {
  double factorCost = packedFactorCost(isAhead);
  if (!isAhead)
    factorCost = std::min(factorCost, computedFactorCost(sizes, positions));
  int64_t columns = llvm::alignTo(sizes.columns, kVector);
  return tileCost(sizes, positions,
                  llvm::alignTo(sizes.channels, kVector) + columns) +
         factorCost * productsOf(positions) * sizes.channels * columns;
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

int64_t tg::chooseWinogradTile(const Contraction &contraction,
                               WinogradUse use) {
  std::optional<Sizes> sizes = sizesOf(contraction, use.isAhead);
  if (!sizes)
    return use.isForced ? winograd::kTileSizes[0] : 0;
  double lowest = std::numeric_limits<double>::infinity();
  if (!use.isForced) {
    if (std::min(sizes->channels, sizes->columns) < kMinChannels)
      return 0;
    lowest = kWorthwhile * sizes->directCost();
  }
  int64_t best = 0;
  for (int64_t positions : winograd::kTileSizes) {
    double cost = isFilterGradient(contraction)
                      ? gradientCostOf(*sizes, positions)
                      : costOf(*sizes, positions, use.isAhead);
    if (cost >= lowest)
      continue;
    best = positions;
    lowest = cost;
  }
  return best;
}

bool tg::isWorthTransforming(const Contraction &contraction, int64_t positions,
                             bool isAhead) {
  std::optional<Sizes> sizes = sizesOf(contraction, isAhead);
  if (!sizes || isAhead)
    return true;
  if (std::optional<int64_t> images =
          staticExtent(contraction.result.extents.front()))
    sizes->images = *images;
  return packedFactorCost(isAhead) <= computedFactorCost(*sizes, positions);
}
