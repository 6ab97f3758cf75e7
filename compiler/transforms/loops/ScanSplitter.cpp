//===- ScanSplitter.cpp - work of a scan outside of its loop --------------===//
#include "compiler/transforms/loops/ScanSplitter.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tg;

ScanSplitter::ScanSplitter(ScanOp scan)
    : scan(scan), body(scan.getBlock()), builder(scan),
      carries(scan.getInits().size()), inputs(scan.getInputs()),
      yielded(body.getTerminator()->getOperands()) {
  body.walk([&](Operation *op) { isOuter |= isa<ScanOp, WhileOp>(op); });
}

SmallVector<bool> ScanSplitter::findStepped(Operation *op) const {
  return llvm::map_to_vector(op->getOperands(),
                             [&](Value value) { return isInside(value); });
}

//===----------------------------------------------------------------------===//
// Before the loop
//===----------------------------------------------------------------------===//

void ScanSplitter::moveBefore(BatchableOpInterface op) {
  SmallVector<bool> stepped = findStepped(op);
  if (!llvm::is_contained(stepped, true))
    return;
  auto isElement = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return !isInside(value) || (argument && argument.getArgNumber() >= carries);
  };
  // A sum that stays in the loop costs nothing extra. Moved, it would have to
  // be stored.
  if (isOuter || !isa<ContractionOpInterface>(op.getOperation()) ||
      !llvm::all_of(op->getOperands(), isElement) || !op.canBatch(stepped))
    return;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        isInside(operand)
            ? inputs[cast<BlockArgument>(operand).getArgNumber() - carries]
            : operand);
  Value batched = op.buildBatched(builder, operands, stepped);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape = {
      cast<RankedTensorType>(batched.getType()).getDimSize(0)};
  llvm::append_range(shape, type.getShape());
  inputs.push_back(
      buildOfType(builder, op->getLoc(), batched, type.clone(shape)));
  op->getResult(0).replaceAllUsesWith(body.addArgument(type, op->getLoc()));
  op->erase();
  ++moved;
}

void ScanSplitter::moveBefore() {
  for (Operation &op : llvm::make_early_inc_range(body))
    if (auto batchable = dyn_cast<BatchableOpInterface>(op))
      moveBefore(batchable);
  yielded = SmallVector<Value>(body.getTerminator()->getOperands());
}

//===----------------------------------------------------------------------===//
// After the loop
//===----------------------------------------------------------------------===//

bool ScanSplitter::isStacked(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isInside(value))
    return argument.getArgNumber() >= carries || needed.contains(value);
  for (unsigned number = carries; number < yielded.size(); ++number)
    if (yielded[number] == value && !behind.contains(number))
      return true;
  return needed.contains(value);
}

void ScanSplitter::need(Operation *op) {
  for (Value operand : op->getOperands())
    if (isInside(operand) && !isStacked(operand))
      needed.insert(operand);
}

/// Returns true if the sum of the result over all steps follows from the sums
/// of the operands.
bool ScanSplitter::isLinear(Operation *op) const {
  auto linear = dyn_cast<LinearOpInterface>(op);
  return isa<ViewOpInterface>(op) ||
         (linear && linear.isLinearIn(findStepped(op)));
}

/// Returns true if the operands of all steps have no more bytes than the
/// result; false if the sizes are dynamic.
bool ScanSplitter::keepsLess(Value result) {
  int64_t length = scan.getStaticLength();
  auto type = cast<RankedTensorType>(result.getType());
  if (ShapedType::isDynamic(length) || !type.hasStaticShape())
    return false;
  double bytes = 0;
  for (Value operand : result.getDefiningOp()->getOperands()) {
    auto taken = cast<RankedTensorType>(operand.getType());
    if (!isInside(operand) || isStacked(operand))
      continue;
    if (!taken.hasStaticShape())
      return false;
    bytes += double(length) * taken.getNumElements() *
             elementBytes(taken.getElementType());
  }
  return bytes <=
         double(type.getNumElements()) * elementBytes(type.getElementType());
}

