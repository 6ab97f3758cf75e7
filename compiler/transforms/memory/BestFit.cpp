//===- BestFit.cpp - best-fit placement of buffers ------------------------===//
#include "compiler/transforms/memory/MemoryPlacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace tg;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The number of visited ranges, on average per buffer, above which the search
/// is given up. Real programs need some dozens. Buffers of random sizes and
/// lifetimes leave about one gap per buffer, so each search visits a number of
/// ranges proportional to the number of buffers.
static constexpr int64_t kRangesPerBuffer = 512;

namespace {
/// A range of bytes, from one offset to another.
struct Range {
  int64_t low, high;
};

/// Disjoint ranges in order. Adjacent ranges are merged.
class RangeList {
public:
  void add(Range range);
  void add(const RangeList &other);
  ArrayRef<Range> get() const { return ranges; }

private:
  std::vector<Range> ranges;
};

/// The taken bytes of each step: a segment tree over the steps. Node n spans
/// the steps of its children 2n and 2n + 1.
class TakenBytes {
public:
  explicit TakenBytes(unsigned steps)
      : leaves(llvm::PowerOf2Ceil(std::max(steps, 1u))), throughout(2 * leaves),
        somewhere(2 * leaves) {}

  void add(const Lifetime &buffer, Range range);
  /// Returns the ranges taken in any of the steps in which `buffer` is live.
  /// Adds the number of visited ranges to `work`.
  RangeList findWhile(const Lifetime &buffer, int64_t &work) const;

private:
  /// Visits the largest nodes that together span the lifetime.
  template <typename Visit>
  void visitSpan(const Lifetime &buffer, Visit visit) const;
  /// Visits all nodes that span the first or the last step of the lifetime,
  /// from the leaves up to the root.
  template <typename Visit>
  void visitEnds(const Lifetime &buffer, Visit visit) const;

  unsigned leaves;
  /// For each node, ranges of buffers that are live in all of its steps, and
  /// ranges of buffers that are live in some. A buffer is in `throughout` only
  /// at the nodes of visitSpan(), and in `somewhere` at these and at the nodes
  /// of visitEnds().
  std::vector<RangeList> throughout, somewhere;
};
} // namespace

void RangeList::add(Range range) {
  auto begin = llvm::partition_point(
      ranges, [&](const Range &other) { return other.high < range.low; });
  auto end = begin;
  for (; end != ranges.end() && end->low <= range.high; ++end) {
    range.low = std::min(range.low, end->low);
    range.high = std::max(range.high, end->high);
  }
  if (begin == end) {
    ranges.insert(begin, range);
    return;
  }
  *begin = range;
  ranges.erase(begin + 1, end);
}

/// Drops the ranges of a list that end within `range`. If the next range begins
/// within `range`, extends `range` to its end and returns true.
static bool extend(Range &range, ArrayRef<Range> &list) {
  if (!list.empty() && list.front().high <= range.high)
    list = list.drop_front(
        llvm::partition_point(
            list, [&](Range other) { return other.high <= range.high; }) -
        list.begin());
  if (list.empty() || list.front().low > range.high)
    return false;
  range.high = list.front().high;
  return true;
}

void RangeList::add(const RangeList &other) {
  ArrayRef<Range> mine = ranges, others = other.ranges;
  if (others.empty())
    return;
  std::vector<Range> both;
  while (!mine.empty() || !others.empty()) {
    bool isMine = others.empty() ||
                  (!mine.empty() && mine.front().low < others.front().low);
    Range range = isMine ? mine.front() : others.front();
    while (extend(range, mine) || extend(range, others)) {
    }
    both.push_back(range);
  }
  ranges = std::move(both);
}

template <typename Visit>
void TakenBytes::visitSpan(const Lifetime &buffer, Visit visit) const {
  unsigned begin = leaves + buffer.first, end = leaves + buffer.last + 1;
  for (; begin < end; begin /= 2, end /= 2) {
    if (begin % 2)
      visit(begin++);
    if (end % 2)
      visit(--end);
  }
}

template <typename Visit>
void TakenBytes::visitEnds(const Lifetime &buffer, Visit visit) const {
  unsigned left = leaves + buffer.first, right = leaves + buffer.last;
  for (; left != right; left /= 2, right /= 2) {
    visit(left);
    visit(right);
  }
  for (; left > 0; left /= 2)
    visit(left);
}

void TakenBytes::add(const Lifetime &buffer, Range range) {
  visitSpan(buffer, [&](unsigned node) {
    throughout[node].add(range);
    somewhere[node].add(range);
  });
  visitEnds(buffer, [&](unsigned node) { somewhere[node].add(range); });
}

RangeList TakenBytes::findWhile(const Lifetime &buffer, int64_t &work) const {
  RangeList found;
  auto add = [&](const RangeList &ranges) {
    work += found.get().size() + ranges.get().size();
    found.add(ranges);
  };
  visitSpan(buffer, [&](unsigned node) { add(somewhere[node]); });
  visitEnds(buffer, [&](unsigned node) { add(throughout[node]); });
  return found;
}

std::optional<Placement> tg::placeBestFit(ArrayRef<Lifetime> buffers,
                                          ArrayRef<unsigned> order,
                                          int64_t limit) {
  Placement placement{SmallVector<int64_t>(buffers.size()), 0};
  TakenBytes taken(countSteps(buffers));
  int64_t work = 0;
  for (unsigned buffer : order) {
    int64_t size = buffers[buffer].bytes;
    int64_t end = 0, best = -1;
    int64_t bestGap = std::numeric_limits<int64_t>::max();
    RangeList ranges = taken.findWhile(buffers[buffer], work);
    if (work > kRangesPerBuffer * int64_t(buffers.size()))
      return std::nullopt;
    for (const Range &range : ranges.get()) {
      if (range.low - end >= size && range.low - end < bestGap) {
        best = end;
        bestGap = range.low - end;
      }
      end = std::max(end, range.high);
    }
    int64_t offset = best >= 0 ? best : end;
    placement.offsets[buffer] = offset;
    placement.bytes = std::max(placement.bytes, offset + size);
    if (placement.bytes >= limit)
      return std::nullopt;
    taken.add(buffers[buffer], {offset, offset + size});
  }
  return placement;
}
