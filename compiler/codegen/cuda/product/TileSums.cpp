//===- TileSums.cpp - the sums of a thread in registers -------------------===//
#include "compiler/codegen/cuda/product/TileSums.h"
#include "compiler/codegen/cuda/Thread.h"
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
    return placeInMatrices(ops, threadRow, TileShape::kThreadRows / 2,
                           tile.rows, 1, index);
  return placeOf(ops, threadRow, TileShape::kThreadRows, tile.rows, index);
}

Value TileBlock::columnOf(IntegerOps ops, unsigned index) const {
  if (tile.usesTensorCores)
    return placeInMatrices(ops, threadColumn, TileShape::kThreadColumns / 2,
                           tile.columns, 2, index);
  return placeOf(ops, threadColumn, TileShape::kThreadColumns, tile.columns,
                 index);
}

TileSums::TileSums(KernelContext &context, const ProductMatrix &matrix,
                   const TileBlock &block, OperandStage &lhs, OperandStage &rhs)
    : context(context), ops(context.indices()), block(block), lhs(lhs),
      rhs(rhs), type(computeType(matrix.contraction.accumulator)),
      count(matrix.count(matrix.reduced)) {}

/// Returns the number of elements of a part of both operands.
static unsigned partSize(TileShape tile) {
  return TileShape::kDepth *
         (tile.getStride(tile.getRows()) + tile.getStride(tile.getColumns()));
}

unsigned TileSums::countShared(TileShape tile) { return 2 * partSize(tile); }

/// Returns the offset of a part in shared memory: parts alternate.
Value TileSums::offsetOf(Value part) {
  return ops.mul(ops.rem(part, ops.constant(2)),
                 ops.constant(partSize(block.tile)));
}

/// Stores the loaded elements of both operands as a part.
void TileSums::store(ArrayRef<Value> left, ArrayRef<Value> right, Value part) {
  Value offset = offsetOf(part);
  lhs.store(left, block.shared, offset);
  unsigned stride = block.tile.getStride(block.tile.getRows());
  rhs.store(right, block.shared,
            ops.add(offset, ops.constant(TileShape::kDepth * stride)));
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
  SmallVector<Value> left = lhs.load(zero), right = rhs.load(zero);
  store(left, right, zero);
}

/// Loads the elements of a product of the part at `offset`: those of the rows
/// of the thread's results, or those of the columns.
SmallVector<Value> TileSums::loadLines(Value offset, Value product,
                                       bool isLeft) {
  TileShape tile = block.tile;
  unsigned before = tile.getStride(tile.getRows());
  unsigned stride = isLeft ? before : tile.getStride(tile.getColumns());
  Value line = ops.add(ops.mul(product, ops.constant(stride)), offset);
  if (!isLeft)
    line = ops.add(line, ops.constant(TileShape::kDepth * before));
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
  unsigned rowStride = tile.getStride(tile.getRows());
  unsigned columnStride = tile.getStride(tile.getColumns());
  // The thread has 2 products of the rows of its results, and of one column of
  // each matrix, whose number is that of its row.
  Value row = ops.rem(block.threadRow, ops.constant(8));
  Value product = ops.rem(block.threadColumn, ops.constant(4));
  Value warp = ops.div(block.threadColumn, ops.constant(4));
  Value column = ops.add(ops.mul(warp, ops.constant(4 * tile.columns)), row);
  Value right = ops.add(offset, ops.constant(TileShape::kDepth * rowStride));
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

/// Returns the sums plus all products of a part. Loads the next part meanwhile,
/// and waits until all threads are at this point.
SmallVector<Value> TileSums::sumPart(Value part, ValueRange sums) {
  Value one = ops.constant(1), depth = ops.constant(TileShape::kDepth);
  // The last part is loaded twice, which is cheaper than a branch.
  Value last = ops.div(ops.sub(context.extent(count), one), depth);
  Value next = ops.mul(ops.min(ops.add(part, one), last), depth);
  SmallVector<Value> left = lhs.load(next), right = rhs.load(next);
  Value offset = offsetOf(part);
  SmallVector<Value> result = llvm::to_vector(sums);
  if (block.tile.usesTensorCores)
    result = multiplyMatrices(offset, result);
  else
    for (unsigned product = 0; product < TileShape::kDepth; ++product)
      result = multiply(offset, ops.constant(product), result);
  store(left, right, ops.add(part, one));
  emitBarrier(context.builder, context.loc);
  return result;
}

/// Returns chains over the products [begin, end), where `begin` is the first
/// product of a part.
SmallVector<Value> TileSums::sumChain(Value begin, Value end) {
  OpBuilder &builder = context.builder;
  Value zero = arith::ConstantOp::create(builder, context.loc,
                                         builder.getZeroAttr(type));
  SmallVector<Value> sums(block.tile.rows * block.tile.columns, zero);
  Value depth = ops.constant(TileShape::kDepth);
  bool usesMatrices = block.tile.usesTensorCores;
  Value wholeParts = ops.div(
      usesMatrices ? ops.add(end, ops.constant(TileShape::kDepth - 1)) : end,
      depth);
  sums = emitCarryLoop(
      context, ops.div(begin, depth), wholeParts, 1, sums,
      [&](Value part, ValueRange carried) { return sumPart(part, carried); });
  if (usesMatrices || count.getLargestKnownDivisor() % TileShape::kDepth == 0)
    return sums;
  // Products of zeros in place of missing ones would change a sum of -0.
  Value offset = offsetOf(wholeParts);
  return emitCarryLoop(context, ops.constant(0), ops.rem(end, depth), 1, sums,
                       [&](Value product, ValueRange carried) {
                         return multiply(offset, product, carried);
                       });
}

/// Returns the sums of the products [begin, end) in nested blocks. There is at
/// least one block, so that an empty sum is +0.
SmallVector<Value> TileSums::sumBlocks(ArrayRef<int64_t> blocks, Value begin,
                                       Value end) {
  if (blocks.empty())
    return sumChain(begin, end);
  int64_t size = countProducts(blocks);
  OpBuilder &builder = context.builder;
  Value empty = buildEmptyTotal(builder, context.loc, type);
  SmallVector<Value> totals(block.tile.rows * block.tile.columns, empty);
  Value atLeastOne = ops.max(end, ops.add(begin, ops.constant(1)));
  return buildFor(
      builder, context.loc, begin, atLeastOne, size, totals,
      [&](Value first, ValueRange carried) {
        Value last = ops.min(end, ops.add(first, ops.constant(size)));
        SmallVector<Value> sums = sumBlocks(blocks.drop_back(), first, last);
        for (auto [sum, total] : llvm::zip_equal(sums, carried))
          sum = arith::AddFOp::create(builder, context.loc, total, sum);
        return sums;
      });
}

SmallVector<Value> TileSums::emit(ArrayRef<int64_t> blocks) {
  loadFirst();
  emitBarrier(context.builder, context.loc);
  return sumBlocks(blocks, ops.constant(0), context.extent(count));
}
