//===- OperandStage.cpp - parts of an operand in shared memory ------------===//
#include "compiler/codegen/cuda/product/OperandStage.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/cuda/Thread.h"
#include "compiler/codegen/cuda/product/AsyncCopy.h"
#include "compiler/codegen/cuda/product/TensorCore.h"
#include "compiler/codegen/kernel/ArgumentBlock.h"

using namespace mlir;
using namespace tg;

OperandStage::OperandStage(ElementEmitter &elements,
                           const ProductMatrix &matrix, StagedOperand operand,
                           const ContractionPoint &batch, Value thread,
                           Value firstLine)
    : elements(elements), context(elements.context), matrix(matrix),
      operand(operand), batch(batch), thread(thread), firstLine(firstLine),
      place(thread) {
  unsigned count = operand.tile.getProducts() * operand.lines;
  perThread = std::max(1u, count / kBlockThreads);
  chooseGroupSize();
  chooseCopies();
  isJoined = groupSize > 1 && canJoin();
  activeThreads = std::min(kBlockThreads, count / groupSize);
  if (activeThreads < kBlockThreads)
    place = context.indices().rem(thread,
                                  context.indices().constant(activeThreads));
  isAlongProducts ? placeAlongProducts() : placeAlongLines();
}

/// The bytes of global memory that are moved together.
static constexpr unsigned kSectorBytes = 32;

unsigned OperandStage::getStride() const {
  // The threads of a warp read 4 products of 8 lines from 32 banks.
  if (operand.tile.usesTensorCores)
    return operand.lines + 8;
  // They write neighbouring products of some lines. Groups of 4 lines that are
  // read together stay aligned.
  return isAlongProducts && operand.lines >= 4 ? operand.lines + 4
                                               : operand.lines;
}

/// Chooses the number of neighbours that a thread loads together. A group lies
/// within one row of the innermost dimension, so that its elements are all
/// inside the operand or all outside, unless it has windows along this
/// dimension.
void OperandStage::chooseGroupSize() {
  std::optional<unsigned> contiguous = findContiguousDimension(operand.tensor);
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
  unsigned bytes = elementBytes(getElementTypeOrSelf(operand.tensor.value));
  unsigned limit = std::min(perThread, std::max(1u, kAccessBytes / bytes));
  if (!isAlongProducts)
    limit = std::min(limit, operand.lines);
  if (isAlongProducts || isInnermost(operand.lineDimensions))
    while (groupSize * 2 <= limit && divides(groupSize * 2))
      groupSize *= 2;
}

/// Returns true if the elements are in memory as they are multiplied.
bool OperandStage::canCopy() const {
  Value tensor = operand.tensor.value;
  Type type = getElementTypeOrSelf(tensor);
  return isa<BlockArgument>(tensor) && !operand.tile.usesTensorCores &&
         isa<FloatType>(type) && type == matrix.contraction.accumulator &&
         type == computeType(type);
}

/// Chooses whether elements are copied, and the size of a copy, which writes
/// neighbours in shared memory. Products of a line are apart there, so that
/// each is copied alone, and a thread has elements of more lines. Windows are
/// not worth it: their addresses and conditions are computed for each line.
void OperandStage::chooseCopies() {
  bool isWindow = matrix.reduced.size() > 1;
  copies = canCopy() && !(isAlongProducts && isWindow && groupSize > 1);
  if (copies && isAlongProducts)
    groupSize = 1;
  while (copies && groupSize > 1 && !canJoin())
    groupSize /= 2;
}

/// Divides the part among the threads: neighbouring threads load the products
/// of a sector, then those of the next line.
void OperandStage::placeAlongProducts() {
  IntegerOps ops = context.indices();
  unsigned bytes = elementBytes(getElementTypeOrSelf(operand.tensor.value));
  unsigned chunk =
      std::max(groupSize, std::min(operand.tile.depth, kSectorBytes / bytes));
  unsigned together = chunk / groupSize;
  unsigned across = together * operand.lines;
  Value inChunk =
      ops.mul(ops.rem(place, ops.constant(together)), ops.constant(groupSize));
  Value line = ops.div(place, ops.constant(together));
  Value product =
      ops.mul(ops.div(place, ops.constant(across)), ops.constant(chunk));
  line = ops.rem(line, ops.constant(operand.lines));
  for (unsigned first = 0; first < kBlockThreads * perThread / groupSize;
       first += kBlockThreads)
    groups.push_back(
        {ops.add(ops.add(product, ops.constant(first / across * chunk)),
                 inChunk),
         ops.add(line, ops.constant(first % across / together))});
}

