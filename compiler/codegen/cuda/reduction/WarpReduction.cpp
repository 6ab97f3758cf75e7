//===- WarpReduction.cpp - warps that read lines side by side -------------===//
#include "compiler/codegen/cuda/Exchange.h"
#include "compiler/codegen/cuda/reduction/ReductionEmitters.h"
#include "compiler/codegen/cuda/reduction/SharedTotals.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a kernel whose groups have some warps each. Neighbouring threads of a
/// warp read neighbouring elements of a line, and each thread has the same
/// chains in all steps.
class WarpLines {
public:
  WarpLines(GroupElements &group, const ReductionForm &form);
  void emit();

private:
  void beginTeam();
  void wait();
  Value countWhole(Value begin, Value end, int64_t step);
  bool hasRest(int64_t step) const;
  SmallVector<Value> addSteps(unsigned phase, Accumulators &sums, Value line,
                              Value first, int64_t steps, ValueRange carried);
  SmallVector<Value> addRest(unsigned phase, Accumulators &sums, Value line,
                             Value first, Value end, ValueRange carried);
  SmallVector<Value> sumSteps(unsigned phase, Accumulators &sums, Value line,
                              Value begin, Value end);
  SmallVector<Value> sumLanes(unsigned phase, Accumulators &sums, Value line,
                              Value begin, Value end, bool isShared);
  SmallVector<Value> sumLine(unsigned phase, Accumulators &sums, Value line);
  SmallVector<Value> sumLines(unsigned phase, Accumulators &sums, Value begin,
                              Value end);
  void storeElements(unsigned phase, Value line, Value thread,
                     int64_t threadCount);
  void emitStores(unsigned phase);
  SmallVector<Value> emitPhase(unsigned phase);

  GroupElements &group;
  ThreadFrame &frame;
  LineChains chains;
  unsigned warps, level;
  /// The threads of a warp that have chains.
  unsigned threads;
  /// The number of the thread in its team and in its warp, and of its warp.
  Value member, lane, warp;
  std::unique_ptr<SharedTotals> shared;
};

} // namespace

WarpLines::WarpLines(GroupElements &group, const ReductionForm &form)
    : group(group), frame(group.frame),
      chains(group.plan.getOrder(), group.countElements()), warps(form.warps),
      level(form.level),
      threads(std::min<int64_t>(chains.count(), kWarpThreads)) {}

void WarpLines::beginTeam() {
  unsigned teamThreads = warps * kWarpThreads;
  Thread thread =
      frame.beginTeam(group.countGroups(),
                      {teamThreads, warps == 1 ? kBlockThreads : teamThreads});
  group.setGroup(thread.team);
  member = lane = thread.member;
  IntegerOps ops = frame.integers();
  warp = ops.constant(0);
  if (warps == 1)
    return;
  lane = ops.rem(member, ops.constant(kWarpThreads));
  warp = ops.div(member, ops.constant(kWarpThreads));
  shared =
      std::make_unique<SharedTotals>(frame, warp, warps, lane, kWarpThreads);
}

