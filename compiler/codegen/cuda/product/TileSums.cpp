//===- TileSums.cpp - the sums of a thread in registers -------------------===//
#include "compiler/codegen/cuda/product/TileSums.h"
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/cuda/product/AsyncCopy.h"
#include "compiler/codegen/cuda/product/TensorCore.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tg;

/// Returns the place of one of `count` results of a thread along an axis on
/// which the grid has `threads` threads.
static Value placeOf(IntegerOps ops, Value thread, unsigned threads,
                     unsigned count, unsigned index) {
  unsigned together = std::min(count, 4u);
  return ops.add(
      ops.mul(thread, ops.constant(together)),
      ops.constant(index / together * threads * together + index % together));
}

/// Returns the place of one of `count` results of a thread along an axis on
/// which two warps have half of the tile each, `threads` threads each half, and
/// tensor cores `together` neighbours of each thread.
static Value placeInMatrices(IntegerOps ops, Value thread, unsigned threads,
                             unsigned count, unsigned together,
                             unsigned index) {
  Value warp = ops.div(thread, ops.constant(threads));
  Value place = ops.add(
      ops.mul(warp, ops.constant(threads * count)),
      ops.mul(ops.rem(thread, ops.constant(threads)), ops.constant(together)));
  return ops.add(place, ops.constant(index / together * threads * together +
                                     index % together));
}

Value TileBlock::rowOf(IntegerOps ops, unsigned index) const {
  if (tile.usesTensorCores)
    return placeInMatrices(ops, threadRow, tile.threadRows / 2, tile.rows, 1,
                           index);
  return placeOf(ops, threadRow, tile.threadRows, tile.rows, index);
}

Value TileBlock::columnOf(IntegerOps ops, unsigned index) const {
  if (tile.usesTensorCores)
    return placeInMatrices(ops, threadColumn, tile.threadColumns / 2,
                           tile.columns, 2, index);
  return placeOf(ops, threadColumn, tile.threadColumns, tile.columns, index);
}

TileSums::TileSums(KernelContext &context, const ProductMatrix &matrix,
                   const TileBlock &block, OperandStage &lhs, OperandStage &rhs)
    : context(context), ops(context.indices()), block(block), lhs(lhs),
      rhs(rhs), type(computeType(matrix.contraction.accumulator)),
      count(matrix.count(matrix.reduced)), sumsOffset(2 * partSize()) {}

/// Returns the number of elements of a part of both operands.
unsigned TileSums::partSize() const {
  return block.tile.getProducts() * (lhs.getStride() + rhs.getStride());
}

unsigned TileSums::countShared() const {
  const TileShape &tile = block.tile;
  unsigned results = tile.getThreads() * tile.rows * tile.columns;
  return sumsOffset + (tile.slices > 1 ? results : 0);
}

/// Returns the offset of a part in shared memory: parts alternate.
Value TileSums::offsetOf(Value part) {
  return ops.mul(ops.rem(part, ops.constant(2)), ops.constant(partSize()));
}

/// Returns the distance in shared memory from a part of the lhs to that of the
/// rhs.
Value TileSums::rightOffset() {
  return ops.constant(block.tile.getProducts() * lhs.getStride());
}

/// Begins to copy the operands that are copied: the products from `first` on,
/// to the place of `part`.
void TileSums::copy(Value first, Value part) {
  Value offset = offsetOf(part);
  lhs.copy(first, block.shared, offset);
  rhs.copy(first, block.shared, ops.add(offset, rightOffset()));
}

/// Stores the loaded elements of both operands as a part.
void TileSums::store(ArrayRef<Value> loaded, Value part) {
  Value offset = offsetOf(part);
  lhs.store(loaded.take_front(leftCount), block.shared, offset);
  rhs.store(loaded.drop_front(leftCount), block.shared,
            ops.add(offset, rightOffset()));
}

