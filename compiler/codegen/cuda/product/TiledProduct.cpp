//===- TiledProduct.cpp - sums of products in tiles of blocks -------------===//
#include "compiler/codegen/cuda/product/TiledProduct.h"
#include "compiler/codegen/cuda/product/TileSums.h"
#include "compiler/target/Precision.h"

using namespace mlir;
using namespace tg;

/// The elements between the rows of a tile of sums in shared memory, beyond
/// those of the row: threads of different rows write to different banks.
static constexpr unsigned kRowPadding = 4;

bool tg::hasElementwiseOps(KernelContext &context,
                           const ContractionTensor &result) {
  for (Operation &op : context.kernel.getBlock().without_terminator())
    if (&op != result.value.getDefiningOp() && !isElementwise(&op))
      return false;
  return llvm::all_of(context.kernel.getOutputs(), [&](Value output) {
    return context.extentsOf(output) == ArrayRef(result.extents);
  });
}

/// Returns true if the plan of a kernel allows that operands are rounded to
/// tf32, and the contraction multiplies numbers of f32.
static bool canRound(KernelContext &context, const Contraction &contraction) {
  auto plan = context.kernel->getParentOfType<ModuleOp>();
  auto isSingle = [](Type type) {
    return isa<FloatType>(computeType(type)) && elementBytes(type) == 4;
  };
  return plan && precisionOf(plan) == kTf32Precision &&
         isSingle(contraction.accumulator) &&
         isSingle(getElementTypeOrSelf(contraction.lhs.value)) &&
         isSingle(getElementTypeOrSelf(contraction.rhs.value));
}

std::optional<TileShape> tg::findProductTile(ThreadFrame &frame,
                                             const ProductMatrix &matrix) {
  const ContractionTensor &result = matrix.contraction.result;
  if (!hasElementwiseOps(frame, result))
    return std::nullopt;
  return chooseTile(matrix, findProductBlocks(matrix.contraction),
                    canRound(frame, matrix.contraction));
}

namespace {
/// Emits a kernel whose blocks compute one tile each.
class TiledProduct {
public:
  TiledProduct(ThreadFrame &frame, const ProductMatrix &matrix, TileShape tile)
      : frame(frame), matrix(matrix), elements(frame),
        point(frame, matrix.contraction) {
    block.tile = tile;
  }
  LogicalResult emit();

private:
  AffineExpr countTiles(ArrayRef<unsigned> dimensions, unsigned size) const;
  void begin();
  void placeThread();
  unsigned rowStride() const { return block.tile.getColumns() + kRowPadding; }
  void storeSums(ArrayRef<Value> sums);
  void storeGroup(Value row, Value column, unsigned size);
  void storeOutputs();

  ThreadFrame &frame;
  const ProductMatrix &matrix;
  ElementEmitter elements;
  TileBlock block;
  /// A point with the indices of the batch dimensions of the tile.
  ContractionPoint point;
  /// The first row and column of the tile.
  Value firstRow, firstColumn;
};
} // namespace

AffineExpr TiledProduct::countTiles(ArrayRef<unsigned> dimensions,
                                    unsigned size) const {
  return matrix.count(dimensions).ceilDiv(size);
}

/// Begins the code of a block. Tiles are numbered column by column within a
/// matrix, so that blocks that run at the same time share rows of the rhs.
void TiledProduct::begin() {
  TileShape tile = block.tile;
  AffineExpr down = countTiles(matrix.rows, tile.getRows());
  AffineExpr across = countTiles(matrix.columns, tile.getColumns());
  BlockThread self =
      frame.beginBlock(matrix.count(matrix.batch) * down * across);
  IntegerOps ops = frame.indices();
  Value rows = frame.extent(down), columns = frame.extent(across);
  Value number = ops.div(self.block, rows);
  firstRow = ops.mul(ops.rem(self.block, rows), ops.constant(tile.getRows()));
  firstColumn =
      ops.mul(ops.rem(number, columns), ops.constant(tile.getColumns()));
  point.set(matrix.batch, ops.div(number, columns));
  block.thread = self.thread;
  placeThread();
}

/// Sets the slice of the thread and its place in the grid of the slice.
void TiledProduct::placeThread() {
  IntegerOps ops = frame.indices();
  const TileShape &tile = block.tile;
  Value inSlice = ops.rem(block.thread, ops.constant(tile.getSliceThreads()));
  block.slice = ops.div(block.thread, ops.constant(tile.getSliceThreads()));
  Value columns = ops.constant(tile.threadColumns);
  block.threadRow = ops.div(inSlice, columns);
  block.threadColumn = ops.rem(inSlice, columns);
  if (!tile.isWholeGrid())
    return;
  // A warp has 8 rows and 4 columns of the grid of threads.
  Value lane = ops.rem(block.thread, ops.constant(kWarpThreads));
  Value warp = ops.div(block.thread, ops.constant(kWarpThreads));
  block.threadRow =
      ops.add(ops.mul(ops.div(warp, ops.constant(2)), ops.constant(8)),
              ops.div(lane, ops.constant(4)));
  block.threadColumn =
      ops.add(ops.mul(ops.rem(warp, ops.constant(2)), ops.constant(4)),
              ops.rem(lane, ops.constant(4)));
}