bool ScanSplitter::canSum(Value term, bool isOfProducts) {
  Operation *op = term.getDefiningOp();
  if (!op || op->getBlock() != &body || !term.hasOneUse())
    return false;
  if (isLinear(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      // A broadcast operand would be added once per step.
      return !isInside(operand) ||
             (isa<FloatType>(getElementTypeOrSelf(operand)) &&
              (isa<ViewOpInterface>(op) ||
               operand.getType() == term.getType()) &&
              canSum(operand, isOfProducts));
    });
  auto batchable = dyn_cast<BatchableOpInterface>(op);
  SmallVector<bool> stepped = findStepped(op);
  if (!batchable || !llvm::is_contained(stepped, true) ||
      !batchable.canSumSteps(stepped))
    return false;
  bool isForLess = batchable.isSummedForLess(stepped);
  bool isWorthKeeping = isOuter ? isForLess && keepsLess(term)
                                : isForLess || isa<ContractionOpInterface>(op);
  return (isOfProducts && isWorthKeeping) ||
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isInside(operand) || isStacked(operand);
         });
}

void ScanSplitter::needSum(Value term) {
  Operation *op = term.getDefiningOp();
  if (!isLinear(op)) {
    ++moved;
    return need(op);
  }
  for (Value operand : op->getOperands())
    if (isInside(operand))
      needSum(operand);
}

/// Returns the value that a step adds to a carried sum without other uses; null
/// for other values.
static Value findTerm(BlockArgument sum, Value next) {
  auto add = next.getDefiningOp<AddOp>();
  if (!add || !next.hasOneUse() || !sum.hasOneUse() ||
      *sum.user_begin() != add || sum.getType() != next.getType())
    return {};
  Value term = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  return term.getType() == sum.getType() ? term : Value();
}

void ScanSplitter::chooseSums(bool isOfProducts) {
  for (unsigned number = 0; number < carries; ++number) {
    Value term = findTerm(body.getArgument(number), yielded[number]);
    if (!term || behind.contains(number) || !canSum(term, isOfProducts))
      continue;
    behind.insert(number);
    needSum(term);
  }
}

void ScanSplitter::chooseStacked() {
  for (unsigned number = carries; number < yielded.size(); ++number) {
    auto op = yielded[number].getDefiningOp<BatchableOpInterface>();
    if (!op || op->getBlock() != &body || !yielded[number].hasOneUse() ||
        !isa<ContractionOpInterface>(op.getOperation()))
      continue;
    SmallVector<bool> stepped = findStepped(op);
    // Nothing more is stored than before: an operand replaces the result.
    unsigned stored = llvm::count_if(op->getOperands(), [&](Value operand) {
      return isInside(operand) && !isStacked(operand);
    });
    if (stored > (isOuter ? 0 : 1) || !llvm::is_contained(stepped, true) ||
        !op.canBatch(stepped))
      continue;
    behind.insert(number);
    need(op);
    ++moved;
  }
}

//===----------------------------------------------------------------------===//
// The remaining scan
//===----------------------------------------------------------------------===//

Value ScanSplitter::wholeOf(Value value) const {
  return isInside(value) ? wholes.lookup(value) : value;
}

Value ScanSplitter::buildSum(Value term) {
  Operation *op = term.getDefiningOp();
  SmallVector<Value> operands;
  if (!isLinear(op)) {
    for (Value operand : op->getOperands())
      operands.push_back(wholeOf(operand));
    Value sum = cast<BatchableOpInterface>(op).buildSumOfSteps(
        builder, operands, findStepped(op));
    return buildOfType(builder, op->getLoc(), sum,
                       cast<RankedTensorType>(term.getType()));
  }
  IRMapping sums;
  for (Value operand : op->getOperands())
    if (isInside(operand))
      sums.map(operand, buildSum(operand));
  return builder.clone(*op, sums)->getResult(0);
}

