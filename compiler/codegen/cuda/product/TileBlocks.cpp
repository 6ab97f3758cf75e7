//===- TileBlocks.cpp - nested blocks of the sums of a tile ---------------===//
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/cuda/product/AsyncCopy.h"
#include "compiler/codegen/cuda/product/TileSums.h"

using namespace mlir;
using namespace tg;

/// The number of products that a thread multiplies without a loop.
static constexpr unsigned kUnrolled = 16;

/// Returns the sums plus all products of the part at `offset`.
SmallVector<Value> TileSums::multiplyPart(Value offset, ValueRange sums) {
  if (block.tile.usesTensorCores)
    return multiplyMatrices(offset, sums);
  unsigned unrolled = std::min(block.tile.depth, kUnrolled);
  return emitCarryLoop(
      context, ops.constant(0), ops.constant(block.tile.depth), unrolled, sums,
      [&](Value first, ValueRange carried) {
        SmallVector<Value> next = llvm::to_vector(carried);
        for (unsigned product = 0; product < unrolled; ++product)
          next = multiply(offset, ops.add(first, ops.constant(product)), next);
        return next;
      });
}

/// Returns the sums plus the first `number` products of the part at `offset`.
/// Products of zeros in place of missing ones would change a sum of -0.
SmallVector<Value> TileSums::multiplySome(Value offset, Value number,
                                          ValueRange sums) {
  return emitCarryLoop(context, ops.constant(0), number, 1, sums,
                       [&](Value product, ValueRange carried) {
                         return multiply(offset, product, carried);
                       });
}

/// Same, in code without a loop if these are all products of the part.
SmallVector<Value> TileSums::multiplyUpTo(Value offset, Value number,
                                          ValueRange sums) {
  OpBuilder &builder = context.builder;
  Value isWhole = ops.compare(arith::CmpIPredicate::eq, number,
                              ops.constant(block.tile.depth));
  auto branch = scf::IfOp::create(builder, context.loc, sums.getTypes(),
                                  isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, context.loc, multiplyPart(offset, sums));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, context.loc,
                       multiplySome(offset, number, sums));
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns the number of the first product of a part in the block of slice 0.
Value TileSums::firstProductOf(Value part) {
  const TileShape &tile = block.tile;
  Value depth = ops.constant(tile.depth);
  if (tile.slices == 1)
    return ops.mul(part, depth);
  Value parts = ops.constant(tile.sliceProducts / tile.depth);
  Value round = ops.mul(ops.div(part, parts),
                        ops.constant(tile.slices * tile.sliceProducts));
  return ops.add(round, ops.mul(ops.rem(part, parts), depth));
}

/// Returns the number of the last part; there is at least one product.
Value TileSums::findLastPart() {
  const TileShape &tile = block.tile;
  Value last = ops.sub(context.extent(count), ops.constant(1));
  Value depth = ops.constant(tile.depth);
  if (tile.slices == 1)
    return ops.div(last, depth);
  int64_t round = tile.slices * tile.sliceProducts;
  Value inRound = ops.min(ops.rem(last, ops.constant(round)),
                          ops.constant(tile.sliceProducts - 1));
  return ops.add(ops.mul(ops.div(last, ops.constant(round)),
                         ops.constant(tile.sliceProducts / tile.depth)),
                 ops.div(inRound, depth));
}

/// Begins to copy the part after `part`, and loads the elements that are not
/// copied: those of the lhs, and then those of the rhs.
SmallVector<Value> TileSums::loadNext(Value part) {
  Value next = ops.add(part, ops.constant(1)), last = findLastPart();
  auto loadPart = [&](Value number) {
    Value first = firstProductOf(number);
    copy(first, next);
    SmallVector<Value> loaded = lhs.load(first);
    llvm::append_range(loaded, rhs.load(first));
    return loaded;
  };
  // A short part is loaded once more at the end, which is cheaper than a
  // branch.
  if (block.tile.depth <= kUnrolled)
    return loadPart(ops.min(next, last));
  Value exists = ops.compare(arith::CmpIPredicate::sle, next, last);
  if (!loadedTypes.empty())
    return buildWhere(context, exists, loadedTypes,
                      [&] { return loadPart(next); });
  OpBuilder::InsertionGuard guard(context.builder);
  auto branch = scf::IfOp::create(context.builder, context.loc, exists,
                                  /*withElseRegion=*/false);
  context.builder.setInsertionPointToStart(branch.thenBlock());
  return loadPart(next);
}

/// Returns the sums plus the products of a part: all of them, or the first
/// `number` of those of the slice. Copies or loads the next part meanwhile, and
/// waits until all threads are at this point.
SmallVector<Value> TileSums::sumPart(Value part, ValueRange sums,
                                     Value number) {
  SmallVector<Value> loaded = loadNext(part);
  if (hasCopies())
    commitCopies(context.builder, context.loc);
  Value offset = offsetOf(part);
  SmallVector<Value> result =
      number ? multiplyUpTo(offset, number, sums) : multiplyPart(offset, sums);
  store(loaded, ops.add(part, ops.constant(1)));
  if (hasCopies())
    waitForCopies(context.builder, context.loc);
  emitBarrier(context.builder, context.loc);
  return result;
}

/// Returns a zero for each result of the thread.
SmallVector<Value> TileSums::makeZeros() {
  Value zero = arith::ConstantOp::create(context.builder, context.loc,
                                         context.builder.getZeroAttr(type));
  return SmallVector<Value>(block.tile.rows * block.tile.columns, zero);
}

