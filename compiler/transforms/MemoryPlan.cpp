//===- MemoryPlan.cpp - where buffers lie in the arena --------------------===//
#include "compiler/transforms/MemoryPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

using namespace tg;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The bytes that a buffer takes, at least one unit.
static int64_t paddedBytes(const Lifetime &buffer, int64_t alignment) {
  return std::max<int64_t>(alignment, llvm::alignTo(buffer.bytes, alignment));
}

/// The steps of all buffers.
static unsigned countSteps(ArrayRef<Lifetime> buffers) {
  unsigned steps = 0;
  for (const Lifetime &buffer : buffers)
    steps = std::max(steps, buffer.last + 1);
  return steps;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

namespace {
/// Bytes from one offset to another.
struct Range {
  int64_t low, high;
};

/// Disjoint ranges in order; those that touch are one.
class RangeList {
public:
  void add(Range range);
  void add(const RangeList &other);
  ArrayRef<Range> get() const { return ranges; }

private:
  std::vector<Range> ranges;
};

/// Which bytes are taken in which steps: a segment tree over the steps, in
/// which node n spans those of its children 2n and 2n + 1.
class TakenBytes {
public:
  explicit TakenBytes(unsigned steps)
      : leaves(llvm::PowerOf2Ceil(std::max(steps, 1u))), throughout(2 * leaves),
        somewhere(2 * leaves) {}

  void add(const Lifetime &buffer, Range range);
  /// What is taken in one of the steps in which `buffer` is live.
  RangeList findWhile(const Lifetime &buffer) const;

private:
  /// The largest nodes that together span the lifetime.
  template <typename Visit>
  void visitSpan(const Lifetime &buffer, Visit visit) const;
  /// The nodes that span the first or the last step of the lifetime.
  template <typename Visit>
  void visitEnds(const Lifetime &buffer, Visit visit) const;

  unsigned leaves;
  /// Per node, the ranges of buffers that are live in all of its steps, and
  /// of those that are live in some.
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

/// Drops the ranges of a list that end within `range`, the rest of which may
/// begin in it; lets it reach to the end of one that does. False if none does.
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

RangeList TakenBytes::findWhile(const Lifetime &buffer) const {
  RangeList found;
  visitSpan(buffer, [&](unsigned node) { found.add(somewhere[node]); });
  visitEnds(buffer, [&](unsigned node) { found.add(throughout[node]); });
  return found;
}

/// Places the buffers in the given order, each in the smallest gap that it
/// fits, else on top. Returns offsets; `peak` is the end of the highest.
static SmallVector<int64_t> place(ArrayRef<Lifetime> buffers,
                                  ArrayRef<unsigned> order, int64_t alignment,
                                  int64_t &peak) {
  SmallVector<int64_t> offsets(buffers.size());
  TakenBytes taken(countSteps(buffers));
  peak = 0;
  for (unsigned buffer : order) {
    int64_t size = paddedBytes(buffers[buffer], alignment);
    int64_t end = 0, best = -1;
    int64_t bestGap = std::numeric_limits<int64_t>::max();
    RangeList ranges = taken.findWhile(buffers[buffer]);
    for (const Range &range : ranges.get()) {
      if (range.low - end >= size && range.low - end < bestGap) {
        best = end;
        bestGap = range.low - end;
      }
      end = std::max(end, range.high);
    }
    int64_t offset = best >= 0 ? best : end;
    offsets[buffer] = offset;
    peak = std::max(peak, offset + size);
    taken.add(buffers[buffer], {offset, offset + size});
  }
  return offsets;
}

/// Buffers sorted by a key, the largest first; equal keys by number.
template <typename Key>
static SmallVector<unsigned> sortedBy(ArrayRef<Lifetime> buffers, Key key) {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto first = key(buffers[a]), second = key(buffers[b]);
    return first != second ? first > second : a < b;
  });
  return order;
}

static int64_t largestLiveSum(ArrayRef<Lifetime> buffers, int64_t alignment) {
  // By how much the sum changes from step to step.
  SmallVector<int64_t> changes(countSteps(buffers) + 1);
  for (const Lifetime &buffer : buffers) {
    int64_t size = paddedBytes(buffer, alignment);
    changes[buffer.first] += size;
    changes[buffer.last + 1] -= size;
  }
  int64_t sum = 0, largest = 0;
  for (int64_t change : changes)
    largest = std::max(largest, sum += change);
  return largest;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

namespace {
/// The highest buffer of each step while buffers are stacked.
class Skyline {
public:
  explicit Skyline(ArrayRef<Lifetime> buffers) : buffers(buffers) {}

  /// Puts a buffer on top. Returns those that it lies directly above: seen from
  /// it in every step that they share. The others lie below one of these.
  SmallVector<unsigned> stack(unsigned buffer);

private:
  struct Part {
    unsigned last, buffer;
  };

  /// Lets a part begin with `step`, where one spans it.
  void splitAt(unsigned step);

  ArrayRef<Lifetime> buffers;
  /// By first steps.
  std::map<unsigned, Part> parts;
};
} // namespace

void Skyline::splitAt(unsigned step) {
  auto next = parts.upper_bound(step);
  if (next == parts.begin())
    return;
  auto part = std::prev(next);
  if (part->first == step || part->second.last < step)
    return;
  parts.insert(next, {step, part->second});
  part->second.last = step - 1;
}

SmallVector<unsigned> Skyline::stack(unsigned buffer) {
  const Lifetime &life = buffers[buffer];
  SmallVector<unsigned> below;
  splitAt(life.first);
  splitAt(life.last + 1);
  auto part = parts.lower_bound(life.first);
  while (part != parts.end() && part->first <= life.last) {
    const Lifetime &other = buffers[part->second.buffer];
    if (part->first == std::max(life.first, other.first) &&
        part->second.last == std::min(life.last, other.last))
      below.push_back(part->second.buffer);
    part = parts.erase(part);
  }
  parts.insert(part, {life.first, {life.last, buffer}});
  return below;
}

/// Orders conflicting buffers by offset and drops what follows from the rest.
static void relate(ArrayRef<Lifetime> buffers, ArrayRef<int64_t> offsets,
                   MemoryPlan &plan) {
  plan.order = llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::sort(plan.order, [&](unsigned a, unsigned b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  plan.above.resize(buffers.size());
  Skyline skyline(buffers);
  for (unsigned buffer : plan.order)
    plan.above[buffer] = skyline.stack(buffer);
}

MemoryPlan tg::planMemory(ArrayRef<Lifetime> buffers, int64_t alignment) {
  MemoryPlan plan;
  plan.lowerBound = largestLiveSum(buffers, alignment);
  SmallVector<SmallVector<unsigned>> orders = {
      sortedBy(buffers, [](const Lifetime &b) { return b.bytes; }),
      sortedBy(buffers,
               [](const Lifetime &b) {
                 return double(b.bytes) * (b.last - b.first + 1);
               }),
      sortedBy(buffers, [](const Lifetime &b) { return -int64_t(b.first); }),
      sortedBy(buffers, [](const Lifetime &b) {
        return int64_t(b.last) - int64_t(b.first);
      })};
  SmallVector<int64_t> best;
  plan.bytes = std::numeric_limits<int64_t>::max();
  for (ArrayRef<unsigned> order : orders) {
    int64_t peak;
    SmallVector<int64_t> offsets = place(buffers, order, alignment, peak);
    if (peak < plan.bytes) {
      plan.bytes = peak;
      best = offsets;
    }
  }
  relate(buffers, best, plan);
  return plan;
}