/// Returns the type of the stacked elements of all steps.
static RankedTensorType stackedTypeOf(Value element, int64_t length) {
  auto type = cast<RankedTensorType>(element.getType());
  SmallVector<int64_t> shape = {length};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

void ScanSplitter::rebuild() {
  ScanOp old = scan;
  int64_t length = old.getStaticLength();
  SmallVector<Value> inits, ends, stacked;
  for (unsigned number = 0; number < yielded.size(); ++number) {
    if (behind.contains(number))
      continue;
    if (number < carries)
      inits.push_back(old.getInits()[number]);
    (number < carries ? ends : stacked).push_back(yielded[number]);
  }
  stacked.append(needed.begin(), needed.end());
  SmallVector<Type> types(ValueRange(ends).getTypes());
  for (Value value : stacked)
    types.push_back(stackedTypeOf(value, length));
  scan = ScanOp::create(builder, old.getLoc(), types, inits, inputs,
                        old.getLengthAttr(), old.getReverseAttr(),
                        builder.getI64IntegerAttr(old.getSegments()));
  scan->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  for (auto [value, whole] :
       llvm::zip_equal(stacked, scan.getResults().drop_front(ends.size())))
    wholes[value] = whole;
  for (auto [number, input] : llvm::enumerate(inputs))
    wholes[body.getArgument(carries + number)] = input;
  replaceResults(old);
  SmallVector<Value> all(ends);
  llvm::append_range(all, stacked);
  body.getTerminator()->setOperands(all);
}

void ScanSplitter::replaceResults(ScanOp old) {
  builder.setInsertionPointAfter(scan);
  unsigned left = 0;
  for (unsigned number = 0; number < yielded.size(); ++number) {
    OpResult result = old->getResult(number);
    Value value;
    if (!behind.contains(number)) {
      value = number < carries ? scan.getResult(left++)
                               : wholes.lookup(yielded[number]);
    } else if (number < carries) {
      Value term = findTerm(body.getArgument(number), yielded[number]);
      value = buildSum(term);
      Value init = old.getInits()[number];
      // Initial values of gradients are zeros.
      if (!matchPattern(init, m_AnyZeroFloat()))
        value = AddOp::create(builder, old.getLoc(), init, value);
    } else {
      auto op = yielded[number].getDefiningOp<BatchableOpInterface>();
      SmallVector<Value> operands = llvm::map_to_vector(
          op->getOperands(), [&](Value operand) { return wholeOf(operand); });
      value = op.buildBatched(builder, operands, findStepped(op));
    }
    result.replaceAllUsesWith(
        buildOfType(builder, old.getLoc(), value,
                    cast<RankedTensorType>(result.getType())));
  }
}

/// Erases unused ops of a body.
static void eraseUnused(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Returns true if the length of a scan is known without one of its inputs.
static bool tellsLengthWithout(ScanOp scan, unsigned without) {
  bool isUnknown = ShapedType::isDynamic(scan.getStaticLength());
  if (scan.getInputs().size() == 1)
    return !isUnknown;
  for (auto [number, input] : llvm::enumerate(scan.getInputs()))
    if (number != without &&
        (isUnknown || !cast<RankedTensorType>(input.getType()).isDynamicDim(0)))
      return true;
  return false;
}

/// Removes inputs whose elements are unused.
static void eraseUnusedInputs(ScanOp scan) {
  Block &body = scan.getBlock();
  unsigned carries = scan.getInits().size();
  int64_t length = scan.getStaticLength();
  bool hadInputs = !scan.getInputs().empty();
  for (unsigned number = scan.getInputs().size(); number-- > 0;)
    if (body.getArgument(carries + number).use_empty() &&
        tellsLengthWithout(scan, number)) {
      scan.getInputsMutable().erase(number);
      body.eraseArgument(carries + number);
    }
  if (hadInputs && scan.getInputs().empty())
    scan.setLength(length);
}

unsigned ScanSplitter::run() {
  moveBefore();
  chooseSums(/*isOfProducts=*/true);
  chooseSums(/*isOfProducts=*/false);
  chooseStacked();
  chooseSums(/*isOfProducts=*/false);
  if (moved == 0)
    return 0;
  ScanOp old = scan;
  rebuild();
  eraseUnused(body);
  for (unsigned number = carries; number-- > 0;)
    if (behind.contains(number))
      body.eraseArgument(number);
  scan.getBody().takeBody(old.getBody());
  old.erase();
  eraseUnusedInputs(scan);
  return moved;
}