/// Loads the first part, if there is one, into shared memory.
void TileSums::loadFirst() {
  Value zero = ops.constant(0);
  Value isEmpty =
      ops.compare(arith::CmpIPredicate::eq, context.extent(count), zero);
  OpBuilder &builder = context.builder;
  OpBuilder::InsertionGuard guard(builder);
  if (constantNumber(isEmpty) != 0) {
    auto branch = scf::IfOp::create(builder, context.loc, isEmpty,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
  copy(zero, zero);
  if (hasCopies())
    commitCopies(builder, context.loc);
  SmallVector<Value> loaded = lhs.load(zero);
  leftCount = loaded.size();
  llvm::append_range(loaded, rhs.load(zero));
  llvm::append_range(loadedTypes, ValueRange(loaded).getTypes());
  store(loaded, zero);
  if (hasCopies())
    waitForCopies(builder, context.loc);
}

/// Loads the elements of a product of the part at `offset`: those of the rows
/// of the thread's results, or those of the columns.
SmallVector<Value> TileSums::loadLines(Value offset, Value product,
                                       bool isLeft) {
  TileShape tile = block.tile;
  unsigned stride = isLeft ? lhs.getStride() : rhs.getStride();
  Value line = ops.add(ops.mul(product, ops.constant(stride)), offset);
  if (tile.slices > 1)
    line =
        ops.add(line, ops.mul(block.slice, ops.constant(tile.depth * stride)));
  if (!isLeft)
    line = ops.add(line, rightOffset());
  SmallVector<Value> elements;
  for (unsigned i = 0; i < (isLeft ? tile.rows : tile.columns); ++i) {
    Value place = isLeft ? block.rowOf(ops, i) : block.columnOf(ops, i);
    elements.push_back(loadElements(context.builder, context.loc, block.shared,
                                    ops.add(line, place), Lanes()));
  }
  return elements;
}

/// Returns the sums plus product number `product` of the part at `offset`.
SmallVector<Value> TileSums::multiply(Value offset, Value product,
                                      ValueRange sums) {
  SmallVector<Value> next;
  SmallVector<Value> left = loadLines(offset, product, /*isLeft=*/true);
  SmallVector<Value> right = loadLines(offset, product, /*isLeft=*/false);
  for (Value lhsValue : left)
    for (Value rhsValue : right)
      next.push_back(math::FmaOp::create(context.builder, context.loc, lhsValue,
                                         rhsValue, sums[next.size()]));
  return next;
}

/// Returns the sums plus all products of the part at `offset`, which the warps
/// multiply as matrices.
SmallVector<Value> TileSums::multiplyMatrices(Value offset, ValueRange sums) {
  OpBuilder &builder = context.builder;
  TileShape tile = block.tile;
  unsigned rowStride = lhs.getStride(), columnStride = rhs.getStride();
  // The thread has 2 products of the rows of its results, and of one column of
  // each matrix, whose number is that of its row.
  Value row = ops.rem(block.threadRow, ops.constant(8));
  Value product = ops.rem(block.threadColumn, ops.constant(4));
  Value warp = ops.div(block.threadColumn, ops.constant(4));
  Value column = ops.add(ops.mul(warp, ops.constant(4 * tile.columns)), row);
  Value right = ops.add(offset, ops.constant(tile.depth * rowStride));
  auto load = [&](Value begin, unsigned stride, unsigned half, Value line) {
    Value at = ops.add(product, ops.constant(4 * half));
    Value place =
        ops.add(ops.add(ops.mul(at, ops.constant(stride)), line), begin);
    return loadElements(builder, context.loc, block.shared, place, Lanes());
  };
  SmallVector<Value> result(sums);
  for (unsigned i = 0; i < tile.rows; i += 2) {
    SmallVector<Value> lhs;
    for (unsigned half : {0, 1})
      for (unsigned next : {0, 1})
        lhs.push_back(
            load(offset, rowStride, half, block.rowOf(ops, i + next)));
    for (unsigned j = 0; j < tile.columns; j += 2) {
      Value line = ops.add(column, ops.constant(4 * j));
      Value rhs[] = {load(right, columnStride, 0, line),
                     load(right, columnStride, 1, line)};
      unsigned first = i * tile.columns + j, below = first + tile.columns;
      unsigned places[] = {first, first + 1, below, below + 1};
      SmallVector<Value> matrix = multiplyTf32(
          builder, context.loc, lhs, rhs,
          llvm::map_to_vector(places, [&](unsigned at) { return result[at]; }));
      for (auto [place, sum] : llvm::zip_equal(places, matrix))
        result[place] = sum;
    }
  }
  return result;
}