/// Divides the part among the threads: neighbouring threads load neighbouring
/// groups of lines.
void OperandStage::placeAlongLines() {
  IntegerOps ops = context.indices();
  unsigned across = operand.lines / groupSize;
  Value line =
      ops.mul(ops.rem(place, ops.constant(across)), ops.constant(groupSize));
  Value product = ops.div(place, ops.constant(across));
  for (unsigned i = 0; i < perThread / groupSize; ++i)
    groups.push_back(
        {ops.add(product, ops.constant(i * kBlockThreads / across)), line});
}

/// Returns the number of the first product of a group of the part whose
/// products of slice 0 begin at `first`.
Value OperandStage::productOf(const Group &group, Value first) {
  IntegerOps ops = context.indices();
  const TileShape &tile = operand.tile;
  if (tile.slices == 1)
    return ops.add(first, group.product);
  Value depth = ops.constant(tile.depth);
  Value begin =
      ops.mul(ops.div(group.product, depth), ops.constant(tile.sliceProducts));
  return ops.add(first, ops.add(begin, ops.rem(group.product, depth)));
}

/// Returns true if a part may reach beyond the last product.
bool OperandStage::hasMissingProducts() const {
  const TileShape &tile = operand.tile;
  int64_t divisor = matrix.count(matrix.reduced).getLargestKnownDivisor();
  return divisor % (tile.slices == 1 ? tile.depth
                                     : tile.slices * tile.sliceProducts) !=
         0;
}

/// Returns `number`, or the first number of the last group if it is beyond the
/// `count` numbers that exist. A multiple of `size` numbers exist, at least
/// one.
Value OperandStage::clamp(Value number, AffineExpr count, int64_t size) {
  IntegerOps ops = context.indices();
  return ops.min(number, ops.sub(context.extent(count), ops.constant(size)));
}

/// Returns true if a group lies in an argument at a multiple of its bytes,
/// which one instruction can load.
bool OperandStage::canJoin() const {
  auto argument = dyn_cast<BlockArgument>(operand.tensor.value);
  if (!argument)
    return false;
  Type type = getElementTypeOrSelf(argument.getType());
  int64_t bytes = groupSize * elementBytes(type);
  auto isMultiple = [&](unsigned axis) {
    return context.strideOf(argument, axis).isMultipleOf(groupSize);
  };
  return bytes <= kAccessBytes && type == computeType(type) &&
         ArgumentBlock(context.kernel).alignmentOf(argument.getArgNumber()) %
                 bytes ==
             0 &&
         llvm::all_of(llvm::seq<unsigned>(0, operand.tensor.indices.size() - 1),
                      isMultiple);
}

/// Loads the elements of a group from the position of the first one on.
SmallVector<Value> OperandStage::loadNeighbours(const Position &position) {
  Value tensor = operand.tensor.value;
  if (isJoined)
    return loadJoined(context.builder, context.loc,
                      context.argument(cast<BlockArgument>(tensor)),
                      elements.offsetOf(tensor, position), groupSize);
  IntegerOps ops = context.indices();
  SmallVector<Value> values;
  for (unsigned i = 0; i < groupSize; ++i) {
    Position next = position;
    if (i > 0)
      next.index.back() = ops.add(next.index.back(), ops.constant(i));
    values.push_back(elements.elementOrZero(tensor, next, /*lanes=*/1));
  }
  return values;
}

/// Returns the first element of a group whose products are those from
/// `beginning` on.
PointElement OperandStage::elementOf(const Group &group, Value beginning) {
  IntegerOps ops = context.indices();
  AffineExpr lineCount = matrix.count(operand.lineDimensions);
  AffineExpr productCount = matrix.count(matrix.reduced);
  Value line = ops.add(firstLine, group.line), product = beginning;
  if (lineCount.getLargestKnownDivisor() % operand.lines != 0)
    line = clamp(line, lineCount, isAlongProducts ? 1 : groupSize);
  if (hasMissingProducts())
    product = clamp(product, productCount, isAlongProducts ? groupSize : 1);
  ContractionPoint point = batch;
  point.set(operand.lineDimensions, line);
  point.set(matrix.reduced, product);
  return point.elementOf(operand.tensor);
}

