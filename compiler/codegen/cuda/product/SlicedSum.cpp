//===- SlicedSum.cpp - sums that several threads of a block share ---------===//
#include "compiler/codegen/cuda/product/SlicedSum.h"
#include "compiler/codegen/cuda/product/TiledProduct.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "compiler/codegen/kernel/sums/ProductSum.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The number of results from which on a thread computes one each.
static constexpr int64_t kManyResults = 16384;

/// The extent that is assumed for one of run time.
static constexpr int64_t kAssumedExtent = 64;

/// The most threads that share a sum. The others of a block have neighbouring
/// results.
static constexpr unsigned kMaxSumThreads = 16;

/// Returns the product of some extents.
static int64_t multiply(ArrayRef<AffineExpr> extents) {
  int64_t product = 1;
  for (AffineExpr extent : extents)
    product *= staticExtent(extent).value_or(kAssumedExtent);
  return product;
}

unsigned tg::findSumThreads(ThreadFrame &frame,
                            const Contraction &contraction) {
  SmallVector<int64_t> blocks = findProductBlocks(contraction);
  if (blocks.empty() || multiply(contraction.result.extents) >= kManyResults ||
      !hasElementwiseOps(frame, contraction.result))
    return 1;
  SmallVector<AffineExpr> extents;
  for (unsigned dimension : contraction.dimensionsOf(DimensionKind::reduced))
    extents.push_back(contraction.dimensions[dimension].extent);
  if (blocksCountLines(contraction))
    extents.pop_back();
  int64_t count = llvm::divideCeil(multiply(extents), blocks.front());
  unsigned threads = 1;
  while (threads * 2 <= std::min<int64_t>(count, kMaxSumThreads) &&
         (blocks.size() == 1 || blocks[1] % (threads * 2) == 0))
    threads *= 2;
  return threads;
}

namespace {
/// Emits the code of a thread.
class SlicedSum {
public:
  SlicedSum(ThreadFrame &frame, const Contraction &contraction,
            unsigned threads)
      : frame(frame), contraction(contraction), threads(threads),
        results(kBlockThreads / threads), elements(frame),
        sum(elements, contraction, /*lanes=*/1),
        blocks(findProductBlocks(contraction)) {}
  LogicalResult emit();

private:
  void begin();
  Value addRound(Value sum, Value active, Value total);
  Value sumRounds(Value begin, Value end);
  Value sumBlocks(ArrayRef<int64_t> outer, Value begin, Value end);
  Value makeEmpty() {
    return buildEmptyTotal(frame.builder, frame.loc,
                           computeType(contraction.accumulator));
  }
  void storeOutputs(Value total);

  ThreadFrame &frame;
  const Contraction &contraction;
  /// The threads that share a sum, and the results of a block.
  unsigned threads, results;
  ElementEmitter elements;
  ProductSum sum;
  SmallVector<int64_t> blocks;
  Elements shared;
  /// The number of the thread's slice, that of its result in the block, and
  /// whether the result exists.
  Value slice, place, exists;
  Position position;
};
} // namespace

void SlicedSum::begin() {
  IterationSpace space = makeElementSpace(frame);
  auto groups = llvm::to_vector(llvm::seq(0u, space.getNumGroups()));
  AffineExpr count = space.getProduct(groups);
  BlockThread self = frame.beginBlock(count.ceilDiv(results));
  IntegerOps ops = frame.indices();
  Value perBlock = ops.constant(results);
  slice = ops.div(self.thread, perBlock);
  place = ops.rem(self.thread, perBlock);
  Value number = ops.add(ops.mul(self.block, perBlock), place);
  exists = ops.compare(arith::CmpIPredicate::slt, number, frame.extent(count));
  // Threads without a result compute the last one, and do not store it.
  number = ops.min(number, ops.sub(frame.extent(count), ops.constant(1)));
  position =
      space.position(space.split(number, groups), /*laneGroup=*/0, /*lanes=*/1);
  shared = frame.share(computeType(contraction.accumulator), kBlockThreads);
}

