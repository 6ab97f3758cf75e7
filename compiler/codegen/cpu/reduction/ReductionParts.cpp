//===- ReductionParts.cpp - reductions that are split over several tiles --===//
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/cpu/Tuning.h"

using namespace mlir;
using namespace tg;

/// Returns 1 if there are few tiles and each is long enough for two parts, else
/// 0.
static Value isWorthwhile(IntegerOps ops, Value elements, Value tiles) {
  Value one = ops.constant(1), zero = ops.constant(0);
  Value isLong =
      ops.min(one, ops.div(elements, ops.constant(2 * tuning::kPartElements)));
  Value areFew = ops.max(
      zero, ops.min(one, ops.sub(ops.constant(tuning::kMaxParts / 2 + 1),
                                 ops.max(one, tiles))));
  return ops.mul(isLong, areFew);
}

Value ReductionParts::chooseCount(IntegerOps ops, Value units, Value elements,
                                  Value tiles) {
  Value one = ops.constant(1);
  std::optional<int64_t> known = constantNumber(units);
  std::optional<int64_t> length = constantNumber(elements);
  if ((known && *known <= 1) || (length && *length < 2 * tuning::kPartElements))
    return one;
  Value more = ops.max(ops.constant(0), ops.sub(units, one));
  return ops.add(one, ops.mul(more, isWorthwhile(ops, elements, tiles)));
}

ReductionParts::ReductionParts(KernelFrame &frame,
                               ArrayRef<ReductionOpInterface> reductions,
                               Value count, Value groups, Size parts,
                               Size results, ArrayRef<int64_t> folds, Form form)
    : frame(frame), sums(frame, reductions), count(count), groups(groups),
      folds(folds), form(form) {
  if (!isSplit())
    return;
  SmallVector<AffineExpr> bytes, limits;
  SmallVector<Type> types;
  auto add = [&](Type type, const Size &size) {
    types.push_back(type);
    bytes.push_back(size.needed * elementBytes(type));
    limits.push_back(size.maximum * elementBytes(type));
  };
  for (Type type : storedTypes())
    add(type, results);
  if (sums.usesShifts())
    add(frame.builder.getI64Type(), parts);
  for (auto [type, pointer] :
       llvm::zip_equal(types, frame.takePartials(bytes, limits)))
    memory.push_back({pointer, type});
  if (sums.usesShifts())
    counts = memory.pop_back_val();
}

/// Returns the types of the terms in the partials buffer.
SmallVector<Type> ReductionParts::storedTypes() {
  if (form == Form::total)
    return sums.totalTypes();
  // Parts with shifts are as large as totals.
  SmallVector<Type> types = sums.totalTypes();
  for (auto [type, term] : llvm::zip_equal(types, sums.getTerms()))
    if (ReductionOpInterface reduction = term; !reduction.usesShift())
      type = getElementTypeOrSelf(reduction->getResult(0));
  return types;
}

Value ReductionParts::sizeOf(Value extent, int64_t unit) {
  if (!isSplit())
    return extent;
  return arith::SelectOp::create(frame.builder, frame.loc, hasOnePart(), extent,
                                 frame.integers().constant(unit));
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

/// Emits `finishOnly` for an only part and `storePart` for one of several.
void ReductionParts::finishOrStore(function_ref<void()> finishOnly,
                                   function_ref<void()> storePart) {
  if (!isSplit())
    return finishOnly();
  if (constantNumber(count))
    return storePart();
  OpBuilder &builder = frame.builder;
  auto branch = scf::IfOp::create(builder, frame.loc, hasOnePart(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  finishOnly();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  storePart();
}

/// Writes a part to the partials buffer. `elements` is their number, or null if
/// no reduction uses a shift. All groups store the same number.
void ReductionParts::store(Value part, Value group, ValueRange values,
                           Value elements, const Lanes &lanes) {
  Value elementOffset = offset(part, group);
  for (auto [array, value] : llvm::zip_equal(memory, values))
    storeElements(frame.builder, frame.loc, array, elementOffset, value, lanes);
  if (counts.pointer)
    storeElements(frame.builder, frame.loc, counts, part, elements, Lanes());
}

void ReductionParts::finishTotal(Value part, Value group, ValueRange total,
                                 const Lanes &lanes, Finish finish) {
  assert(form == Form::total && "a total in a buffer of parts");
  Value elements = sums.usesShifts() ? total.back() : Value();
  finishOrStore([&] { finish(resultsOf(total)); },
                [&] {
                  store(part, group, total.take_front(sums.getTerms().size()),
                        elements, lanes);
                });
}

void ReductionParts::finishPart(Value part, Value group,
                                const GroupPart &partial, const Lanes &lanes,
                                Finish finish) {
  assert(form == Form::part && "a part in a buffer of totals");
  finishOrStore([&] { finish(resultsOf(sums.asTotal(partial))); },
                [&] {
                  store(part, group, sums.buildStored(partial), partial.count,
                        lanes);
                });
}

SmallVector<Value> ReductionParts::resultsOf(ValueRange total) {
  Value elements = sums.usesShifts() ? total.back() : Value();
  return sums.resultsOf(total.take_front(sums.getTerms().size()), elements);
}

Value ReductionParts::offset(Value part, Value group) {
  IntegerOps ops = frame.integers();
  return ops.add(ops.mul(part, groups), group);
}

SmallVector<Value> ReductionParts::loadTotal(Value part, Value group,
                                             const Lanes &lanes) {
  Value elementOffset = offset(part, group), elements;
  auto stored = llvm::map_to_vector(memory, [&](const Elements &each) {
    return loadElements(frame.builder, frame.loc, each, elementOffset, lanes);
  });
  if (counts.pointer)
    elements = loadElements(frame.builder, frame.loc, counts, part, Lanes());
  if (form == Form::part)
    stored = sums.totalOf(stored, elements);
  if (elements)
    stored.push_back(elements);
  return stored;
}

SmallVector<Value> ReductionParts::combine(Value group, const Lanes &lanes) {
  // Even a smallest block has a loop of its own.
  SmallVector<int64_t> sizes = {1};
  llvm::append_range(sizes, folds);
  return resultsOf(sums.nest(
      frame.integers().constant(0), count, sizes, lanes.count,
      [&](Value part, Value) { return loadTotal(part, group, lanes); }));
}
