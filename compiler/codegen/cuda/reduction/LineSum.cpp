//===- LineSum.cpp - the sum of a line in one thread ----------------------===//
#include "compiler/codegen/cuda/reduction/LineSum.h"
#include "compiler/codegen/kernel/Loops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// Returns a number below `count`, a power of two, with its bits in reverse
/// order.
Value LineSum::reverseBits(Value number, int64_t count) {
  IntegerOps ops = context.indices();
  Value reversed = ops.constant(0);
  for (int64_t bit = 1; bit < count; bit *= 2) {
    Value digit = ops.rem(ops.div(number, ops.constant(bit)), ops.constant(2));
    reversed = ops.add(reversed, ops.mul(digit, ops.constant(count / bit / 2)));
  }
  return reversed;
}

/// Combines `count` values, a power of two, in pairs of neighbours, the results
/// in pairs again, until one is left. A loop visits the values. It counts in
/// binary: each digit that is 1 stands for a value that waits for its
/// neighbour, so that a carry combines two values.
SmallVector<Value> LineSum::foldPairs(int64_t count, ValueBuilder value) {
  IntegerOps ops = context.indices();
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  if (count == 1)
    return value(ops.constant(0));
  size_t width = sums.getTerms().size();
  unsigned digits = llvm::Log2_64(count);
  auto step = [&](Value index, ValueRange carried) {
    SmallVector<Value> next, last = value(index);
    Value carries =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (unsigned digit = 0; digit < digits; ++digit) {
      ValueRange waiting = carried.slice(digit * width, width);
      Value isOne =
          ops.compare(arith::CmpIPredicate::ne,
                      ops.rem(ops.div(index, ops.constant(int64_t(1) << digit)),
                              ops.constant(2)),
                      ops.constant(0));
      SmallVector<Value> pairs = sums.combine(waiting, last);
      Value waits = carries;
      carries = arith::AndIOp::create(builder, loc, carries, isOne);
      // A value that waited is used up if the digit was 1 already.
      for (auto [old, one] : llvm::zip_equal(waiting, last))
        next.push_back(arith::SelectOp::create(builder, loc, waits, one, old));
      for (auto [one, pair] : llvm::zip_equal(last, pairs))
        one = arith::SelectOp::create(builder, loc, carries, pair, one);
    }
    llvm::append_range(next, last);
    return next;
  };
  SmallVector<Value> results =
      buildFor(builder, loc, ops.constant(0), ops.constant(count), 1,
               sums.neutral(/*lanes=*/1, digits + 1), step);
  return llvm::to_vector(ArrayRef(results).take_back(width));
}

/// Returns the sum of one lane over the elements of a smallest block.
SmallVector<Value> LineSum::sumLane(Value lane, Value begin, Value end) {
  IntegerOps ops = context.integers();
  return foldPairs(chains.accumulators, [&](Value accumulator) {
    Value first = ops.add(
        ops.add(begin, ops.mul(accumulator, ops.constant(chains.lanes))), lane);
    return emitCarryLoop(context, first, end, chains.count(),
                         sums.neutral(/*lanes=*/1),
                         [&](Value element, ValueRange carried) {
                           SmallVector<Value> terms = build(element);
                           return sums.combine(carried, terms);
                         });
  });
}

/// Returns the sum of the elements of a block that becomes one number.
SmallVector<Value> LineSum::sumLanes(Value begin, Value end) {
  // The upper half of the lanes is combined with the lower half, and so on:
  // these are pairs of neighbours if the bits of the lanes are reversed.
  return foldPairs(chains.lanes, [&](Value index) {
    Value lane = reverseBits(index, chains.lanes);
    return sums.nest(
        begin, end, chains.laneBlocks, /*lanes=*/1,
        [&](Value first, Value last) { return sumLane(lane, first, last); });
  });
}

SmallVector<Value> LineSum::emit(ElementBuilder buildElement) {
  build = buildElement;
  return sums.nest(context.integers().constant(0), context.extent(extent),
                   chains.numberBlocks,
                   /*lanes=*/1, [&](Value begin, Value end) {
                     return sumLanes(begin, end);
                   });
}
