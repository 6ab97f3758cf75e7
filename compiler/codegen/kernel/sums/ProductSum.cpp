//===- ProductSum.cpp - sums of products of any contraction ---------------===//
#include "compiler/codegen/kernel/sums/ProductSum.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tg;

/// Returns sum + lhs * rhs.
static Value multiplyAdd(KernelContext &context, Value lhs, Value rhs,
                         Value sum) {
  OpBuilder &builder = context.builder;
  if (isa<FloatType>(getElementTypeOrSelf(sum)))
    return math::FmaOp::create(builder, context.loc, lhs, rhs, sum);
  Value product = arith::MulIOp::create(builder, context.loc, lhs, rhs);
  return arith::AddIOp::create(builder, context.loc, sum, product);
}

/// Returns true if, at each point, the lanes are all inside the tensor or all
/// outside.
bool ProductSum::hasVectorForm(const ContractionTensor &tensor) const {
  return llvm::all_of(tensor.indices, [&](const ContractionIndex &index) {
    return point.laneStepOf(index) == 0 ||
           (index.divisor == 1 && !index.isPartial);
  });
}

void tg::setPoint(ContractionPoint &point, const Contraction &contraction,
                  IntegerOps ops, const Position &position) {
  for (auto [index, value, step] : llvm::zip_equal(
           contraction.result.indices, position.index, position.laneStep)) {
    Value remainder = value;
    for (const ContractionIndex::Term &term : index.terms) {
      Value factor = ops.constant(term.factor);
      bool isLast = term.factor == 1;
      point.index[term.dimension] =
          isLast ? remainder : ops.div(remainder, factor);
      point.laneStep[term.dimension] = step;
      if (!isLast)
        remainder = ops.rem(remainder, factor);
    }
  }
}

/// Sets `point` to the indices of the result at a position. Returns false if
/// lanes would cross from one index to the next, or if an operand has no vector
/// form.
bool ProductSum::findPoint(const Position &position) {
  point.clear();
  for (auto [index, step] :
       llvm::zip_equal(contraction.result.indices, position.laneStep))
    if (index.terms.size() > 1 && step != 0)
      return false;
  setPoint(point, contraction, ops, position);
  return hasVectorForm(contraction.lhs) && hasVectorForm(contraction.rhs);
}

Type ProductSum::elementType(Type type) const {
  type = computeType(type);
  return lanes > 1 ? VectorType::get({int64_t(lanes)}, type) : type;
}

/// Returns the elements of an operand at the point, 0 where it has none, or
/// null after a failure.
Value ProductSum::element(const ContractionTensor &tensor) {
  PointElement element = point.elementOf(tensor);
  if (element.isInside)
    return buildWhere(context, element.isInside,
                      elementType(getElementTypeOrSelf(tensor.value)),
                      [&]() -> SmallVector<Value> {
                        return {elements.elementOrZero(
                            tensor.value, element.position, lanes)};
                      })[0];
  FailureOr<Value> value =
      elements.element(tensor.value, element.position, lanes);
  return succeeded(value) ? *value : Value();
}

/// Returns `sum` plus the product at the point.
Value ProductSum::multiplyAtPoint(Value sum) {
  Value left = element(contraction.lhs);
  Value right = element(contraction.rhs);
  return left && right ? multiplyAdd(context, left, right, sum) : sum;
}

/// Returns `sum` plus the products along some dimensions, with one loop for
/// each.
SmallVector<Value> ProductSum::sumOver(ArrayRef<unsigned> dimensions,
                                       ValueRange sum) {
  if (dimensions.empty())
    return {multiplyAtPoint(sum[0])};
  Value extent =
      context.extent(contraction.dimensions[dimensions.front()].extent);
  return buildFor(context.builder, context.loc, ops.constant(0), extent, 1, sum,
                  [&](Value step, ValueRange carried) {
                    point.index[dimensions.front()] = step;
                    return sumOver(dimensions.drop_front(), carried);
                  });
}

/// Returns the sum of the products, or of the lines of products, from `begin`
/// to `end` in nested blocks: one loop for each kind of block, one for the
/// products or lines of a smallest block, and one for the products of a line.
/// There is at least one block, so that an empty sum is +0.
Value ProductSum::sumBlocks(ArrayRef<int64_t> blocks, Value begin, Value end,
                            Type type) {
  OpBuilder &builder = context.builder;
  if (blocks.empty()) {
    Value zero = arith::ConstantOp::create(builder, context.loc,
                                           builder.getZeroAttr(type));
    return buildFor(
        builder, context.loc, begin, end, 1, zero,
        [&](Value number, ValueRange carried) {
          point.set(ArrayRef(reduced).drop_back(lineDimensions), number);
          return sumOver(ArrayRef(reduced).take_back(lineDimensions), carried);
        })[0];
  }
  int64_t size = countProducts(blocks);
  Value atLeastOne = ops.max(end, ops.add(begin, ops.constant(1)));
  auto addBlock = [&](Value first, ValueRange carried) -> SmallVector<Value> {
    Value last = ops.min(end, ops.add(first, ops.constant(size)));
    Value sum = sumBlocks(blocks.drop_back(), first, last, type);
    return {arith::AddFOp::create(builder, context.loc, carried[0], sum)};
  };
  return buildFor(builder, context.loc, begin, atLeastOne, size,
                  buildEmptyTotal(builder, context.loc, type), addBlock)[0];
}

Value ProductSum::emit(const Position &position) {
  if (!findPoint(position))
    return {};
  Type type = elementType(contraction.accumulator);
  SmallVector<int64_t> blocks = findProductBlocks(contraction);
  if (blocks.empty()) {
    Value zero = arith::ConstantOp::create(context.builder, context.loc,
                                           context.builder.getZeroAttr(type));
    return sumOver(reduced, zero)[0];
  }
  return sumBlocks(blocks, ops.constant(0), count(), type);
}

Value ProductSum::emitChain(const Position &position, Value begin, Value end) {
  findPoint(position);
  return sumBlocks({}, begin, end, elementType(contraction.accumulator));
}

Value ProductSum::count() {
  Value count = ops.constant(1);
  for (unsigned dimension : ArrayRef(reduced).drop_back(lineDimensions))
    count = ops.mul(count,
                    context.extent(contraction.dimensions[dimension].extent));
  return count;
}