/// Returns the total plus the sums of the first `active` slices, in order. All
/// threads of the block must be here.
Value SlicedSum::addRound(Value sum, Value active, Value total) {
  IntegerOps ops = frame.indices();
  OpBuilder &builder = frame.builder;
  auto offsetOf = [&](Value number) {
    return ops.add(ops.mul(number, ops.constant(results)), place);
  };
  storeElements(builder, frame.loc, shared, offsetOf(slice), sum, Lanes());
  emitBarrier(builder, frame.loc);
  for (unsigned number = 0; number < threads; ++number) {
    Value other = ops.constant(number);
    Value value =
        loadElements(builder, frame.loc, shared, offsetOf(other), Lanes());
    Value next = arith::AddFOp::create(builder, frame.loc, total, value);
    Value isActive = ops.compare(arith::CmpIPredicate::slt, other, active);
    total =
        builder.createOrFold<arith::SelectOp>(frame.loc, isActive, next, total);
  }
  // The next round overwrites the sums.
  emitBarrier(builder, frame.loc);
  return total;
}

/// Returns the sum of the products (or lines) [begin, end), in blocks of which
/// the slices sum one each in a round. There is at least one round, so that an
/// empty sum is +0.
Value SlicedSum::sumRounds(Value begin, Value end) {
  IntegerOps ops = frame.indices();
  Value size = ops.constant(blocks.front()), one = ops.constant(1);
  return buildFor(
      frame.builder, frame.loc, begin, ops.max(end, ops.add(begin, one)),
      threads * blocks.front(), makeEmpty(),
      [&](Value first, ValueRange carried) -> SmallVector<Value> {
        Value own = ops.min(end, ops.add(first, ops.mul(slice, size)));
        Value last = ops.min(end, ops.add(own, size));
        Value chain = sum.emitChain(position, own, last);
        Value active = ops.max(one, ops.ceilDiv(ops.sub(end, first), size));
        return {addRound(chain, active, carried[0])};
      })[0];
}

/// Returns the sum of the products (or lines) [begin, end) in nested blocks, of
/// which `outer` are those beyond the smallest.
Value SlicedSum::sumBlocks(ArrayRef<int64_t> outer, Value begin, Value end) {
  if (outer.empty())
    return sumRounds(begin, end);
  IntegerOps ops = frame.indices();
  int64_t size = blocks.front() * countProducts(outer);
  Value atLeastOne = ops.max(end, ops.add(begin, ops.constant(1)));
  return buildFor(
      frame.builder, frame.loc, begin, atLeastOne, size, makeEmpty(),
      [&](Value first, ValueRange carried) -> SmallVector<Value> {
        Value last = ops.min(end, ops.add(first, ops.constant(size)));
        Value block = sumBlocks(outer.drop_back(), first, last);
        return {
            arith::AddFOp::create(frame.builder, frame.loc, carried[0], block)};
      })[0];
}

/// Computes and stores the outputs in the threads of the first slice.
void SlicedSum::storeOutputs(Value total) {
  IntegerOps ops = frame.indices();
  OpBuilder &builder = frame.builder;
  Value isFirst = ops.compare(arith::CmpIPredicate::eq, slice, ops.constant(0));
  Value stores = arith::AndIOp::create(builder, frame.loc, isFirst, exists);
  auto branch = scf::IfOp::create(builder, frame.loc, stores,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  elements.setBarrier(branch.thenBlock());
  elements.provide(contraction.result.value,
                   [total](const Position &, unsigned) { return total; });
  SmallVector<std::pair<Value, Value>> values;
  for (Value output : frame.kernel.getOutputs())
    values.push_back({elements.offsetOf(output, position),
                      elements.elementOrZero(output, position, 1)});
  for (auto [output, value] : llvm::enumerate(values))
    storeElements(builder, frame.loc, frame.output(output), value.first,
                  value.second, Lanes());
}

LogicalResult SlicedSum::emit() {
  begin();
  storeOutputs(sumBlocks(ArrayRef(blocks).drop_front(),
                         frame.indices().constant(0), sum.count()));
  return failure(elements.hasFailed());
}

LogicalResult tg::emitSlicedSum(ThreadFrame &frame,
                                const Contraction &contraction,
                                unsigned threads) {
  return SlicedSum(frame, contraction, threads).emit();
}