/// Stores the sums of the thread in shared memory as [row, column]. All slices
/// have the same; the first one stores them.
void TiledProduct::storeSums(ArrayRef<Value> sums) {
  IntegerOps ops = frame.indices();
  OpBuilder::InsertionGuard guard(frame.builder);
  unsigned storing = block.tile.getSliceThreads();
  if (storing < kBlockThreads) {
    Value stores = ops.compare(arith::CmpIPredicate::slt, block.thread,
                               ops.constant(storing));
    auto branch = scf::IfOp::create(frame.builder, frame.loc, stores,
                                    /*withElseRegion=*/false);
    frame.builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (unsigned row = 0; row < block.tile.rows; ++row)
    for (unsigned column = 0; column < block.tile.columns; ++column) {
      Value place =
          ops.add(ops.mul(block.rowOf(ops, row), ops.constant(rowStride())),
                  block.columnOf(ops, column));
      storeElements(frame.builder, frame.loc, block.shared, place,
                    sums[row * block.tile.columns + column], Lanes());
    }
}

/// Stores `size` elements of each output from a row and column of the tile on.
/// All loads precede the stores, because an output may be the memory of an
/// argument.
void TiledProduct::storeGroup(Value row, Value column, unsigned size) {
  IntegerOps ops = frame.indices();
  struct Store {
    unsigned output;
    Value offset, value;
  };
  SmallVector<Store> stores;
  SmallVector<Position> positions;
  SmallVector<Value> sums;
  for (unsigned i = 0; i < size; ++i) {
    Value sum = ops.add(column, ops.constant(i));
    Value place = ops.add(ops.mul(row, ops.constant(rowStride())), sum);
    sums.push_back(
        loadElements(frame.builder, frame.loc, block.shared, place, Lanes()));
    point.set(matrix.rows, ops.add(firstRow, row));
    point.set(matrix.columns, ops.add(firstColumn, sum));
    positions.push_back(point.positionInResult());
  }
  Value result = matrix.contraction.result.value;
  for (auto [sum, position] : llvm::zip_equal(sums, positions)) {
    elements.provide(result, [&](const Position &, unsigned) { return sum; });
    for (auto [index, output] : llvm::enumerate(frame.kernel.getOutputs()))
      stores.push_back({unsigned(index), elements.offsetOf(output, position),
                        elements.elementOrZero(output, position, 1)});
  }
  for (const Store &store : stores)
    storeElements(frame.builder, frame.loc, frame.output(store.output),
                  store.offset, store.value, Lanes());
}

/// Computes and stores the outputs from the sums in shared memory: neighbouring
/// threads store neighbouring elements.
void TiledProduct::storeOutputs() {
  IntegerOps ops = frame.indices();
  OpBuilder &builder = frame.builder;
  TileShape tile = block.tile;
  AffineExpr rowCount = matrix.count(matrix.rows);
  AffineExpr columnCount = matrix.count(matrix.columns);
  unsigned size = columnCount.getLargestKnownDivisor() % 4 == 0 ? 4 : 1;
  Value begin = ops.mul(block.thread, ops.constant(size));
  Value end = ops.constant(tile.getRows() * tile.getColumns());
  buildFor(builder, frame.loc, begin, end, kBlockThreads * size,
           [&](Value element) {
             Value columns = ops.constant(tile.getColumns());
             Value row = ops.div(element, columns);
             Value column = ops.rem(element, columns);
             auto isInside = [&](Value first, Value inTile, AffineExpr count) {
               return ops.compare(arith::CmpIPredicate::slt,
                                  ops.add(first, inTile), frame.extent(count));
             };
             Value exists = arith::AndIOp::create(
                 builder, frame.loc, isInside(firstRow, row, rowCount),
                 isInside(firstColumn, column, columnCount));
             auto branch = scf::IfOp::create(builder, frame.loc, exists,
                                             /*withElseRegion=*/false);
             OpBuilder::InsertionGuard guard(builder);
             builder.setInsertionPointToStart(branch.thenBlock());
             storeGroup(row, column, size);
           });
}

LogicalResult TiledProduct::emit() {
  begin();
  const Contraction &contraction = matrix.contraction;
  TileShape tile = block.tile;
  OperandStage lhs(elements, matrix,
                   {contraction.lhs, matrix.rows, tile, tile.getRows()}, point,
                   block.thread, firstRow);
  OperandStage rhs(elements, matrix,
                   {contraction.rhs, matrix.columns, tile, tile.getColumns()},
                   point, block.thread, firstColumn);
  TileSums sums(frame, matrix, block, lhs, rhs);
  block.shared =
      frame.share(computeType(contraction.accumulator),
                  std::max(sums.countShared(), tile.getRows() * rowStride()));
  SmallVector<Value> results = sums.emit(findProductBlocks(contraction));
  emitBarrier(frame.builder, frame.loc);
  storeSums(results);
  emitBarrier(frame.builder, frame.loc);
  elements.setBarrier(frame.builder.getInsertionBlock());
  storeOutputs();
  return failure(elements.hasFailed());
}

LogicalResult tg::emitTiledProduct(ThreadFrame &frame,
                                   const ProductMatrix &matrix,
                                   TileShape tile) {
  return TiledProduct(frame, matrix, tile).emit();
}
