//===- TileShape.cpp - the part of a result that a block computes ---------===//
#include "compiler/codegen/cuda/product/TileShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The number of blocks that keep all multiprocessors of a device busy. GPUs
/// have between 16 and 144 multiprocessors.
static constexpr int64_t kManyBlocks = 128;

/// The extent that is assumed for one of run time.
static constexpr int64_t kAssumedExtent = 1024;

/// The largest part of a tile, in percent, that may lie beyond the result.
static constexpr int64_t kMaxWaste = 40;

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

/// Returns true if tiles can take the order of the sums: a block of the order
/// begins where a tile reads products.
static bool canTile(const ProductMatrix &matrix, ArrayRef<int64_t> blocks) {
  return isa<FloatType>(matrix.contraction.accumulator) &&
         !blocksCountLines(matrix.contraction) && !matrix.reduced.empty() &&
         (blocks.empty() || blocks.front() % TileShape::kDepth == 0);
}

std::optional<TileShape> tg::chooseTile(const ProductMatrix &matrix,
                                        ArrayRef<int64_t> blocks) {
  if (!canTile(matrix, blocks))
    return std::nullopt;
  auto sizeOf = [&](ArrayRef<unsigned> dimensions) {
    return staticExtent(matrix.count(dimensions)).value_or(kAssumedExtent);
  };
  int64_t batch = sizeOf(matrix.batch), rows = sizeOf(matrix.rows),
          columns = sizeOf(matrix.columns);
  // Each kind of block has a total for each result in registers.
  bool isDouble = elementBytes(matrix.contraction.accumulator) == 8;
  unsigned limit = isDouble ? 16 : blocks.size() > 1 ? 32 : 64;
  std::optional<TileShape> best;
  for (TileShape shape : {TileShape{8, 8}, TileShape{4, 8}, TileShape{8, 4},
                          TileShape{4, 4}, TileShape{2, 8}, TileShape{2, 4}}) {
    if (shape.rows * shape.columns > limit)
      continue;
    int64_t down = llvm::divideCeil(rows, shape.getRows());
    int64_t across = llvm::divideCeil(columns, shape.getColumns());
    int64_t covered = down * shape.getRows() * across * shape.getColumns();
    if (rows * columns * 100 < covered * (100 - kMaxWaste))
      continue;
    best = shape;
    if (batch * down * across >= kManyBlocks)
      break;
  }
  return best;
}
