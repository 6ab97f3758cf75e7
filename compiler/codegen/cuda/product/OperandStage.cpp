//===- OperandStage.cpp - parts of an operand in shared memory ------------===//
#include "compiler/codegen/cuda/product/OperandStage.h"
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/cuda/product/TensorCore.h"

using namespace mlir;
using namespace tg;

OperandStage::OperandStage(ElementEmitter &elements,
                           const ProductMatrix &matrix, StagedOperand operand,
                           const ContractionPoint &batch, Value thread,
                           Value firstLine)
    : elements(elements), context(elements.context), matrix(matrix),
      operand(operand), batch(batch), thread(thread), firstLine(firstLine) {
  chooseGroups();
}

/// Returns the dimension of the iteration space along which neighbours are
/// neighbours in memory, or none.
std::optional<unsigned> OperandStage::findContiguousDimension() const {
  if (operand.tensor.indices.empty())
    return std::nullopt;
  const ContractionIndex &last = operand.tensor.indices.back();
  if (last.divisor != 1)
    return std::nullopt;
  for (const ContractionIndex::Term &term : last.terms)
    if (term.factor == 1)
      return term.dimension;
  return std::nullopt;
}

/// Divides the part among the threads. A group lies within one row of the
/// innermost dimension, so that its elements are all inside the operand or all
/// outside, unless it has windows along this dimension.
void OperandStage::chooseGroups() {
  constexpr unsigned depth = TileShape::kDepth;
  IntegerOps ops = context.indices();
  unsigned perThread = depth * operand.lines / kBlockThreads;
  std::optional<unsigned> contiguous = findContiguousDimension();
  auto isInnermost = [&](ArrayRef<unsigned> dimensions) {
    return contiguous && !dimensions.empty() && dimensions.back() == contiguous;
  };
  bool isPlain = contiguous && operand.tensor.axisOf(*contiguous);
  auto divides = [&](unsigned size) {
    return isPlain && matrix.contraction.dimensions[*contiguous]
                                  .extent.getLargestKnownDivisor() %
                              size ==
                          0;
  };
  isAlongProducts = isInnermost(matrix.reduced);
  unsigned limit = isAlongProducts ? perThread : std::min(perThread, 4u);
  if (isAlongProducts || isInnermost(operand.lineDimensions))
    while (groupSize * 2 <= limit && divides(groupSize * 2))
      groupSize *= 2;
  if (isAlongProducts) {
    // A thread loads neighbouring products of one line.
    Value lines = ops.constant(operand.lines);
    Value line = ops.rem(thread, lines);
    Value product = ops.mul(ops.div(thread, lines), ops.constant(perThread));
    for (unsigned i = 0; i < perThread; i += groupSize)
      groups.push_back({ops.add(product, ops.constant(i)), line});
    return;
  }
  // Neighbouring threads load neighbouring groups of lines.
  unsigned across = operand.lines / groupSize;
  Value line =
      ops.mul(ops.rem(thread, ops.constant(across)), ops.constant(groupSize));
  Value product = ops.div(thread, ops.constant(across));
  for (unsigned i = 0; i < perThread / groupSize; ++i)
    groups.push_back(
        {ops.add(product, ops.constant(i * kBlockThreads / across)), line});
}

/// Returns `number`, or the first number of the last group if it is beyond the
/// `count` numbers that exist. A multiple of `size` numbers exist, at least
/// one.
Value OperandStage::clamp(Value number, AffineExpr count, int64_t size) {
  IntegerOps ops = context.indices();
  return ops.min(number, ops.sub(context.extent(count), ops.constant(size)));
}

/// Loads the elements of a group. The products of the part begin at `first`.
void OperandStage::loadGroup(const Group &group, Value first,
                             SmallVectorImpl<Value> &loaded) {
  IntegerOps ops = context.indices();
  AffineExpr lineCount = matrix.count(operand.lineDimensions);
  AffineExpr productCount = matrix.count(matrix.reduced);
  Value line = ops.add(firstLine, group.line);
  Value product = ops.add(first, group.product);
  if (lineCount.getLargestKnownDivisor() % operand.lines != 0)
    line = clamp(line, lineCount, isAlongProducts ? 1 : groupSize);
  if (productCount.getLargestKnownDivisor() % TileShape::kDepth != 0)
    product = clamp(product, productCount, isAlongProducts ? groupSize : 1);
  ContractionPoint point = batch;
  point.set(operand.lineDimensions, line);
  point.set(matrix.reduced, product);
  PointElement element = point.elementOf(operand.tensor);
  auto loadAll = [&] {
    SmallVector<Value> values;
    for (unsigned i = 0; i < groupSize; ++i) {
      Position position = element.position;
      if (i > 0)
        position.index.back() = ops.add(position.index.back(), ops.constant(i));
      values.push_back(
          elements.elementOrZero(operand.tensor.value, position, /*lanes=*/1));
    }
    return values;
  };
  Type type = computeType(getElementTypeOrSelf(operand.tensor.value));
  SmallVector<Value> values =
      element.isInside ? buildWhere(context, element.isInside,
                                    SmallVector<Type>(groupSize, type), loadAll)
                       : loadAll();
  llvm::append_range(loaded,
                     clearMissing(values, ops.add(first, group.product)));
}

/// Replaces the elements of a group beyond the last product by zeros, if tensor
/// cores multiply a whole part. `product` is the first product of the group.
SmallVector<Value> OperandStage::clearMissing(SmallVector<Value> loaded,
                                              Value product) {
  AffineExpr count = matrix.count(matrix.reduced);
  if (!operand.tile.usesTensorCores ||
      count.getLargestKnownDivisor() % TileShape::kDepth == 0)
    return loaded;
  IntegerOps ops = context.indices();
  OpBuilder &builder = context.builder;
  for (auto [number, value] : llvm::enumerate(loaded)) {
    Value at =
        isAlongProducts ? ops.add(product, ops.constant(number)) : product;
    Value exists =
        ops.compare(arith::CmpIPredicate::slt, at, context.extent(count));
    Value zero = arith::ConstantOp::create(
        builder, context.loc, builder.getZeroAttr(value.getType()));
    value = arith::SelectOp::create(builder, context.loc, exists, value, zero);
  }
  return loaded;
}

SmallVector<Value> OperandStage::load(Value first) {
  SmallVector<Value> loaded;
  for (const Group &group : groups)
    loadGroup(group, first, loaded);
  return loaded;
}

void OperandStage::store(ArrayRef<Value> loaded, const Elements &shared,
                         Value offset) {
  IntegerOps ops = context.indices();
  unsigned stride = operand.tile.getStride(operand.lines);
  for (auto [number, value] : llvm::enumerate(loaded)) {
    const Group &group = groups[number / groupSize];
    int64_t step = number % groupSize * (isAlongProducts ? stride : 1);
    Value place = ops.add(
        ops.add(ops.mul(group.product, ops.constant(stride)), group.line),
        ops.add(offset, ops.constant(step)));
    Value stored = operand.tile.usesTensorCores
                       ? roundToTf32(context.builder, context.loc, value)
                       : value;
    storeElements(context.builder, context.loc, shared, place, stored, Lanes());
  }
}
