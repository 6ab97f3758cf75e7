//===- KeptReduction.cpp - lines in the registers of their threads --------===//
#include "compiler/codegen/cuda/Exchange.h"
#include "compiler/codegen/cuda/reduction/ReductionEmitters.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a kernel whose threads keep the elements of one line each, or of a
/// part of it. The code has no loop: ElementEmitter computes each value once
/// for each position, in whichever phase needs it first.
class KeptLine {
public:
  KeptLine(GroupElements &group, unsigned threads);
  void emit();

private:
  using Element = GroupElements::Element;
  void beginTeam();
  void findPositions();
  void store(ArrayRef<Element> line, unsigned phase);
  SmallVector<Value> sum(Accumulators &sums, ArrayRef<Element> line);
  SmallVector<Value> emitPhase(unsigned phase);

  GroupElements &group;
  ThreadFrame &frame;
  LineChains chains;
  int64_t length;
  unsigned threads;
  /// The number of the thread in its team.
  Value member;
  /// The elements of the thread.
  SmallVector<Position> positions;
  /// True if the last position is in the line; null if it always is.
  Value hasLast;
};

} // namespace

KeptLine::KeptLine(GroupElements &group, unsigned threads)
    : group(group), frame(group.frame),
      chains(group.plan.getOrder(), group.countElements()),
      length(*staticExtent(group.countElements())), threads(threads) {}

void KeptLine::beginTeam() {
  Thread thread = frame.beginTeam(group.countGroups(), {threads});
  group.setGroup(thread.team);
  member = thread.member;
}

/// Computes the positions of the thread's elements. Beyond the end it is the
/// one before, or the first one of the line.
void KeptLine::findPositions() {
  IntegerOps ops = frame.integers();
  Value zero = ops.constant(0), previous = zero;
  for (int64_t first = 0; first < length; first += threads) {
    Value element = ops.add(member, ops.constant(first));
    if (first + threads > length) {
      hasLast =
          ops.compare(arith::CmpIPredicate::slt, element, ops.constant(length));
      element = arith::SelectOp::create(frame.builder, frame.loc, hasLast,
                                        element, previous);
    }
    positions.push_back(group.position(zero, element));
    previous = element;
  }
}

void KeptLine::store(ArrayRef<Element> line, unsigned phase) {
  if (!group.hasStores(phase))
    return;
  // Other threads may have read elements of this one: the first of the line, or
  // those of an argument whose memory an output overwrites.
  if (threads > 1)
    Exchange(frame.builder, frame.loc).waitForWarp();
  for (const Element &element : hasLast ? line.drop_back() : line)
    group.store(element);
  if (hasLast)
    buildIf(frame, hasLast, [&] { group.store(line.back()); });
}

/// Returns the sum of the line.
SmallVector<Value> KeptLine::sum(Accumulators &sums, ArrayRef<Element> line) {
  ChainFold fold(frame, sums, chains, threads);
  unsigned perThread = fold.countPerThread();
  size_t width = sums.getTerms().size();
  SmallVector<Value> sum = sums.neutral(/*lanes=*/1, perThread);
  for (auto [number, element] : llvm::enumerate(line)) {
    SmallVector<Value> terms = sums.termsOf(element.operands, /*shifts=*/{});
    if (hasLast && number + 1 == line.size())
      for (auto [term, none] : llvm::zip_equal(terms, sums.neutral(1)))
        term = arith::SelectOp::create(frame.builder, frame.loc, hasLast, term,
                                       none);
    MutableArrayRef<Value> chain =
        MutableArrayRef(sum).slice(number % perThread * width, width);
    llvm::copy(sums.combine(chain, terms), chain.begin());
  }
  return fold.foldLanes(fold.foldAccumulators(sum));
}

SmallVector<Value> KeptLine::emitPhase(unsigned phase) {
  auto line = llvm::map_to_vector(positions, [&](const Position &position) {
    return group.compute(phase, position);
  });
  store(line, phase);
  if (group.plan.getReductions(phase).empty())
    return {};
  Accumulators sums(frame, group.plan.getReductions(phase));
  return group.resultsOf(sums, sum(sums, line));
}

void KeptLine::emit() {
  beginTeam();
  findPositions();
  group.emitPhases([&](unsigned phase) { return emitPhase(phase); });
  if (threads == 1)
    return group.emitReducedOutputs();
  emitByFirst(group, member,
              [&] { Exchange(frame.builder, frame.loc).waitForWarp(); });
}

void tg::emitKeptReduction(GroupElements &group, const ReductionForm &form) {
  KeptLine(group, form.threads).emit();
}
