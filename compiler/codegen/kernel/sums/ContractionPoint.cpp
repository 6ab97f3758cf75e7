//===- ContractionPoint.cpp - a point of a contraction's iteration space --===//
#include "compiler/codegen/kernel/sums/ContractionPoint.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tg;

ContractionPoint::ContractionPoint(KernelContext &context,
                                   const Contraction &contraction)
    : context(context), contraction(contraction) {
  clear();
}

void ContractionPoint::clear() {
  index.assign(contraction.dimensions.size(), context.integers().constant(0));
  laneStep.assign(contraction.dimensions.size(), 0);
}

void ContractionPoint::set(ArrayRef<unsigned> dimensions, Value number) {
  if (dimensions.empty())
    return;
  IntegerOps ops = context.indices();
  for (unsigned dimension : llvm::reverse(dimensions.drop_front())) {
    Value extent = context.extent(contraction.dimensions[dimension].extent);
    index[dimension] = ops.rem(number, extent);
    number = ops.div(number, extent);
  }
  index[dimensions.front()] = number;
}

int64_t
ContractionPoint::laneStepOf(const ContractionIndex &tensorIndex) const {
  int64_t step = 0;
  for (const ContractionIndex::Term &term : tensorIndex.terms)
    step += laneStep[term.dimension] * term.factor;
  return step;
}

Value ContractionPoint::sumOfTerms(const ContractionIndex &tensorIndex) const {
  IntegerOps ops = context.integers();
  Value sum = ops.constant(0);
  for (const ContractionIndex::Term &term : tensorIndex.terms)
    sum =
        ops.add(ops.mul(index[term.dimension], ops.constant(term.factor)), sum);
  return sum;
}

/// Returns the index along one dimension of a tensor. If the index may lie
/// outside the tensor, combines `isInside` with the condition that it lies
/// inside.
Value ContractionPoint::indexAt(const ContractionIndex &tensorIndex,
                                AffineExpr extent, Value &isInside) const {
  IntegerOps ops = context.integers();
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = ops.compare(predicate, lhs, rhs);
    isInside = isInside ? context.builder.createOrFold<arith::AndIOp>(
                              context.loc, isInside, holds)
                        : holds;
  };
  Value element = sumOfTerms(tensorIndex);
  if (tensorIndex.offset)
    element = ops.add(element, context.extent(tensorIndex.offset));
  if (tensorIndex.divisor != 1) {
    Value divisor = ops.constant(tensorIndex.divisor);
    Value dividend = element;
    element = ops.floorDiv(dividend, divisor);
    if (tensorIndex.isPartial)
      require(arith::CmpIPredicate::eq, ops.mul(element, divisor), dividend);
  }
  // Compared as unsigned numbers, negative indices are large.
  if (tensorIndex.isPartial)
    require(arith::CmpIPredicate::ult, element, context.extent(extent));
  return element;
}

PointElement
ContractionPoint::elementOf(const ContractionTensor &tensor) const {
  PointElement element;
  for (auto [tensorIndex, extent] :
       llvm::zip_equal(tensor.indices, tensor.extents)) {
    element.position.index.push_back(
        indexAt(tensorIndex, extent, element.isInside));
    element.position.laneStep.push_back(laneStepOf(tensorIndex));
  }
  return element;
}

Position ContractionPoint::positionInResult() const {
  Position position;
  for (const ContractionIndex &tensorIndex : contraction.result.indices) {
    position.index.push_back(sumOfTerms(tensorIndex));
    position.laneStep.push_back(laneStepOf(tensorIndex));
  }
  return position;
}

SmallVector<Value> tg::buildWhere(KernelContext &context, Value isInside,
                                  TypeRange types,
                                  function_ref<SmallVector<Value>()> build) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  auto branch = scf::IfOp::create(builder, loc, types, isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, zeros);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, build());
  return llvm::to_vector_of<Value>(branch.getResults());
}
