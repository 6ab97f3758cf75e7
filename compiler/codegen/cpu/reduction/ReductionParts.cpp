//===- ReductionParts.cpp - reductions that are split over several tiles --===//
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/cpu/Tuning.h"

using namespace mlir;
using namespace tg;

Value ReductionParts::chooseCount(IntegerOps ops, Value elements, Value tiles) {
  Value one = ops.constant(1);
  Value worthwhile = ops.div(elements, ops.constant(tuning::kPartElements));
  Value available =
      ops.div(ops.constant(tuning::kMaxParts), ops.max(one, tiles));
  return ops.max(one, ops.min(worthwhile, available));
}

ReductionParts::ReductionParts(KernelFrame &frame,
                               ArrayRef<ReductionOpInterface> reductions,
                               Value count, Value groups, Size parts,
                               Size results)
    : frame(frame), sums(frame, reductions), count(count), groups(groups) {
  if (!isSplit())
    return;
  SmallVector<AffineExpr> bytes, limits;
  SmallVector<Type> types;
  auto add = [&](Type type, const Size &size) {
    types.push_back(type);
    bytes.push_back(size.needed * elementBytes(type));
    limits.push_back(size.maximum * elementBytes(type));
  };
  for (ReductionOpInterface reduction : sums.getTerms())
    add(getElementTypeOrSelf(reduction->getResult(0)), results);
  if (sums.usesShifts())
    add(frame.builder.getI64Type(), parts);
  for (auto [type, pointer] :
       llvm::zip_equal(types, frame.takePartials(bytes, limits)))
    memory.push_back({pointer, type});
  if (sums.usesShifts())
    counts = memory.pop_back_val();
}

Value ReductionParts::hasOnePart() {
  IntegerOps ops = frame.integers();
  return ops.compare(arith::CmpIPredicate::eq, count, ops.constant(1));
}

void ReductionParts::emit(Value tiles, function_ref<void()> reduce,
                          function_ref<void()> finish) {
  if (!isSplit())
    return reduce();
  OpBuilder &builder = frame.builder;
  Value isReducing =
      frame.integers().compare(arith::CmpIPredicate::slt, frame.tile, tiles);
  auto branch = scf::IfOp::create(builder, frame.loc, isReducing,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  reduce();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  if (constantNumber(count))
    return finish();
  auto split = scf::IfOp::create(builder, frame.loc, hasOnePart(),
                                 /*withElseRegion=*/true);
  builder.setInsertionPoint(split.elseBlock()->getTerminator());
  finish();
}

void ReductionParts::finishOnlyPart(const GroupPart &partial, Finish finish) {
  finish(sums.resultsOf(sums.totalOf(sums.buildStored(partial), partial.count),
                        partial.count));
}

void ReductionParts::finishPart(Value part, Value group,
                                const GroupPart &partial, const Lanes &lanes,
                                Finish finish) {
  if (!isSplit())
    return finishOnlyPart(partial, finish);
  OpBuilder &builder = frame.builder;
  OpBuilder::InsertionGuard guard(builder);
  if (!constantNumber(count)) {
    auto branch = scf::IfOp::create(builder, frame.loc, hasOnePart(),
                                    /*withElseRegion=*/true);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    finishOnlyPart(partial, finish);
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  }
  Value elementOffset = offset(part, group);
  for (auto [elements, value] :
       llvm::zip_equal(memory, sums.buildStored(partial)))
    storeElements(builder, frame.loc, elements, elementOffset, value, lanes);
  // All groups store the same count.
  if (counts.pointer)
    storeElements(builder, frame.loc, counts, part, partial.count, Lanes());
}

Value ReductionParts::offset(Value part, Value group) {
  IntegerOps ops = frame.integers();
  return ops.add(ops.mul(part, groups), group);
}

Value ReductionParts::loadCount(Value part) {
  if (!counts.pointer)
    return frame.integers().constant(0);
  return loadElements(frame.builder, frame.loc, counts, part, Lanes());
}

SmallVector<Value> ReductionParts::loadTotal(Value part, Value group,
                                             Value elements,
                                             const Lanes &lanes) {
  Value elementOffset = offset(part, group);
  auto stored = llvm::map_to_vector(memory, [&](const Elements &each) {
    return loadElements(frame.builder, frame.loc, each, elementOffset, lanes);
  });
  return sums.totalOf(stored, elements);
}

/// Merges `total`, the total of a part with `elements` elements, into
/// `carried`, whose last entry is its number of elements.
static SmallVector<Value> mergeCounted(Accumulators &sums, IntegerOps ops,
                                       ValueRange carried, Value elements,
                                       ValueRange total) {
  Value carriedCount = carried.back();
  SmallVector<Value> merged =
      sums.merge(carried.drop_back(), carriedCount, total, elements);
  merged.push_back(ops.add(carriedCount, elements));
  return merged;
}

/// Merges the parts of [first, last), of which there is at least one. Returns
/// their totals followed by the number of their elements.
SmallVector<Value> ReductionParts::combineRange(Value first, Value last,
                                                Value group,
                                                const Lanes &lanes) {
  IntegerOps ops = frame.integers();
  Value elements = loadCount(first);
  SmallVector<Value> total = loadTotal(first, group, elements, lanes);
  total.push_back(elements);
  return buildFor(frame.builder, frame.loc, ops.add(first, ops.constant(1)),
                  last, 1, total, [&](Value part, ValueRange carried) {
                    Value partCount = loadCount(part);
                    return mergeCounted(
                        sums, ops, carried, partCount,
                        loadTotal(part, group, partCount, lanes));
                  });
}

/// Merges the parts in blocks that have totals of their own. Rounding errors
/// grow with the length of a block, not with the number of parts.
SmallVector<Value> ReductionParts::combine(Value group, const Lanes &lanes) {
  IntegerOps ops = frame.integers();
  Value block = ops.constant(tuning::kMaxParts);
  SmallVector<Value> total =
      combineRange(ops.constant(0), ops.min(count, block), group, lanes);
  std::optional<int64_t> known = constantNumber(count);
  if (!known || *known > tuning::kMaxParts)
    total = buildFor(frame.builder, frame.loc, block, count, tuning::kMaxParts,
                     total, [&](Value first, ValueRange carried) {
                       Value last = ops.min(count, ops.add(first, block));
                       SmallVector<Value> blockTotal =
                           combineRange(first, last, group, lanes);
                       Value elements = blockTotal.pop_back_val();
                       return mergeCounted(sums, ops, carried, elements,
                                           blockTotal);
                     });
  Value elementCount = total.pop_back_val();
  return sums.resultsOf(total, elementCount);
}
