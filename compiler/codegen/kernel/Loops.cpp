//===- Loops.cpp - counting loops -----------------------------------------===//
#include "compiler/codegen/kernel/Loops.h"
#include "dialects/tg/elements/IntegerOps.h"

using namespace mlir;
using namespace tg;

scf::ForOp tg::buildFor(OpBuilder &builder, Location loc, Value begin,
                        Value end, int64_t step,
                        function_ref<void(Value)> build) {
  Value stepValue = IntegerOps(builder, loc).constant(step);
  auto loop = scf::ForOp::create(builder, loc, begin, end, stepValue);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  build(loop.getInductionVar());
  return loop;
}

SmallVector<Value>
tg::buildFor(OpBuilder &builder, Location loc, Value begin, Value end,
             int64_t step, ValueRange initial,
             function_ref<SmallVector<Value>(Value, ValueRange)> build) {
  assert(!initial.empty() && "a loop without iteration arguments");
  Value stepValue = IntegerOps(builder, loc).constant(step);
  auto loop = scf::ForOp::create(builder, loc, begin, end, stepValue, initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> next =
      build(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> tg::emitCarryLoop(KernelContext &context, Value begin,
                                     Value end, int64_t step,
                                     ValueRange initial, CarryStep build) {
  std::optional<int64_t> first = constantNumber(begin);
  std::optional<int64_t> last = constantNumber(end);
  if (first && last && *first >= *last)
    return initial;
  if (first && last && *first + step >= *last)
    return build(begin, initial);
  if (!initial.empty())
    return buildFor(context.builder, context.loc, begin, end, step, initial,
                    build);
  buildFor(context.builder, context.loc, begin, end, step,
           [&](Value index) { build(index, {}); });
  return {};
}
