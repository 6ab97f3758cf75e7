//===- TileShape.cpp - the part of a result that a block computes ---------===//
#include "compiler/codegen/cuda/product/TileShape.h"
#include "compiler/codegen/cuda/Thread.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The number of blocks that keep all multiprocessors of a device busy. GPUs
/// have between 16 and 144 multiprocessors.
static constexpr int64_t kManyBlocks = 128;

/// The extents that are assumed for those of run time: of results, and of each
/// reduced dimension.
static constexpr int64_t kAssumedExtent = 1024, kAssumedReduced = 64;

/// The largest part of a tile, in percent, that may lie beyond the result.
static constexpr int64_t kMaxWaste = 40;

/// The least number of products for which few rows or columns are worth a block
/// of threads.
static constexpr int64_t kFewProducts = 64;

/// The shared memory of a block, in bytes.
static constexpr unsigned kSharedBytes = 48 * 1024;

ProductMatrix::ProductMatrix(const Contraction &contraction)
    : contraction(contraction),
      batch(contraction.dimensionsOf(DimensionKind::batch)),
      rows(contraction.dimensionsOf(DimensionKind::row)),
      columns(contraction.dimensionsOf(DimensionKind::column)),
      reduced(contraction.dimensionsOf(DimensionKind::reduced)) {}

AffineExpr ProductMatrix::count(ArrayRef<unsigned> dimensions) const {
  AffineExpr count =
      getAffineConstantExpr(1, contraction.result.value.getContext());
  for (unsigned dimension : dimensions)
    count = count * contraction.dimensions[dimension].extent;
  return count;
}

std::optional<unsigned>
tg::findContiguousDimension(const ContractionTensor &tensor) {
  if (tensor.indices.empty())
    return std::nullopt;
  const ContractionIndex &last = tensor.indices.back();
  if (last.divisor != 1)
    return std::nullopt;
  for (const ContractionIndex::Term &term : last.terms)
    if (term.factor == 1)
      return term.dimension;
  return std::nullopt;
}

namespace {
/// The choice of the tile of a matrix.
class TileChoice {
public:
  TileChoice(const ProductMatrix &matrix, ArrayRef<int64_t> blocks)
      : matrix(matrix), blocks(blocks), batch(sizeOf(matrix.batch)),
        rows(sizeOf(matrix.rows)), columns(sizeOf(matrix.columns)),
        products(countReduced()),
        bytes(elementBytes(matrix.contraction.accumulator)) {}

  /// Returns true if tiles can take the order of the sums.
  bool canTile() const {
    return isa<FloatType>(matrix.contraction.accumulator) &&
           !blocksCountLines(matrix.contraction) && !matrix.reduced.empty();
  }
  /// Returns the largest tile of a whole block that is not mostly empty.
  std::optional<TileShape> findWhole() const;
  /// Returns the largest tile of warps that each compute other blocks of the
  /// sums.
  std::optional<TileShape> findSliced() const;
  /// Returns a tile of few rows or few columns.
  std::optional<TileShape> findNarrow() const;
  bool isMany(TileShape shape) const {
    return countTiles(shape) >= kManyBlocks;
  }

private:
  int64_t sizeOf(ArrayRef<unsigned> dimensions) const {
    return staticExtent(matrix.count(dimensions)).value_or(kAssumedExtent);
  }
  int64_t countReduced() const;
  unsigned countSlices(unsigned most) const;
  bool setDepth(TileShape &shape, unsigned depth) const;
  bool hasUse(TileShape shape) const;
  int64_t countTiles(TileShape shape) const {
    return batch * llvm::divideCeil(rows, shape.getRows()) *
           llvm::divideCeil(columns, shape.getColumns());
  }
  std::optional<TileShape> findBest(ArrayRef<TileShape> shapes,
                                    unsigned depth) const;

  const ProductMatrix &matrix;
  ArrayRef<int64_t> blocks;
  int64_t batch, rows, columns, products;
  unsigned bytes;
};
} // namespace

int64_t TileChoice::countReduced() const {
  int64_t count = 1;
  for (unsigned dimension : matrix.reduced)
    count *= staticExtent(matrix.contraction.dimensions[dimension].extent)
                 .value_or(kAssumedReduced);
  return count;
}

/// Returns the number of blocks of a sum that slices compute side by side, a
/// power of two. Whole rounds of them make up the next kind of block.
unsigned TileChoice::countSlices(unsigned most) const {
  unsigned slices = 1;
  while (!blocks.empty() && slices * 2 <= most &&
         llvm::divideCeil(products, blocks.front()) >= slices * 2 &&
         (blocks.size() == 1 || blocks[1] % (slices * 2) == 0))
    slices *= 2;
  return slices;
}

