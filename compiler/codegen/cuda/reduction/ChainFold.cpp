//===- ChainFold.cpp - the chains of a line in several threads ------------===//
#include "compiler/codegen/cuda/reduction/ChainFold.h"
#include "compiler/codegen/cuda/Exchange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

LineChains::LineChains(OrderAttr order, AffineExpr extent)
    : lanes(order.getLanes()), accumulators(order.getAccumulators()) {
  ArrayRef<int64_t> blocks = order.getBlocks();
  if (!blocks.empty()) {
    laneBlocks = blockSizes(order.getStepElements(), blocks.take_front());
    numberBlocks = blockSizes(laneBlocks[0], blocks.drop_front());
  }
  // Lanes and accumulators that get no element change no bit.
  if (std::optional<int64_t> elements = staticExtent(extent)) {
    auto least = [](int64_t limit, int64_t needed) {
      return std::min<int64_t>(
          limit, llvm::PowerOf2Ceil(std::max<int64_t>(needed, 1)));
    };
    accumulators = least(accumulators, llvm::divideCeil(*elements, lanes));
    lanes = least(lanes, *elements);
  }
}

ChainFold::ChainFold(KernelContext &context, Accumulators &sums,
                     const LineChains &chains, unsigned threads)
    : context(context), sums(sums), chains(chains), threads(threads) {
  assert(threads <= chains.count() &&
         (threads == 1 || threads >= chains.lanes) &&
         "threads without a chain, or lanes in several chains of a thread");
}

/// Combines each term with that of the thread `distance` after this one.
SmallVector<Value> ChainFold::combineAt(ValueRange terms,
                                        int64_t distance) const {
  Exchange exchange(context.builder, context.loc);
  SmallVector<Value> later;
  for (Value term : terms)
    later.push_back(exchange.fromLater(term, distance));
  return sums.combine(terms, later);
}

SmallVector<Value> ChainFold::foldAccumulators(ValueRange terms) const {
  SmallVector<Value> folded(terms);
  if (threads == 1) {
    // Each accumulator has `lanes` chains, which form one list.
    size_t width = chains.lanes * sums.getTerms().size();
    while (folded.size() > width) {
      SmallVector<Value> next;
      for (ValueRange rest(folded); !rest.empty();
           rest = rest.drop_front(2 * width))
        llvm::append_range(next, sums.combine(rest.take_front(width),
                                              rest.slice(width, width)));
      folded = next;
    }
    return folded;
  }
  for (int64_t distance = chains.lanes; distance < threads; distance *= 2)
    folded = combineAt(folded, distance);
  return sums.foldInterleaved(folded);
}

SmallVector<Value> ChainFold::foldLanes(ValueRange terms) const {
  SmallVector<Value> folded(terms);
  if (threads == 1) {
    while (folded.size() > sums.getTerms().size()) {
      size_t half = folded.size() / 2;
      folded = sums.combine(ValueRange(folded).take_front(half),
                            ValueRange(folded).drop_front(half));
    }
    return folded;
  }
  for (int64_t distance = chains.lanes / 2; distance > 0; distance /= 2)
    folded = combineAt(folded, distance);
  Exchange exchange(context.builder, context.loc);
  for (Value &term : folded)
    term = exchange.fromLane(term, 0);
  return folded;
}