/// Waits for the other threads of the team, which may still read the memory
/// that this thread writes from here on.
void WarpLines::wait() {
  if (warps == 1)
    Exchange(frame.builder, frame.loc).waitForWarp();
  else
    emitBarrier(frame.builder, frame.loc);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns the end of the last whole step from `begin` on.
Value WarpLines::countWhole(Value begin, Value end, int64_t step) {
  IntegerOps ops = frame.integers();
  return ops.add(begin, ops.roundDown(ops.sub(end, begin), step));
}

/// Returns false if all ranges of a line that are added to accumulators have
/// whole steps of this many elements.
bool WarpLines::hasRest(int64_t step) const {
  return group.countElements().getLargestKnownDivisor() % step != 0 ||
         (!chains.laneBlocks.empty() && chains.laneBlocks[0] % step != 0);
}

/// Adds the elements of some steps to the chains of the thread. `first` is the
/// first of its elements.
SmallVector<Value> WarpLines::addSteps(unsigned phase, Accumulators &sums,
                                       Value line, Value first, int64_t steps,
                                       ValueRange carried) {
  IntegerOps ops = frame.integers();
  size_t width = sums.getTerms().size(), perThread = carried.size() / width;
  SmallVector<Position> positions;
  for (size_t i = 0; i < steps * perThread; ++i)
    positions.push_back(
        group.position(line, ops.add(first, ops.constant(i * threads))));
  SmallVector<Value> next(carried);
  for (auto [number, operands] :
       llvm::enumerate(group.emit(phase, positions))) {
    MutableArrayRef<Value> chain =
        MutableArrayRef(next).slice(number % perThread * width, width);
    llvm::copy(sums.combine(chain, sums.termsOf(operands, /*shifts=*/{})),
               chain.begin());
  }
  return next;
}

/// Adds the elements of the last step, which may end before some chains have
/// one.
SmallVector<Value> WarpLines::addRest(unsigned phase, Accumulators &sums,
                                      Value line, Value first, Value end,
                                      ValueRange carried) {
  size_t width = sums.getTerms().size();
  SmallVector<Value> next;
  for (size_t number = 0; number < carried.size() / width; ++number) {
    IntegerOps ops = frame.integers();
    Value element = ops.add(first, ops.constant(number * threads));
    ValueRange chain = carried.slice(number * width, width);
    Value exists = ops.compare(arith::CmpIPredicate::slt, element, end);
    llvm::append_range(next, buildIf(frame, exists, chain, [&] {
                         return addSteps(phase, sums, line, element,
                                         /*steps=*/1, chain);
                       }));
  }
  return next;
}

/// Returns the sum of the steps of [begin, end), of which each thread has one
/// lane.
SmallVector<Value> WarpLines::sumSteps(unsigned phase, Accumulators &sums,
                                       Value line, Value begin, Value end) {
  IntegerOps ops = frame.integers();
  ChainFold fold(frame, sums, chains, threads);
  int64_t step = chains.count();
  int64_t steps = std::max<int64_t>(
      group.countOverlapped(phase) / fold.countPerThread(), 1);
  if (threads < kWarpThreads) {
    Value hasChain =
        ops.compare(arith::CmpIPredicate::slt, lane, ops.constant(threads));
    end =
        arith::SelectOp::create(frame.builder, frame.loc, hasChain, end, begin);
  }
  SmallVector<Value> sum = sums.neutral(/*lanes=*/1, fold.countPerThread());
  Value position = begin;
  auto addWhole = [&](int64_t count) {
    Value whole = countWhole(position, end, step * count);
    sum = emitCarryLoop(frame, position, whole, step * count, sum,
                        [&](Value first, ValueRange carried) {
                          return addSteps(phase, sums, line,
                                          frame.integers().add(first, lane),
                                          count, carried);
                        });
    position = whole;
  };
  addWhole(steps);
  if (steps > 1 && hasRest(step * steps))
    addWhole(1);
  if (hasRest(step))
    sum = addRest(phase, sums, line, ops.add(position, lane), end, sum);
  return fold.foldAccumulators(sum);
}

/// Returns the sum of a block that becomes one number. If `isShared`, its
/// blocks that fill accumulators are divided among the warps.
SmallVector<Value> WarpLines::sumLanes(unsigned phase, Accumulators &sums,
                                       Value line, Value begin, Value end,
                                       bool isShared) {
  auto build = [&](Value first, Value last) {
    return sumSteps(phase, sums, line, first, last);
  };
  SmallVector<Value> terms =
      isShared ? shared->merge(sums, begin, end, chains.laneBlocks[0], build)
               : sums.nest(begin, end, chains.laneBlocks, /*lanes=*/1, build);
  return ChainFold(frame, sums, chains, threads).foldLanes(terms);
}

/// Returns the sum of a line. If the group has one line, it is divided among
/// the warps.
SmallVector<Value> WarpLines::sumLine(unsigned phase, Accumulators &sums,
                                      Value line) {
  bool isShared = warps > 1 && group.hasSingleLine();
  ArrayRef<int64_t> sizes = chains.numberBlocks;
  auto build = [&](Value begin, Value end) {
    return sumLanes(phase, sums, line, begin, end, isShared && level == 0);
  };
  auto divide = [&](Value begin, Value end) {
    return shared->merge(sums, begin, end, sizes[0], build);
  };
  Value zero = frame.integers().constant(0);
  Value length = frame.extent(group.countElements());
  if (isShared && level == 1)
    return sums.nest(zero, length, sizes.drop_front(), /*lanes=*/1, divide);
  return sums.nest(zero, length, sizes, /*lanes=*/1, build);
}

/// Returns the sum of a block of lines, which are divided among the warps.
SmallVector<Value> WarpLines::sumLines(unsigned phase, Accumulators &sums,
                                       Value begin, Value end) {
  auto build = [&](Value line) { return sumLine(phase, sums, line); };
  if (warps == 1 || group.hasSingleLine())
    return group.sumLines(phase, sums, begin, end, build);
  return shared->merge(sums, begin, end, /*size=*/1,
                       [&](Value first, Value last) {
                         return sums.chain(first, last, /*lanes=*/1, build);
                       });
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Stores the outputs of a line, whose elements `threadCount` threads divide.
void WarpLines::storeElements(unsigned phase, Value line, Value thread,
                              int64_t threadCount) {
  IntegerOps ops = frame.integers();
  Value begin = ops.constant(0), end = frame.extent(group.countElements());
  auto storeFrom = [&](Value first, int64_t count) {
    SmallVector<Position> positions;
    for (int64_t i = 0; i < count; ++i)
      positions.push_back(group.position(
          line, frame.integers().add(
                    first, frame.integers().constant(i * threadCount))));
    group.emit(phase, positions);
    return SmallVector<Value>();
  };
  int64_t batch = group.countOverlapped(phase);
  Value whole = countWhole(begin, end, batch * threadCount);
  emitCarryLoop(frame, begin, whole, batch * threadCount, {},
                [&](Value first, ValueRange) {
                  return storeFrom(frame.integers().add(first, thread), batch);
                });
  if (hasRest(batch * threadCount))
    buildFor(frame.builder, frame.loc, ops.add(whole, thread), end, threadCount,
             [&](Value first) { storeFrom(first, 1); });
}

/// Emits a phase without reductions.
void WarpLines::emitStores(unsigned phase) {
  if (group.hasSingleLine())
    return storeElements(phase, frame.integers().constant(0), member,
                         warps * kWarpThreads);
  buildFor(frame.builder, frame.loc, warp, frame.extent(group.countLines()),
           warps,
           [&](Value line) { storeElements(phase, line, lane, kWarpThreads); });
}

SmallVector<Value> WarpLines::emitPhase(unsigned phase) {
  if (phase > 0 && group.hasStores(phase))
    wait();
  ArrayRef<ReductionOpInterface> reductions = group.plan.getReductions(phase);
  if (reductions.empty()) {
    emitStores(phase);
    return {};
  }
  Accumulators sums(frame, reductions);
  SmallVector<Value> total = sums.nest(
      frame.integers().constant(0), frame.extent(group.lineTiles.getCount()),
      group.lineBlocks(), /*lanes=*/1, [&](Value begin, Value end) {
        return sumLines(phase, sums, begin, end);
      });
  return group.resultsOf(sums, total);
}

void WarpLines::emit() {
  beginTeam();
  group.emitPhases([&](unsigned phase) { return emitPhase(phase); });
  emitByFirst(group, member, [&] { wait(); });
}

void tg::emitWarpReduction(GroupElements &group, const ReductionForm &form) {
  WarpLines(group, form).emit();
}