/// Returns chains over the products [begin, end), where `begin` is the first
/// product of a part, if all threads have the same.
SmallVector<Value> TileSums::sumChain(Value begin, Value end) {
  unsigned depth = block.tile.depth;
  bool usesMatrices = block.tile.usesTensorCores;
  Value wholeParts =
      ops.div(usesMatrices ? ops.add(end, ops.constant(depth - 1)) : end,
              ops.constant(depth));
  SmallVector<Value> sums = emitCarryLoop(
      context, ops.div(begin, ops.constant(depth)), wholeParts, 1, makeZeros(),
      [&](Value part, ValueRange carried) { return sumPart(part, carried); });
  if (usesMatrices || count.getLargestKnownDivisor() % depth == 0)
    return sums;
  return multiplySome(offsetOf(wholeParts), ops.rem(end, ops.constant(depth)),
                      sums);
}

/// Returns chains over the products of the thread's slice: the blocks of the
/// slices follow each other from `begin` on. All of them end at `end`, if there
/// is one slice, and threads without a slice multiply nothing.
SmallVector<Value> TileSums::sumSlice(Value begin, Value end) {
  const TileShape &tile = block.tile;
  Value depth = ops.constant(tile.depth), zero = ops.constant(0);
  Value own = begin, last = end, longest = end;
  if (tile.slices > 1) {
    Value size = ops.constant(tile.sliceProducts);
    own = ops.add(begin, ops.mul(block.slice, size));
    last = ops.min(end, ops.add(own, size));
    longest = ops.min(end, ops.add(begin, size));
  }
  Value isActive = ops.compare(arith::CmpIPredicate::slt, block.thread,
                               ops.constant(tile.getThreads()));
  last = arith::SelectOp::create(context.builder, context.loc, isActive, last,
                                 own);
  bool isWhole =
      tile.getThreads() == kBlockThreads && tile.slices > 1 &&
      count.getLargestKnownDivisor() % (tile.slices * tile.sliceProducts) == 0;
  Value parts = ops.ceilDiv(ops.sub(longest, begin), depth);
  Value before = ops.div(begin, ops.constant(tile.getProducts()));
  return emitCarryLoop(context, zero, parts, 1, makeZeros(),
                       [&](Value part, ValueRange carried) {
                         if (isWhole)
                           return sumPart(ops.add(before, part), carried);
                         Value first = ops.add(own, ops.mul(part, depth));
                         Value number = ops.max(
                             zero, ops.min(depth, ops.sub(last, first)));
                         return sumPart(ops.add(before, part), carried, number);
                       });
}

/// Adds the sums of the first `active` slices to the totals. All threads of the
/// block must be here.
void TileSums::addSlices(ArrayRef<Value> sums, Value active,
                         SmallVectorImpl<Value> &totals) {
  OpBuilder &builder = context.builder;
  const TileShape &tile = block.tile;
  Value threads = ops.constant(tile.getSliceThreads());
  auto placeOf = [&](Value slice, unsigned result) {
    Value row = ops.add(ops.mul(slice, ops.constant(sums.size())),
                        ops.constant(result));
    Value inSlice = ops.rem(block.thread, threads);
    return ops.add(ops.add(ops.mul(row, threads), inSlice),
                   ops.constant(sumsOffset));
  };
  Value isActive = ops.compare(arith::CmpIPredicate::slt, block.thread,
                               ops.constant(tile.getThreads()));
  auto branch = scf::IfOp::create(builder, context.loc, isActive,
                                  /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (auto [result, sum] : llvm::enumerate(sums))
      storeElements(builder, context.loc, block.shared,
                    placeOf(block.slice, result), sum, Lanes());
  }
  emitBarrier(builder, context.loc);
  for (unsigned slice = 0; slice < tile.slices; ++slice) {
    Value number = ops.constant(slice);
    Value exists = ops.compare(arith::CmpIPredicate::slt, number, active);
    for (auto [result, total] : llvm::enumerate(totals)) {
      Value sum = loadElements(builder, context.loc, block.shared,
                               placeOf(number, result), Lanes());
      Value next = arith::AddFOp::create(builder, context.loc, total, sum);
      total = builder.createOrFold<arith::SelectOp>(context.loc, exists, next,
                                                    total);
    }
  }
}

/// Returns the sums of the products [begin, end), in blocks of which the slices
/// sum one each in a round. There is at least one round.
SmallVector<Value> TileSums::sumRounds(Value begin, Value end) {
  const TileShape &tile = block.tile;
  Value empty = buildEmptyTotal(context.builder, context.loc, type);
  SmallVector<Value> totals(tile.rows * tile.columns, empty);
  Value one = ops.constant(1);
  return buildFor(
      context.builder, context.loc, begin, ops.max(end, ops.add(begin, one)),
      tile.slices * tile.sliceProducts, totals,
      [&](Value first, ValueRange carried) {
        SmallVector<Value> sums = sumSlice(first, end);
        Value active =
            ops.max(one, ops.ceilDiv(ops.sub(end, first),
                                     ops.constant(tile.sliceProducts)));
        SmallVector<Value> next = llvm::to_vector(carried);
        addSlices(sums, active, next);
        return next;
      });
}

/// Returns the sums of the products [begin, end) in nested blocks. There is at
/// least one block, so that an empty sum is +0.
SmallVector<Value> TileSums::sumBlocks(ArrayRef<int64_t> blocks, Value begin,
                                       Value end) {
  if (blocks.empty())
    return block.tile.getThreads() == kBlockThreads ? sumChain(begin, end)
                                                    : sumSlice(begin, end);
  if (blocks.size() == 1 && block.tile.slices > 1)
    return sumRounds(begin, end);
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
