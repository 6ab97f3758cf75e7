//===- MemoryPlan.cpp - where buffers lie in the arena --------------------===//
#include "compiler/transforms/MemoryPlan.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace tg;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr int64_t kAlignment = 64;

static int64_t sizeOf(const Lifetime &buffer) {
  return std::max<int64_t>(kAlignment,
                           llvm::alignTo(buffer.bytes, kAlignment));
}

static bool conflict(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Places the buffers in the given order, each in the smallest gap that it
/// fits, else on top. Returns offsets; `peak` is the end of the highest.
static SmallVector<int64_t> place(ArrayRef<Lifetime> buffers,
                                  ArrayRef<unsigned> order, int64_t &peak) {
  SmallVector<int64_t> offsets(buffers.size(), -1);
  peak = 0;
  for (unsigned buffer : order) {
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (unsigned other = 0; other < buffers.size(); ++other)
      if (offsets[other] >= 0 && conflict(buffers[buffer], buffers[other]))
        taken.push_back(
            {offsets[other], offsets[other] + sizeOf(buffers[other])});
    llvm::sort(taken);
    int64_t size = sizeOf(buffers[buffer]), end = 0, best = -1;
    int64_t bestGap = std::numeric_limits<int64_t>::max();
    for (auto [low, high] : taken) {
      if (low - end >= size && low - end < bestGap) {
        best = end;
        bestGap = low - end;
      }
      end = std::max(end, high);
    }
    offsets[buffer] = best >= 0 ? best : end;
    peak = std::max(peak, offsets[buffer] + size);
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

static int64_t largestLiveSum(ArrayRef<Lifetime> buffers) {
  int64_t largest = 0;
  for (const Lifetime &at : buffers) {
    int64_t sum = 0;
    for (const Lifetime &buffer : buffers)
      if (buffer.first <= at.first && at.first <= buffer.last)
        sum += sizeOf(buffer);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Orders conflicting buffers by offset and drops what follows from the rest.
static void relate(ArrayRef<Lifetime> buffers, ArrayRef<int64_t> offsets,
                   MemoryPlan &plan) {
  unsigned count = buffers.size();
  plan.order = llvm::to_vector(llvm::seq<unsigned>(0, count));
  llvm::sort(plan.order, [&](unsigned a, unsigned b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  plan.above.resize(count);
  SmallVector<llvm::BitVector> below(count, llvm::BitVector(count));
  for (auto [position, buffer] : llvm::enumerate(plan.order)) {
    // Nearest first: what lies below a buffer already found is implied.
    for (unsigned other :
         llvm::reverse(ArrayRef(plan.order).take_front(position))) {
      if (!conflict(buffers[buffer], buffers[other]) || below[buffer][other])
        continue;
      plan.above[buffer].push_back(other);
      below[buffer] |= below[other];
      below[buffer].set(other);
    }
  }
}

MemoryPlan tg::planMemory(ArrayRef<Lifetime> buffers) {
  MemoryPlan plan;
  plan.lowerBound = largestLiveSum(buffers);
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
    SmallVector<int64_t> offsets = place(buffers, order, peak);
    if (peak < plan.bytes) {
      plan.bytes = peak;
      best = offsets;
    }
  }
  relate(buffers, best, plan);
  return plan;
}
