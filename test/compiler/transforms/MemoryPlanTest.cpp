//===- MemoryPlanTest.cpp - buffers in the arena --------------------------===//
#include "compiler/transforms/memory/MemoryPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace tg;

namespace {

constexpr int64_t kAlignment = 64;

bool conflict(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

int64_t sizeOf(const Lifetime &buffer) {
  return std::max(kAlignment, int64_t(llvm::alignTo(buffer.bytes, kAlignment)));
}

std::vector<Lifetime> makeBuffers(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Lifetime> buffers;
  unsigned count = 1 + random() % 40;
  unsigned steps = 1 + random() % 30;
  for (unsigned number = 0; number < count; ++number) {
    unsigned first = random() % steps;
    unsigned last = first + random() % (steps - first);
    buffers.push_back({first, last, int64_t(random() % 1000)});
  }
  return buffers;
}

/// Computes the offsets as a library does: each buffer lies directly above the
/// buffers that the plan lists for it.
std::vector<int64_t> stack(llvm::ArrayRef<Lifetime> buffers,
                           const MemoryPlan &plan) {
  std::vector<int64_t> offsets(buffers.size());
  for (unsigned buffer : plan.order)
    for (unsigned lower : plan.above[buffer])
      offsets[buffer] =
          std::max(offsets[buffer], offsets[lower] + sizeOf(buffers[lower]));
  return offsets;
}

/// Computes the peak of a best-fit placement that compares each buffer with
/// every buffer placed before it.
int64_t findPeak(llvm::ArrayRef<Lifetime> buffers,
                 llvm::ArrayRef<unsigned> order) {
  std::vector<std::pair<Lifetime, int64_t>> placed;
  int64_t peak = 0;
  for (unsigned buffer : order) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (auto &[other, offset] : placed)
      if (conflict(buffers[buffer], other))
        taken.push_back({offset, offset + sizeOf(other)});
    llvm::sort(taken);
    int64_t size = sizeOf(buffers[buffer]);
    int64_t end = 0;
    int64_t best = -1;
    int64_t bestGap = std::numeric_limits<int64_t>::max();
    for (auto [low, high] : taken) {
      if (low - end >= size && low - end < bestGap) {
        best = end;
        bestGap = low - end;
      }
      end = std::max(end, high);
    }
    int64_t offset = best >= 0 ? best : end;
    placed.push_back({buffers[buffer], offset});
    peak = std::max(peak, offset + size);
  }
  return peak;
}

/// Returns the buffer numbers by size, largest first.
std::vector<unsigned> orderBySize(llvm::ArrayRef<Lifetime> buffers) {
  std::vector<unsigned> order(buffers.size());
  for (unsigned number = 0; number < order.size(); ++number)
    order[number] = number;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });
  return order;
}

} // namespace

TEST(MemoryPlan, NothingNeedsNothing) {
  MemoryPlan plan = planMemory({}, kAlignment);
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_EQ(plan.lowerBound, 0);
}

TEST(MemoryPlan, LivesThatDoNotMeetShareBytes) {
  MemoryPlan plan =
      planMemory({{0, 1, 100}, {2, 3, 100}, {1, 2, 64}}, kAlignment);
  EXPECT_EQ(plan.bytes, 192);
  EXPECT_EQ(plan.lowerBound, 192);
}

/// Buffers that are live at the same time never overlap, whatever sizes a run
/// has.
TEST(MemoryPlan, BuffersThatLiveTogetherLieApart) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::vector<Lifetime> buffers = makeBuffers(seed);
    MemoryPlan plan = planMemory(buffers, kAlignment);
    for (bool isOther : {false, true}) {
      if (isOther)
        for (auto [number, buffer] : llvm::enumerate(buffers))
          buffer.bytes = (number * 7919) % 500;
      std::vector<int64_t> offsets = stack(buffers, plan);
      for (unsigned a = 0; a < buffers.size(); ++a)
        for (unsigned b = 0; b < a; ++b)
          EXPECT_TRUE(!conflict(buffers[a], buffers[b]) ||
                      offsets[a] + sizeOf(buffers[a]) <= offsets[b] ||
                      offsets[b] + sizeOf(buffers[b]) <= offsets[a])
              << "buffers " << a << " and " << b << " of seed " << seed;
    }
  }
}

/// The plan lists a buffer below another only if no third buffer lies between
/// them.
TEST(MemoryPlan, NamesNoBufferBelowAnother) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::vector<Lifetime> buffers = makeBuffers(seed);
    MemoryPlan plan = planMemory(buffers, kAlignment);
    for (auto [position, buffer] : llvm::enumerate(plan.order))
      for (unsigned lower : plan.above[buffer])
        for (unsigned other : llvm::ArrayRef(plan.order).take_front(position))
          EXPECT_FALSE(llvm::is_contained(plan.above[other], lower) &&
                       conflict(buffers[other], buffers[buffer]))
              << "buffers " << buffer << ", " << other << " and " << lower
              << " of seed " << seed;
  }
}

/// Lifetimes of all lengths leave more gaps than the planner compares one by
/// one.
TEST(MemoryPlan, ManyGapsStayNearTheBound) {
  std::mt19937 random(1);
  constexpr unsigned kCount = 2000;
  for (auto [length, percent] : {std::pair(kCount, 5u), std::pair(100u, 10u)}) {
    std::vector<Lifetime> buffers;
    for (unsigned number = 0; number < kCount; ++number) {
      unsigned last = number + random() % std::min(length, kCount - number);
      buffers.push_back({number, last, int64_t(random() % 100000)});
    }
    MemoryPlan plan = planMemory(buffers, kAlignment);
    EXPECT_LE(plan.bytes, plan.lowerBound + plan.lowerBound / 100 * percent);
    std::vector<int64_t> offsets = stack(buffers, plan);
    for (unsigned a = 0; a < buffers.size(); ++a) {
      EXPECT_LE(offsets[a] + sizeOf(buffers[a]), plan.bytes);
      for (unsigned b = 0; b < a; ++b)
        EXPECT_TRUE(!conflict(buffers[a], buffers[b]) ||
                    offsets[a] + sizeOf(buffers[a]) <= offsets[b] ||
                    offsets[b] + sizeOf(buffers[b]) <= offsets[a]);
    }
  }
}

TEST(MemoryPlan, IsNoWorseThanBestFitBySize) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::vector<Lifetime> buffers = makeBuffers(seed);
    MemoryPlan plan = planMemory(buffers, kAlignment);
    EXPECT_LE(plan.bytes, findPeak(buffers, orderBySize(buffers)));
    EXPECT_GE(plan.bytes, plan.lowerBound);
    int64_t peak = 0;
    for (auto [offset, buffer] : llvm::zip(stack(buffers, plan), buffers))
      peak = std::max(peak, offset + sizeOf(buffer));
    EXPECT_LE(peak, plan.bytes);
  }
}