/// Sets the depth of a tile to at most `depth`. A block of the order begins
/// where a tile reads products. Returns false if there is no such depth.
bool TileChoice::setDepth(TileShape &shape, unsigned depth) const {
  // Rows of a part in shared memory may be padded by 4 elements.
  auto sharedBytes = [&](unsigned count) {
    unsigned lines = shape.getRows() + shape.getColumns() + 8;
    unsigned sums = shape.slices > 1
                        ? shape.slices * shape.getRows() * shape.getColumns()
                        : 0;
    return (2 * count * shape.slices * lines + sums) * bytes;
  };
  auto isTooDeep = [&](unsigned count) {
    return (!blocks.empty() && blocks.front() % count != 0) ||
           (count > products && count > 8) || sharedBytes(count) > kSharedBytes;
  };
  while (depth > 8 && isTooDeep(depth))
    depth /= 2;
  shape.depth = depth;
  if (shape.slices > 1)
    shape.sliceProducts = blocks.front();
  return blocks.empty() || blocks.front() % depth == 0;
}

/// Returns true if at most `kMaxWaste` percent of the tiles lie beyond the
/// result.
bool TileChoice::hasUse(TileShape shape) const {
  int64_t covered = countTiles(shape) * shape.getRows() * shape.getColumns();
  return batch * rows * columns * 100 >= covered * (100 - kMaxWaste);
}

/// Returns the first of some shapes that gives a device enough blocks, or the
/// last one that is not mostly empty.
std::optional<TileShape> TileChoice::findBest(ArrayRef<TileShape> shapes,
                                              unsigned depth) const {
  // Each kind of block has a total for each result in registers.
  unsigned limit = bytes == 8 ? 16 : blocks.size() > 1 ? 32 : 64;
  std::optional<TileShape> best;
  for (TileShape shape : shapes) {
    if (shape.rows * shape.columns > limit || !setDepth(shape, depth) ||
        !hasUse(shape))
      continue;
    best = shape;
    if (isMany(shape))
      break;
  }
  return best;
}

std::optional<TileShape> TileChoice::findWhole() const {
  return findBest({{8, 8}, {4, 8}, {8, 4}, {4, 4}, {2, 8}, {2, 4}},
                  /*depth=*/8);
}

std::optional<TileShape> TileChoice::findSliced() const {
  unsigned slices = countSlices(4);
  if (slices == 1)
    return std::nullopt;
  unsigned down = kBlockThreads / slices / 4;
  SmallVector<TileShape> shapes;
  for (auto [height, width] : {std::pair(32u, 32u), {32u, 16u}, {16u, 16u}})
    shapes.push_back({height / down, width / 4, down, 4, slices});
  return findBest(shapes, /*depth=*/16);
}

/// The number of rows or columns from which on tiles of `kWide` are not mostly
/// empty.
static constexpr unsigned kNarrow = 20, kWide = 32;

std::optional<TileShape> TileChoice::findNarrow() const {
  bool hasFewRows = rows < kNarrow, hasFewColumns = columns < kNarrow;
  auto isAcross = [&](const ContractionTensor &tensor) {
    std::optional<unsigned> dimension = findContiguousDimension(tensor);
    return dimension && matrix.contraction.dimensions[*dimension].kind ==
                            DimensionKind::batch;
  };
  if ((!hasFewRows && !hasFewColumns) || products < kFewProducts ||
      matrix.contraction.findGroupedWindows() ||
      isAcross(matrix.contraction.lhs) || isAcross(matrix.contraction.rhs))
    return std::nullopt;
  unsigned height = hasFewRows ? llvm::PowerOf2Ceil(rows) : kWide;
  unsigned width = hasFewColumns ? llvm::PowerOf2Ceil(columns) : kWide;
  // A warp has the results of a slice, unless these are too many for a thread.
  unsigned most = bytes == 8 ? 4 : 8;
  unsigned each = std::clamp(height * width / kWarpThreads, 1u, most);
  each = std::max(each, height * width / kBlockThreads);
  TileShape shape{1, 1};
  (hasFewRows ? shape.rows : shape.columns) =
      std::min(each, hasFewRows ? height : width);
  shape.threadRows = height / shape.rows;
  shape.threadColumns = width / shape.columns;
  shape.slices = countSlices(
      std::min(8u, kBlockThreads / std::max(1u, shape.getSliceThreads())));
  // Each thread loads about as many bytes as registers hold.
  if (!setDepth(shape, 512 / bytes / shape.slices))
    return std::nullopt;
  return shape;
}

std::optional<TileShape> tg::chooseTile(const ProductMatrix &matrix,
                                        ArrayRef<int64_t> blocks,
                                        bool usesTensorCores) {
  TileChoice choice(matrix, blocks);
  if (!choice.canTile())
    return std::nullopt;
  std::optional<TileShape> whole = choice.findWhole();
  if (whole && usesTensorCores)
    whole->usesTensorCores = true;
  if (whole && (usesTensorCores || choice.isMany(*whole)))
    return whole;
  if (std::optional<TileShape> sliced = choice.findSliced())
    return sliced;
  return whole ? whole : choice.findNarrow();
}
