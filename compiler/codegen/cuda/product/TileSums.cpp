//===- TileSums.cpp - the sums of a thread in registers -------------------===//
#include "compiler/codegen/cuda/product/TileSums.h"
#include "compiler/codegen/cuda/Thread.h"
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

Value TileBlock::rowOf(IntegerOps ops, unsigned index) const {
  return placeOf(ops, threadRow, TileShape::kThreadRows, tile.rows, index);
}

Value TileBlock::columnOf(IntegerOps ops, unsigned index) const {
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
  return TileShape::kDepth * (tile.getRows() + tile.getColumns());
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
  rhs.store(
      right, block.shared,
      ops.add(offset, ops.constant(TileShape::kDepth * block.tile.getRows())));
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

/// Returns the sums plus product number `product` of the part at `offset`.
SmallVector<Value> TileSums::multiply(Value offset, Value product,
                                      ValueRange sums) {
  TileShape tile = block.tile;
  auto loadLine = [&](Value place) {
    return loadElements(context.builder, context.loc, block.shared, place,
                        Lanes());
  };
  Value leftLine =
      ops.add(ops.mul(product, ops.constant(tile.getRows())), offset);
  Value rightLine = ops.add(
      ops.add(ops.mul(product, ops.constant(tile.getColumns())), offset),
      ops.constant(TileShape::kDepth * tile.getRows()));
  SmallVector<Value> left, right, next;
  for (unsigned row = 0; row < tile.rows; ++row)
    left.push_back(loadLine(ops.add(leftLine, block.rowOf(ops, row))));
  for (unsigned column = 0; column < tile.columns; ++column)
    right.push_back(loadLine(ops.add(rightLine, block.columnOf(ops, column))));
  for (Value lhsValue : left)
    for (Value rhsValue : right)
      next.push_back(math::FmaOp::create(context.builder, context.loc, lhsValue,
                                         rhsValue, sums[next.size()]));
  return next;
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
  Value wholeParts = ops.div(end, depth);
  sums = emitCarryLoop(
      context, ops.div(begin, depth), wholeParts, 1, sums,
      [&](Value part, ValueRange carried) { return sumPart(part, carried); });
  if (count.getLargestKnownDivisor() % TileShape::kDepth == 0)
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
