//===- RowBlocks.cpp - the blocks of steps of a line ----------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/cpu/reduction/RowPass.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// Replaces accumulator `index` by its combination with `operands`. There may
/// be no accumulators, if there are no reductions.
static void addTo(Accumulators &sums, SmallVectorImpl<Value> &accumulators,
                  unsigned index, ValueRange operands) {
  size_t terms = operands.size();
  SmallVector<Value> combined = sums.combine(
      ArrayRef(accumulators).slice(index * terms, terms), operands);
  llvm::copy(combined, accumulators.begin() + index * terms);
}

/// Returns the number of vectors of a step whose accumulators fit in registers
/// next to the elements.
unsigned RowPass::countAtOnce() const {
  int64_t bytes = 0;
  for (ReductionOpInterface reduction : reductions)
    bytes +=
        row.lanes * elementBytes(getElementTypeOrSelf(reduction->getResult(0)));
  int64_t registers = llvm::divideCeil(bytes, frame.target.vectorBytes);
  unsigned atOnce = copies;
  while (atOnce > 1 && atOnce * registers > tuning::kRowSumPercent *
                                                frame.target.vectorRegisters /
                                                100)
    atOnce /= 2;
  return atOnce;
}

/// Emits the whole steps of a range: a loop over all steps for some of the
/// vectors of a step, then for the next ones.
SmallVector<Value> RowPass::emitSteps(const Range &range,
                                      ValueRange accumulators) {
  IntegerOps ops = frame.integers();
  unsigned atOnce = countAtOnce();
  size_t width = atOnce * reductions.size();
  SmallVector<Value> results;
  for (unsigned first = 0; first < copies; first += atOnce) {
    auto build = [&](Value column, ValueRange carried) {
      SmallVector<Value> next(carried);
      for (unsigned copy = 0; copy < atOnce; ++copy) {
        int64_t shift = int64_t(first + copy) * row.lanes;
        Value begin = ops.add(column, ops.constant(shift));
        addTo(sums, next, copy, emitVector(range, begin));
      }
      return next;
    };
    ValueRange own = accumulators.drop_front(results.size());
    llvm::append_range(
        results,
        emitCarryLoop(frame, range.begin, range.end, stepElements(),
                      own.take_front(std::min(width, own.size())), build));
  }
  return results;
}

/// Emits the last `count` elements of a line, fewer than a step has. Its whole
/// vectors are added to the first accumulators, and its last, partial vector to
/// the next one.
SmallVector<Value> RowPass::emitKnownRest(const Range &range, int64_t count,
                                          ValueRange accumulators) {
  IntegerOps ops = frame.integers();
  SmallVector<Value> next(accumulators);
  unsigned copy = 0;
  for (; count > 0; ++copy, count -= row.lanes) {
    int64_t shift = int64_t(copy) * row.lanes;
    Value column = ops.add(range.begin, ops.constant(shift));
    addTo(sums, next, copy,
          count >= row.lanes ? emitVector(range, column)
                             : emitMasked(range, column, row.lastMask));
  }
  return next;
}

/// Emits the last elements of a line if their number is not known. A loop
/// visits their vectors from the last one to the first one, and moves each
/// vector to the place of its accumulator: so there is code for one vector.
SmallVector<Value> RowPass::emitAnyRest(const Range &range,
                                        ValueRange accumulators) {
  IntegerOps ops = frame.integers();
  OpBuilder &builder = frame.builder;
  Value lanes = ops.constant(row.lanes);
  Value vectors = ops.ceilDiv(ops.sub(range.end, range.begin), lanes);
  auto build = [&](Value index, ValueRange moved) {
    Value vector = ops.sub(ops.sub(vectors, ops.constant(1)), index);
    Value column = ops.add(range.begin, ops.mul(vector, lanes));
    Value count = ops.min(ops.sub(range.end, column), lanes);
    // A vector of one lane is whole.
    SmallVector<Value> next =
        row.lanes == 1
            ? emitVector(range, column)
            : emitMasked(range, column,
                         buildMask(builder, frame.loc, ops.constant(0), count,
                                   row.lanes));
    llvm::append_range(next, moved.drop_back(reductions.size()));
    return next;
  };
  Value zero = ops.constant(0);
  if (reductions.empty()) {
    buildFor(builder, frame.loc, zero, vectors, 1,
             [&](Value index) { build(index, {}); });
    return {};
  }
  SmallVector<Value> moved = buildFor(builder, frame.loc, zero, vectors, 1,
                                      sums.neutral(row.lanes, copies), build);
  return sums.combine(accumulators, moved);
}

/// Emits the elements of a range after its last whole step. Only the last block
/// of a line has any.
SmallVector<Value> RowPass::emitRest(const Range &range,
                                     ValueRange accumulators) {
  std::optional<int64_t> rest = countRest();
  if (rest == 0)
    return accumulators;
  OpBuilder &builder = frame.builder;
  Value any = frame.integers().compare(arith::CmpIPredicate::slt, range.begin,
                                       range.end);
  auto emit = [&] {
    return rest ? emitKnownRest(range, *rest, accumulators)
                : emitAnyRest(range, accumulators);
  };
  if (std::optional<int64_t> known = constantNumber(any))
    return *known ? emit() : SmallVector<Value>(accumulators);
  auto branch =
      scf::IfOp::create(builder, frame.loc, TypeRange(accumulators), any,
                        /*withElseRegion=*/!accumulators.empty());
  OpBuilder::InsertionGuard guard(builder);
  if (accumulators.empty()) {
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    return emit();
  }
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, frame.loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, frame.loc, accumulators);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Emits a block of steps and returns one vector for each reduction.
SmallVector<Value> RowPass::emitBlock(Value begin, Value end) {
  IntegerOps ops = frame.integers();
  unsigned used = copies;
  // Accumulators that get no element change no bit.
  if (std::optional<int64_t> count = constantNumber(ops.sub(end, begin)))
    used = std::clamp<int64_t>(llvm::divideCeil(*count, row.lanes), 1, copies);
  auto emitRange = [&](Range range, ValueRange carried) {
    Value last = range.end;
    Value size = ops.sub(range.end, range.begin);
    if (countRest() != 0)
      range.end = ops.add(range.begin, ops.roundDown(size, stepElements()));
    SmallVector<Value> next = emitSteps(range, carried);
    return emitRest({range.end, last, range.buffered}, next);
  };
  SmallVector<Value> accumulators = sums.neutral(row.lanes, used);
  if (!row.isDivided())
    return sums.foldInterleaved(emitRange({begin, end, {}}, accumulators));
  int64_t size = bufferedElements(row);
  auto emitBuffered = [&](Value first, ValueRange carried) {
    Value last = ops.min(end, ops.add(first, ops.constant(size)));
    emitDivided(first, last, /*buffers=*/true);
    return emitRange({first, last, first}, carried);
  };
  std::optional<int64_t> count = constantNumber(ops.sub(end, begin));
  if (count && *count <= size)
    return sums.foldInterleaved(emitBuffered(begin, accumulators));
  return sums.foldInterleaved(buildFor(frame.builder, frame.loc, begin, end,
                                       size, accumulators, emitBuffered));
}
