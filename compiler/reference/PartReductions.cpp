//===- PartReductions.cpp - reductions whose terms refer to a pivot -------===//
#include "compiler/reference/Combinations.h"
#include "compiler/reference/NestedChains.h"
#include "compiler/reference/ReducedGroups.h"

using namespace mlir;
using namespace tg;

namespace {
/// The totals of several results: raw bytes of each value, and the number of
/// elements.
struct Totals {
  std::vector<std::vector<uint64_t>> values;
  std::vector<int64_t> counts;
};

/// Chains of merged totals.
class Merges {
public:
  explicit Merges(Combinations::Program merge) : merge(std::move(merge)) {}

  using State = Totals;
  State begin() const { return {}; }
  void add(State &sum, const State &value);
  const std::string &getError() const { return merge.getError(); }

private:
  Combinations::Program merge;
};

/// Computes a reduction whose terms refer to a pivot. It reduces no line axes.
/// Each block of lines[0] steps is a part, whose pivot is its first element.
template <typename T> class PartReduction {
public:
  PartReduction(ReductionOpInterface op, const HostTensor &operand,
                MutableArrayRef<HostTensor> results);
  std::string run();

private:
  /// A value of each term for each result.
  using Sums = std::vector<std::vector<T>>;
  std::vector<T> elementsAt(int64_t line) const;
  void addTo(Sums &sums, const Sums &values);
  Sums sumStep(size_t step, const std::vector<T> &pivot);
  Totals totalOf(size_t begin, size_t end);

  OrderAttr order;
  ReducedGroups groups;
  unsigned termCount;
  Combinations::Program combine, neutralOf, terms, total;
  Merges merges;
  Combinations::Program finish;
  ArrayRef<T> x;
  MutableArrayRef<HostTensor> results;
  T neutral = 0;
};
} // namespace

/// Returns the addresses of all values and of the counts.
static SmallVector<void *> addressesOf(Totals &totals) {
  SmallVector<void *> addresses;
  for (std::vector<uint64_t> &value : totals.values)
    addresses.push_back(value.data());
  addresses.push_back(totals.counts.data());
  return addresses;
}

// A chain begins with its first total.
void Merges::add(State &sum, const State &value) {
  if (sum.counts.empty()) {
    sum = value;
    return;
  }
  State other = value;
  SmallVector<void *> targets = addressesOf(sum);
  SmallVector<const void *> arguments(targets.begin(), targets.end());
  llvm::append_range(arguments, addressesOf(other));
  merge.run(arguments, ArrayRef(targets).drop_back(), sum.counts.size());
  for (auto [count, more] : llvm::zip_equal(sum.counts, other.counts))
    count += more;
}

template <typename T>
PartReduction<T>::PartReduction(ReductionOpInterface op,
                                const HostTensor &operand,
                                MutableArrayRef<HostTensor> results)
    : order(orderOf(op)),
      groups(operand.getShape(), op.getReducedAxes(), order),
      termCount(op.countTerms()),
      combine(Combinations(op).makeCombine(operand.getElementType())),
      neutralOf(Combinations(op).makeNeutral(operand.getElementType())),
      terms(Combinations(op).makeTerms(operand.getElementType())),
      total(Combinations(op).makeTotal(operand.getElementType())),
      merges(Combinations(op).makeMerge(total.getResultTypes())),
      finish(Combinations(op).makeResults(total.getResultTypes())),
      x(operand.values<T>()), results(results) {}

template <typename T>
std::vector<T> PartReduction<T>::elementsAt(int64_t line) const {
  std::vector<T> elements;
  for (int64_t start : groups.results)
    elements.push_back(x[start + line]);
  return elements;
}

/// Combines sums with other values of all terms.
template <typename T>
void PartReduction<T>::addTo(Sums &sums, const Sums &values) {
  for (auto [sum, value] : llvm::zip_equal(sums, values))
    combine.run({sum.data(), value.data()}, {sum.data()}, sum.size());
}

/// Returns the chains of the terms of a step's lines.
template <typename T>
std::vector<std::vector<T>>
PartReduction<T>::sumStep(size_t step, const std::vector<T> &pivot) {
  Sums sums(termCount, std::vector<T>(pivot.size(), neutral));
  Sums values = sums;
  for (int64_t line : groups.linesOf(step)) {
    SmallVector<void *> targets;
    for (std::vector<T> &value : values)
      targets.push_back(value.data());
    terms.run({elementsAt(line).data(), pivot.data()}, targets, pivot.size());
    addTo(sums, values);
  }
  return sums;
}

/// Returns the total of the part with the steps [begin, end).
template <typename T>
Totals PartReduction<T>::totalOf(size_t begin, size_t end) {
  size_t width = groups.results.size();
  std::vector<T> pivot = begin < end ? elementsAt(groups.linesOf(begin).front())
                                     : std::vector<T>(width);
  Sums sums(termCount, std::vector<T>(width, neutral));
  int64_t count = 0;
  for (size_t step = begin; step < end; ++step) {
    addTo(sums, sumStep(step, pivot));
    count += groups.linesOf(step).size();
  }
  Totals part;
  part.values.assign(total.getResultTypes().size(),
                     std::vector<uint64_t>(width));
  part.counts.assign(width, count);
  SmallVector<const void *> arguments;
  for (std::vector<T> &sum : sums)
    arguments.push_back(sum.data());
  arguments.append({pivot.data(), part.counts.data()});
  SmallVector<void *> targets = addressesOf(part);
  total.run(arguments, ArrayRef(targets).drop_back(), width);
  return part;
}

template <typename T> std::string PartReduction<T>::run() {
  for (const std::string &error :
       {combine.getError(), neutralOf.getError(), terms.getError(),
        total.getError(), merges.getError(), finish.getError()})
    if (!error.empty())
      return error;
  if (groups.hasLineAxes)
    return "expected a reduction with a pivot to keep the last axis, found one "
           "that reduces it";
  neutralOf.run({}, {&neutral}, 1);
  ArrayRef<int64_t> blocks = order.getLines();
  size_t part = blocks.empty() ? SIZE_MAX : blocks[0];
  size_t first = 0;
  NestedChains<Totals, Merges> chain(blocks.drop_front(blocks.empty() ? 0 : 1),
                                     merges);
  do {
    size_t last = first + std::min(part, groups.countSteps() - first);
    chain.add(totalOf(first, last));
    first = last;
  } while (first < groups.countSteps());
  Totals all = chain.finish();
  SmallVector<void *> targets, arguments = addressesOf(all);
  for (HostTensor &result : results)
    targets.push_back(result.data());
  finish.run(SmallVector<const void *>(arguments.begin(), arguments.end()),
             targets, groups.results.size());
  return {};
}

std::string tg::reduceParts(ReductionOpInterface op, const HostTensor &operand,
                            MutableArrayRef<HostTensor> results) {
  std::string error;
  visitFloatType(operand.getElementType(), [&](auto zero) {
    error = PartReduction<decltype(zero)>(op, operand, results).run();
  });
  return error;
}
