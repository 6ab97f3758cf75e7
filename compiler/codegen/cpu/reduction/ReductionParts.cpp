//===- ReductionParts.cpp - long sums shared out to several tiles ---------===//
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/cpu/Tuning.h"

using namespace mlir;
using namespace tg;

Value ReductionParts::chooseCount(IntegerOps ops, Value elements,
                                  Value others) {
  Value one = ops.constant(1);
  Value worthwhile = ops.div(elements, ops.constant(tuning::kPartElements));
  Value open = ops.div(ops.constant(tuning::kMostParts), ops.max(one, others));
  return ops.max(one, ops.min(worthwhile, open));
}

ReductionParts::ReductionParts(KernelFrame &frame,
                               ArrayRef<ReductionOpInterface> reductions,
                               Value count, Value groups, AffineExpr needed,
                               AffineExpr most)
    : frame(frame), reductions(reductions), count(count), groups(groups) {
  if (!isShared())
    return;
  SmallVector<AffineExpr> bytes, limits;
  for (ReductionOpInterface reduction : reductions) {
    int64_t size = elementBytes(getElementTypeOrSelf(reduction->getResult(0)));
    bytes.push_back(needed * size);
    limits.push_back(most * size);
  }
  for (auto [reduction, pointer] :
       llvm::zip_equal(reductions, frame.takeShared(bytes, limits)))
    memory.push_back({pointer, getElementTypeOrSelf(reduction->getResult(0))});
}

/// Whether a group is one part after all.
Value ReductionParts::isWhole() {
  IntegerOps ops = frame.integers();
  return ops.compare(arith::CmpIPredicate::eq, count, ops.constant(1));
}

void ReductionParts::emit(Value tiles, function_ref<void()> reduce,
                          function_ref<void()> finish) {
  if (!isShared())
    return reduce();
  OpBuilder &builder = frame.builder;
  Value isPart =
      frame.integers().compare(arith::CmpIPredicate::slt, frame.tile, tiles);
  auto branch = scf::IfOp::create(builder, frame.loc, isPart,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  reduce();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  if (constantNumber(count))
    return finish();
  auto again = scf::IfOp::create(builder, frame.loc, isWhole(),
                                 /*withElseRegion=*/true);
  builder.setInsertionPoint(again.elseBlock()->getTerminator());
  finish();
}

void ReductionParts::leave(Value part, Value group, ValueRange results,
                           const Lanes &lanes, function_ref<void()> finish) {
  if (!isShared())
    return finish();
  OpBuilder &builder = frame.builder;
  OpBuilder::InsertionGuard guard(builder);
  if (!constantNumber(count)) {
    auto branch = scf::IfOp::create(builder, frame.loc, isWhole(),
                                    /*withElseRegion=*/true);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    finish();
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  }
  Value at = offset(part, group);
  for (auto [elements, result] : llvm::zip_equal(memory, results))
    storeElements(builder, frame.loc, elements, at, result, lanes);
}

Value ReductionParts::offset(Value part, Value group) {
  IntegerOps ops = frame.integers();
  return ops.add(ops.mul(part, groups), group);
}

SmallVector<Value> ReductionParts::load(Value part, Value group,
                                        const Lanes &lanes) {
  Value at = offset(part, group);
  return llvm::map_to_vector(memory, [&](const Elements &elements) {
    return loadElements(frame.builder, frame.loc, elements, at, lanes);
  });
}

SmallVector<Value> ReductionParts::combine(Value group, const Lanes &lanes) {
  IntegerOps ops = frame.integers();
  Accumulators sums(frame, reductions);
  return buildFor(frame.builder, frame.loc, ops.constant(1), count, 1,
                  load(ops.constant(0), group, lanes),
                  [&](Value part, ValueRange carried) {
                    return sums.combine(carried, load(part, group, lanes));
                  });
}
