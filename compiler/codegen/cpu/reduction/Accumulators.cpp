//===- Accumulators.cpp - partial results of reductions in registers ------===//
#include "compiler/codegen/cpu/reduction/Accumulators.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

// Elements go into sums as registers hold them.
#define TG_ELEMENT(name, front, code, bits, host, rounding, compute, sum, ...) \
  static_assert(ElementType::sum == ElementType::compute);
TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT

SmallVector<Value> Accumulators::neutral(unsigned lanes, unsigned interleaved) {
  SmallVector<Value> values;
  for (unsigned each = 0; each < interleaved; ++each)
    for (ReductionOpInterface reduction : reductions) {
      Type type =
          sumType(getElementTypeOrSelf(reduction->getResult(0).getType()));
      if (lanes > 1)
        type = VectorType::get({int64_t(lanes)}, type);
      values.push_back(
          reduction.buildNeutral(frame.builder, reduction.getLoc(), type));
    }
  return values;
}

SmallVector<Value> Accumulators::combine(ValueRange a, ValueRange b) {
  SmallVector<Value> values;
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(a, b))) {
    ReductionOpInterface reduction = reductions[number % reductions.size()];
    values.push_back(reduction.buildCombine(frame.builder, reduction.getLoc(),
                                            std::get<0>(pair),
                                            std::get<1>(pair)));
  }
  return values;
}

SmallVector<Value> Accumulators::foldInterleaved(ValueRange interleaved) {
  SmallVector<Value> values(interleaved);
  unsigned width = reductions.size();
  while (values.size() > width) {
    SmallVector<Value> next;
    ValueRange remaining(values);
    for (; remaining.size() >= 2 * width;
         remaining = remaining.drop_front(2 * width))
      llvm::append_range(next, combine(remaining.take_front(width),
                                       remaining.slice(width, width)));
    llvm::append_range(next, remaining);
    values = next;
  }
  return values;
}

SmallVector<Value> Accumulators::foldLanes(ValueRange vectors) {
  SmallVector<Value> values(vectors);
  if (values.empty() || !isa<VectorType>(values[0].getType()))
    return values;
  OpBuilder &builder = frame.builder;
  int64_t lanes = cast<VectorType>(values[0].getType()).getNumElements();
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<Value> low, high;
    auto first = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto second = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    for (Value value : values) {
      low.push_back(
          vector::ShuffleOp::create(builder, frame.loc, value, value, first));
      high.push_back(
          vector::ShuffleOp::create(builder, frame.loc, value, value, second));
    }
    values = combine(low, high);
  }
  for (Value &value : values)
    value = vector::ExtractOp::create(builder, frame.loc, value, 0);
  return values;
}

SmallVector<Value> Accumulators::blend(Value mask, ValueRange values) {
  if (values.empty())
    return {};
  int64_t lanes = cast<VectorType>(values[0].getType()).getNumElements();
  SmallVector<Value> blended;
  for (auto [value, none] : llvm::zip_equal(values, neutral(lanes)))
    blended.push_back(
        arith::SelectOp::create(frame.builder, frame.loc, mask, value, none));
  return blended;
}

SmallVector<Value> Accumulators::accumulateBlock(Value begin, Value end,
                                                 int64_t step, unsigned lanes,
                                                 unsigned interleaved,
                                                 Round round) {
  SmallVector<Value> sums =
      emitCarryLoop(frame, begin, end, step, neutral(lanes, interleaved),
                    [&](Value index, ValueRange carried) {
                      // The round's code stands before the sums: they need its
                      // elements.
                      SmallVector<Value> elements = round(index);
                      return combine(carried, elements);
                    });
  return foldInterleaved(sums);
}

SmallVector<Value>
Accumulators::accumulateLevel(Value begin, Value end, int64_t step,
                              unsigned lanes, unsigned interleaved,
                              unsigned level, ValueRange totals, Round round) {
  if (level == 0)
    return combine(
        totals, accumulateBlock(begin, end, step, lanes, interleaved, round));
  int64_t block = step;
  for (unsigned each = 0; each < level; ++each)
    block *= tuning::kBlockRounds;
  std::optional<int64_t> length =
      constantNumber(frame.integers().sub(end, begin));
  if (length && *length <= block)
    return accumulateLevel(begin, end, step, lanes, interleaved, level - 1,
                           totals, round);
  return buildFor(
      frame.builder, frame.loc, begin, end, block, totals,
      [&](Value first, ValueRange carried) {
        IntegerOps ops = frame.integers();
        Value last = ops.min(end, ops.add(first, ops.constant(block)));
        if (level == 1)
          return accumulateLevel(first, last, step, lanes, interleaved, 0,
                                 carried, round);
        return combine(carried,
                       accumulateLevel(first, last, step, lanes, interleaved,
                                       level - 1, neutral(lanes), round));
      });
}

SmallVector<Value> Accumulators::accumulate(Value begin, Value end,
                                            int64_t step, unsigned lanes,
                                            unsigned interleaved,
                                            ValueRange totals, Round round) {
  // Without reductions there is nothing to carry, but outputs to store.
  if (totals.empty())
    return accumulateBlock(begin, end, step, lanes, interleaved, round);
  std::optional<int64_t> length =
      constantNumber(frame.integers().sub(end, begin));
  if (length && *length <= 0)
    return totals;
  return accumulateLevel(begin, end, step, lanes, interleaved,
                         tuning::kSumLevels, totals, round);
}
