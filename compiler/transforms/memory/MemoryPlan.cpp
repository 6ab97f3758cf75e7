//===- MemoryPlan.cpp - the layout of buffers in the arena ----------------===//
#include "compiler/transforms/memory/MemoryPlan.h"
#include "compiler/transforms/memory/MemoryPlacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

using namespace tg;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Returns the bytes that a buffer takes, at least one unit of alignment.
static int64_t paddedBytes(const Lifetime &buffer, int64_t alignment) {
  return std::max<int64_t>(alignment, llvm::alignTo(buffer.bytes, alignment));
}

unsigned tg::countSteps(ArrayRef<Lifetime> buffers) {
  unsigned steps = 0;
  for (const Lifetime &buffer : buffers)
    steps = std::max(steps, buffer.last + 1);
  return steps;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Returns the buffers sorted by a key, the largest first; ties are broken by
/// index.
template <typename Key>
static SmallVector<unsigned> sortedBy(ArrayRef<Lifetime> buffers, Key key) {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto first = key(buffers[a]);
    auto second = key(buffers[b]);
    return first != second ? first > second : a < b;
  });
  return order;
}

static int64_t largestLiveSum(ArrayRef<Lifetime> buffers) {
  // The change of the sum from step to step.
  SmallVector<int64_t> changes(countSteps(buffers) + 1);
  for (const Lifetime &buffer : buffers) {
    changes[buffer.first] += buffer.bytes;
    changes[buffer.last + 1] -= buffer.bytes;
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

  /// Puts a buffer on top. Returns the buffers directly below it: the ones on
  /// top in every step that they share with it. The others lie below one of
  /// these.
  SmallVector<unsigned> stack(unsigned buffer);

private:
  /// Steps up to `last` in which `buffer` is the highest.
  struct Segment {
    unsigned last, buffer;
  };

  /// Splits the segment that spans `step`, so that a segment begins there.
  void splitAt(unsigned step);

  ArrayRef<Lifetime> buffers;
  /// The segments, by first steps.
  std::map<unsigned, Segment> segments;
};
} // namespace

void Skyline::splitAt(unsigned step) {
  auto next = segments.upper_bound(step);
  if (next == segments.begin())
    return;
  auto segment = std::prev(next);
  if (segment->first == step || segment->second.last < step)
    return;
  segments.insert(next, {step, segment->second});
  segment->second.last = step - 1;
}

SmallVector<unsigned> Skyline::stack(unsigned buffer) {
  const Lifetime &life = buffers[buffer];
  SmallVector<unsigned> below;
  splitAt(life.first);
  splitAt(life.last + 1);
  auto segment = segments.lower_bound(life.first);
  while (segment != segments.end() && segment->first <= life.last) {
    const Lifetime &other = buffers[segment->second.buffer];
    if (segment->first == std::max(life.first, other.first) &&
        segment->second.last == std::min(life.last, other.last))
      below.push_back(segment->second.buffer);
    segment = segments.erase(segment);
  }
  segments.insert(segment, {life.first, {life.last, buffer}});
  return below;
}

/// Orders conflicting buffers by offset, and drops relations that follow from
/// others.
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

/// Returns the smallest placement among the given orders; the first one of
/// equal size.
static Placement findPlacement(ArrayRef<Lifetime> buffers, int64_t lowerBound,
                               ArrayRef<SmallVector<unsigned>> orders) {
  Placement best{{}, std::numeric_limits<int64_t>::max()};
  for (PlaceBuffers *place : {&placeBestFit, &placeLowestFirst})
    for (ArrayRef<unsigned> order : orders) {
      if (best.bytes == lowerBound)
        return best;
      if (auto placement = place(buffers, order, best.bytes))
        best = *std::move(placement);
    }
  return best;
}

MemoryPlan tg::planMemory(ArrayRef<Lifetime> buffers, int64_t alignment) {
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
  SmallVector<Lifetime> padded(buffers);
  for (Lifetime &buffer : padded)
    buffer.bytes = paddedBytes(buffer, alignment);
  MemoryPlan plan;
  plan.lowerBound = largestLiveSum(padded);
  Placement placement = findPlacement(padded, plan.lowerBound, orders);
  plan.bytes = placement.bytes;
  relate(padded, placement.offsets, plan);
  return plan;
}