/// Loads the elements of a group. The products of the part begin at `first`.
void OperandStage::loadGroup(const Group &group, Value first,
                             SmallVectorImpl<Value> &loaded) {
  Value beginning = productOf(group, first);
  PointElement element = elementOf(group, beginning);
  auto loadAll = [&] { return loadNeighbours(element.position); };
  Type type = computeType(getElementTypeOrSelf(operand.tensor.value));
  SmallVector<Value> values =
      element.isInside ? buildWhere(context, element.isInside,
                                    SmallVector<Type>(groupSize, type), loadAll)
                       : loadAll();
  llvm::append_range(loaded, clearMissing(values, beginning));
}

/// Replaces the elements of a group beyond the last product by zeros, if tensor
/// cores multiply a whole part. `product` is the first product of the group.
SmallVector<Value> OperandStage::clearMissing(SmallVector<Value> loaded,
                                              Value product) {
  AffineExpr count = matrix.count(matrix.reduced);
  if (!operand.tile.usesTensorCores || !hasMissingProducts())
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
  if (!copies)
    for (const Group &group : groups)
      loadGroup(group, first, loaded);
  return loaded;
}

/// Returns the place in shared memory of the first element of a group.
Value OperandStage::placeOf(const Group &group, Value offset) {
  IntegerOps ops = context.indices();
  Value row = ops.mul(group.product, ops.constant(getStride()));
  return ops.add(ops.add(row, group.line), offset);
}

/// Moves the builder into a branch of the threads that have elements, if some
/// threads have none.
void OperandStage::enterActive() {
  if (activeThreads == kBlockThreads)
    return;
  Value isActive =
      context.indices().compare(arith::CmpIPredicate::slt, thread,
                                context.indices().constant(activeThreads));
  auto branch = scf::IfOp::create(context.builder, context.loc, isActive,
                                  /*withElseRegion=*/false);
  context.builder.setInsertionPointToStart(branch.thenBlock());
}

/// Returns the address of an element of an operand that is copied.
Value OperandStage::addressAt(Position position) {
  Value tensor = operand.tensor.value;
  Elements from = context.argument(cast<BlockArgument>(tensor));
  // The product is added first: the rest of the address of a line of a matrix
  // is the same for all parts.
  if (isAlongProducts) {
    IntegerOps ops = context.indices();
    Value &product = position.index.back();
    AffineExpr stride = context.strideOf(tensor, position.index.size() - 1);
    from.pointer = addressOf(context.builder, context.loc, from,
                             ops.mul(product, context.extent(stride)));
    product = ops.constant(0);
  }
  return addressOf(context.builder, context.loc, from,
                   elements.offsetOf(tensor, position));
}

void OperandStage::copy(Value first, const Elements &shared, Value offset) {
  if (!copies)
    return;
  OpBuilder &builder = context.builder;
  OpBuilder::InsertionGuard guard(builder);
  enterActive();
  Type type = getElementTypeOrSelf(operand.tensor.value);
  for (const Group &group : groups) {
    PointElement element = elementOf(group, productOf(group, first));
    Value to = addressOf(builder, context.loc, shared, placeOf(group, offset));
    beginCopy(builder, context.loc, to, addressAt(element.position),
              groupSize * elementBytes(type), element.isInside);
  }
}

void OperandStage::store(ArrayRef<Value> loaded, const Elements &shared,
                         Value offset) {
  OpBuilder &builder = context.builder;
  OpBuilder::InsertionGuard guard(builder);
  IntegerOps ops = context.indices();
  if (!loaded.empty())
    enterActive();
  for (auto [number, value] : llvm::enumerate(loaded)) {
    const Group &group = groups[number / groupSize];
    int64_t step = number % groupSize * (isAlongProducts ? getStride() : 1);
    Value place = placeOf(group, ops.add(offset, ops.constant(step)));
    Value stored = operand.tile.usesTensorCores
                       ? roundToTf32(builder, context.loc, value)
                       : value;
    storeElements(builder, context.loc, shared, place, stored, Lanes());
  }
}
