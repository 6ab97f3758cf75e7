//===- Reductions.cpp - reductions in stated orders -----------------------===//
#include "compiler/reference/Combinations.h"
#include "compiler/reference/NestedChains.h"
#include "compiler/reference/ReducedGroups.h"
#include "compiler/reference/Sums.h"

using namespace mlir;
using namespace tg;

namespace {

/// Chains of elements, several of them side by side.
template <typename T> class Chains {
public:
  Chains(Combinations::Program &combine, T neutral, size_t width)
      : combine(combine), neutral(neutral), width(width) {}

  using State = std::vector<T>;
  State begin() const { return State(width, neutral); }
  void add(State &sum, const State &value) {
    combine.run({sum.data(), value.data()}, {sum.data()}, width);
  }
  size_t getWidth() const { return width; }

private:
  Combinations::Program &combine;
  T neutral;
  size_t width;
};

/// Computes a reduction of one term, for as many results at once as fill the
/// lanes of a program.
template <typename T> class Reduction {
public:
  Reduction(ReductionOpInterface op, const HostTensor &operand,
            HostTensor &result);
  std::string run();

private:
  using State = std::vector<T>;
  State sumStep(size_t step, ArrayRef<int64_t> starts);
  State sumLine(int64_t offset, ArrayRef<int64_t> starts);
  State sumGroup(int64_t offset, ArrayRef<int64_t> starts, int64_t first,
                 int64_t last);
  State foldPairs(const State &sums, int64_t width);
  State foldAccumulators(State sums);
  State foldLanes(State sums);

  OrderAttr order;
  ReducedGroups groups;
  Combinations::Program combine, neutralOf;
  ArrayRef<T> x;
  MutableArrayRef<T> y;
  T neutral = 0;
};

} // namespace

template <typename T>
Reduction<T>::Reduction(ReductionOpInterface op, const HostTensor &operand,
                        HostTensor &result)
    : order(orderOf(op)),
      groups(operand.getShape(), op.getReducedAxes(), order),
      combine(Combinations(op).makeCombine(operand.getElementType())),
      neutralOf(Combinations(op).makeNeutral(operand.getElementType())),
      x(operand.values<T>()), y(result.values<T>()) {}

/// Returns the lanes of all accumulators for the elements [first, last) of a
/// line, for several results.
template <typename T>
std::vector<T> Reduction<T>::sumGroup(int64_t offset, ArrayRef<int64_t> starts,
                                      int64_t first, int64_t last) {
  int64_t step = order.getStepElements();
  Chains<T> chain(combine, neutral, starts.size() * step);
  State sums = chain.begin(), values = sums;
  for (int64_t begin = first; begin < last; begin += step) {
    int64_t count = std::min(step, last - begin);
    State before = count < step ? sums : State();
    for (size_t r = 0; r < starts.size(); ++r)
      std::copy_n(x.data() + starts[r] + offset + begin, count,
                  values.data() + r * step);
    chain.add(sums, values);
    // Lanes without an element keep their sums.
    for (size_t i = 0; i < before.size(); ++i)
      if (int64_t(i) % step >= count)
        sums[i] = before[i];
  }
  return foldAccumulators(std::move(sums));
}

/// Combines neighbouring runs of `width` elements in pairs.
template <typename T>
std::vector<T> Reduction<T>::foldPairs(const State &sums, int64_t width) {
  State even, odd;
  for (auto from = sums.begin(); from != sums.end(); from += 2 * width) {
    even.insert(even.end(), from, from + width);
    odd.insert(odd.end(), from + width, from + 2 * width);
  }
  Chains<T>(combine, neutral, even.size()).add(even, odd);
  return even;
}

/// Combines neighbouring accumulators in pairs until each result has one.
template <typename T>
std::vector<T> Reduction<T>::foldAccumulators(State sums) {
  for (int64_t left = order.getAccumulators(); left > 1; left /= 2)
    sums = foldPairs(sums, order.getLanes());
  return sums;
}

/// Combines the upper half of the lanes into the lower half until one is left.
template <typename T> std::vector<T> Reduction<T>::foldLanes(State sums) {
  for (int64_t half = order.getLanes() / 2; half >= 1; half /= 2)
    sums = foldPairs(sums, half);
  return sums;
}

/// Returns the sum of a line for several results.
template <typename T>
std::vector<T> Reduction<T>::sumLine(int64_t offset, ArrayRef<int64_t> starts) {
  size_t results = starts.size();
  if (!groups.hasLineAxes) {
    State elements(results);
    for (size_t r = 0; r < results; ++r)
      elements[r] = x[starts[r] + offset];
    return elements;
  }
  ArrayRef<int64_t> blocks = order.getBlocks();
  int64_t step = order.getStepElements();
  int64_t length = std::max<int64_t>(groups.length, 1);
  int64_t block = blocks.empty() ? length : blocks[0] * step;
  ArrayRef<int64_t> rest =
      blocks.drop_front(std::min<size_t>(blocks.size(), 2));
  Chains<T> vectors(combine, neutral, results * order.getLanes());
  Chains<T> numbers(combine, neutral, results);
  NestedChains<State, Chains<T>> outer(rest, numbers);
  State sum = vectors.begin();
  int64_t count = 0;
  for (int64_t first = 0; first < groups.length; first += block) {
    int64_t last = std::min(first + block, groups.length);
    vectors.add(sum, sumGroup(offset, starts, first, last));
    if (++count < (blocks.size() < 2 ? INT64_MAX : blocks[1]))
      continue;
    outer.add(foldLanes(std::exchange(sum, vectors.begin())));
    count = 0;
  }
  if (count)
    outer.add(foldLanes(std::move(sum)));
  return outer.finish();
}

/// Returns the value of a step for several results: that of its line or, in a
/// tile, the chain of all its lines.
template <typename T>
std::vector<T> Reduction<T>::sumStep(size_t step, ArrayRef<int64_t> starts) {
  ArrayRef<int64_t> lines = groups.linesOf(step);
  if (order.getTile().empty())
    return sumLine(lines.front(), starts);
  Chains<T> chain(combine, neutral, starts.size());
  State sum = chain.begin();
  for (int64_t offset : lines)
    chain.add(sum, sumLine(offset, starts));
  return sum;
}

template <typename T> std::string Reduction<T>::run() {
  for (const std::string &error : {combine.getError(), neutralOf.getError()})
    if (!error.empty())
      return error;
  neutralOf.run({}, {&neutral}, 1);
  // An element that nothing is added to is a chain of its own.
  bool isNested = groups.hasOtherAxes || !groups.hasLineAxes;
  size_t width =
      std::max<int64_t>(1, 2 * LaneProgram::kLanes / order.getStepElements());
  for (size_t first = 0; first < groups.results.size(); first += width) {
    ArrayRef<int64_t> starts =
        ArrayRef(groups.results).drop_front(first).take_front(width);
    Chains<T> chain(combine, neutral, starts.size());
    NestedChains<State, Chains<T>> sums(order.getLines(), chain);
    for (size_t step = 0; isNested && step < groups.countSteps(); ++step)
      sums.add(sumStep(step, starts));
    llvm::copy(isNested ? sums.finish() : sumStep(0, starts),
               y.begin() + first);
  }
  return {};
}

std::string tg::reduce(ReductionOpInterface op, const HostTensor &operand,
                       MutableArrayRef<HostTensor> results) {
  if (op.usesShift() || op.countTerms() > 1)
    return reduceParts(op, operand, results);
  std::string error;
  visitFloatType(operand.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    error = Reduction<T>(op, operand, results[0]).run();
  });
  return error;
}
