//===- ScanGradient.cpp - the gradient of scan ----------------------------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/gradient/ForwardValues.h"
#include "dialects/tg/gradient/RegionCotangents.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"

using namespace mlir;
using namespace tg;

SmallVector<ValueFlow> ScanOp::getValueFlows() {
  SmallVector<ValueFlow> flows;
  unsigned carries = getInits().size();
  for (OpOperand &operand : (*this)->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    flows.push_back({&operand, getBlock().getArgument(index)});
    if (index < carries)
      flows.push_back({&operand, getResult(index)});
  }
  for (OpOperand &end : getBlock().getTerminator()->getOpOperands()) {
    unsigned index = end.getOperandNumber();
    flows.push_back({&end, getResult(index)});
    if (index < carries)
      flows.push_back({&end, getBlock().getArgument(index)});
  }
  return flows;
}

bool ScanOp::recomputesSteps() {
  int64_t length = getStaticLength();
  if (getSegments() == 0 || ShapedType::isDynamic(length) ||
      length > int64_t(getSegments()))
    return false;
  // Ops with side effects are not recomputed; their results are saved. Saving
  // is implemented only for ops of the body itself, not of nested regions.
  return !getBlock()
              .walk([&](Operation *op) {
                bool isInnerEffect = op->getBlock() != &getBlock() &&
                                     !op->getNumRegions() && !op->use_empty() &&
                                     !isMemoryEffectFree(op);
                return isInnerEffect ? WalkResult::interrupt()
                                     : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
/// Builds the gradient of one `scan`: a scan in opposite order.
class ScanGradient {
public:
  ScanGradient(ScanOp scan, OpBuilder &builder, ValueRange cotangents,
               RegionDifferentiator &differentiator)
      : scan(scan), body(scan.getBlock()), builder(builder),
        cotangents(cotangents), differentiator(differentiator),
        backward(builder, scan.getLoc()), block(backward.get()),
        inside(OpBuilder::atBlockEnd(&block, builder.getListener())) {}

  FailureOr<ValueCotangents> build();

private:
  /// Adds the arguments of the backward body: the carried cotangents, then the
  /// cotangents of the stacked results.
  void buildArguments();
  /// Recomputes the steps with copies of the body's ops, without effects.
  void copySteps();
  /// Returns the value that the copies of the body use in place of `value`.
  Value forwardOf(Value value) { return copies.lookupOrDefault(value); }
  /// Builds the cotangents of one step.
  LogicalResult buildBody(Operation *last);
  /// Adds an input to the backward scan. Returns the argument of the backward
  /// body that is the input's element for the step.
  Value addInput(Value input);
  /// Stacks the forward values that backward code needs and passes them to it
  /// as inputs.
  void passSaved(ForwardValues &values, ArrayRef<Value> needed);
  /// Returns, for each value of the body, the tensor that stacks it over all
  /// steps. Adds results to the forward scan for values that are not stacked
  /// yet.
  SmallVector<Value> stack(ArrayRef<Value> values);
  ScanOp buildBackward();

  ScanOp scan;
  Block &body;
  OpBuilder &builder;
  ValueRange cotangents;
  RegionDifferentiator &differentiator;
  BackwardBlock backward;
  Block &block;
  OpBuilder inside;
  IRMapping copies;
  /// The indices of the carried values that have a cotangent.
  SmallVector<unsigned> carried;
  /// For each stacked result with a cotangent: its index, and the argument of
  /// the backward body that is the element of the cotangent.
  SmallVector<std::pair<unsigned, Value>> stacked;
  /// The operands of the backward scan, and the values that it yields.
  SmallVector<Value> inits, inputs, yielded;
  ValueCotangents outside;
  /// The forward inputs whose elements have cotangents.
  SmallVector<Value> differentiated;
};
} // namespace

/// Returns the type of a tensor's elements along axis 0.
static RankedTensorType elementTypeOf(Value stacked) {
  auto type = cast<RankedTensorType>(stacked.getType());
  return type.clone(type.getShape().drop_front());
}

Value ScanGradient::addInput(Value input) {
  inputs.push_back(input);
  return block.addArgument(elementTypeOf(input), scan.getLoc());
}

void ScanGradient::buildArguments() {
  carried = findCarried(scan, scan.getCarries(), cotangents, differentiator);
  for (unsigned index : carried) {
    Value init = scan.getInits()[index];
    block.addArgument(init.getType(), scan.getLoc());
    inits.push_back(cotangents[index] ? cotangents[index]
                                      : buildZerosLike(builder, init));
  }
  for (unsigned index = scan.getInits().size(); index < cotangents.size();
       ++index)
    if (cotangents[index])
      stacked.push_back({index, addInput(cotangents[index])});
}

//===----------------------------------------------------------------------===//
// Forward values
//===----------------------------------------------------------------------===//

SmallVector<Value> ScanGradient::stack(ArrayRef<Value> values) {
  Operation *end = body.getTerminator();
  SmallVector<Type> types(scan.getResultTypes());
  SmallVector<int64_t> resultIndices;
  unsigned carries = scan.getInits().size();
  for (Value value : values) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getArgNumber() >= carries) {
      resultIndices.push_back(-1); // an element of an input of the scan
      continue;
    }
    auto ends = end->getOperands().drop_front(carries);
    auto found = llvm::find(ends, value);
    resultIndices.push_back(carries + (found - ends.begin()));
    if (found != ends.end())
      continue;
    auto element = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {scan.getStaticLength()};
    llvm::append_range(shape, element.getShape());
    types.push_back(element.clone(shape));
    end->insertOperands(end->getNumOperands(), value);
  }
  SmallVector<Value> inputsBefore(scan.getInputs());
  if (types.size() > scan.getNumResults()) {
    OpBuilder before(scan);
    auto extended = ScanOp::create(
        before, scan.getLoc(), types, scan.getInits(), scan.getInputs(),
        scan.getLengthAttr(), scan.getReverseAttr(),
        before.getI64IntegerAttr(scan.getSegments()));
    copyDiscardable(scan, extended);
    extended.getBody().takeBody(scan.getBody());
    differentiator.replace(
        scan, extended.getResults().take_front(scan.getNumResults()));
    scan = extended;
  }
  SmallVector<Value> results;
  for (auto [value, resultIndex] : llvm::zip_equal(values, resultIndices))
    results.push_back(
        resultIndex >= 0
            ? scan.getResult(resultIndex)
            : scan.getInputs()[cast<BlockArgument>(value).getArgNumber() -
                               carries]);
  return results;
}

void ScanGradient::passSaved(ForwardValues &values, ArrayRef<Value> needed) {
  for (auto [value, whole] : llvm::zip_equal(needed, stack(needed)))
    values.replace(value, addInput(whole));
}

/// Erases the copies of ops with side effects; nothing uses their results.
static void discardEffects(Block &copies,
                           RegionDifferentiator &differentiator) {
  SmallVector<Operation *> effects;
  copies.walk([&](Operation *op) {
    if (!op->getNumRegions() && !isMemoryEffectFree(op))
      effects.push_back(op);
  });
  for (Operation *op : effects)
    differentiator.discard(op);
}

void ScanGradient::copySteps() {
  SmallVector<Value> saved;
  for (Value argument : body.getArguments())
    if (!argument.use_empty())
      saved.push_back(argument);
  for (Operation &op : body.without_terminator())
    if (!op.getNumRegions() && !isMemoryEffectFree(&op))
      for (Value result : op.getResults())
        if (!result.use_empty())
          saved.push_back(result);
  for (auto [value, whole] : llvm::zip_equal(saved, stack(saved)))
    copies.map(value, addInput(whole));
  for (Operation &op : body.without_terminator())
    if (op.getNumRegions() || isMemoryEffectFree(&op))
      inside.clone(op, copies);
  differentiator.addCopies(copies);
  discardEffects(block, differentiator);
}

//===----------------------------------------------------------------------===//
// Backward scan
//===----------------------------------------------------------------------===//

LogicalResult ScanGradient::buildBody(Operation *last) {
  Operation *end = body.getTerminator();
  Cotangents seeds;
  auto addSeed = [&](unsigned index, Value cotangent) {
    Value value = forwardOf(end->getOperand(index));
    if (differentiator.isActive(value))
      addCotangent(inside, seeds, value, cotangent);
  };
  for (auto [position, index] : llvm::enumerate(carried))
    addSeed(index, block.getArgument(position));
  for (auto [index, cotangent] : stacked)
    addSeed(index, cotangent);
  FailureOr<Cotangents> found =
      differentiator.differentiate(last, seeds, inside);
  if (failed(found))
    return failure();
  for (unsigned index : carried) {
    Value carry = forwardOf(scan.getCarries()[index]);
    Value cotangent = found->lookup(carry);
    yielded.push_back(cotangent ? cotangent : buildZerosLike(inside, carry));
  }
  for (auto [value, cotangent] : *found)
    if (value.getParentBlock() != &block && value.getParentBlock() != &body &&
        differentiator.isActive(value))
      outside.push_back({value, cotangent});
  for (auto [position, pair] : llvm::enumerate(outside)) {
    auto [value, cotangent] = pair;
    Value sum = block.insertArgument(carried.size() + position, value.getType(),
                                     scan.getLoc());
    inits.push_back(buildZerosLike(builder, value));
    yielded.push_back(AddOp::create(inside, scan.getLoc(), sum, cotangent));
  }
  for (auto [element, input] :
       llvm::zip_equal(scan.getElements(), scan.getInputs()))
    if (Value cotangent = found->lookup(forwardOf(element));
        cotangent && differentiator.isActive(input)) {
      yielded.push_back(cotangent);
      differentiated.push_back(input);
    }
  return success();
}

ScanOp ScanGradient::buildBackward() {
  Location loc = scan.getLoc();
  int64_t length = scan.getStaticLength();
  if (inputs.empty() && ShapedType::isDynamic(length))
    addInput(scan.getInputs().front()); // only its length is used
  if (!inputs.empty())
    length = ShapedType::kDynamic;
  for (Value input : inputs)
    if (ShapedType::isDynamic(length))
      length = cast<RankedTensorType>(input.getType()).getDimSize(0);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  for (Value element : ArrayRef(yielded).drop_front(inits.size())) {
    auto type = cast<RankedTensorType>(element.getType());
    SmallVector<int64_t> shape = {length};
    llvm::append_range(shape, type.getShape());
    types.push_back(type.clone(shape));
  }
  auto result = ScanOp::create(
      builder, loc, types, inits, inputs,
      inputs.empty() ? builder.getI64IntegerAttr(length) : IntegerAttr(),
      scan.getReverse() ? UnitAttr() : builder.getUnitAttr(),
      builder.getI64IntegerAttr(0));
  result.getBody().takeBody(backward.getRegion());
  return result;
}

FailureOr<ValueCotangents> ScanGradient::build() {
  bool recomputes = scan.recomputesSteps();
  buildArguments();
  if (recomputes)
    copySteps();
  Operation *last = recomputes ? (block.empty() ? nullptr : &block.back())
                               : body.getTerminator()->getPrevNode();
  if (failed(buildBody(last)))
    return failure();
  YieldOp::create(inside, scan.getLoc(), yielded);
  ForwardValues values(scan, body, block, builder, differentiator,
                       /*isLoop=*/true);
  passSaved(values, values.resolve());
  ResultRange results = buildBackward().getResults();
  ValueCotangents found;
  for (unsigned index : carried) {
    if (Value init = scan.getInits()[index]; differentiator.isActive(init))
      found.push_back({init, results.front()});
    results = results.drop_front();
  }
  for (auto [pair, cotangent] : llvm::zip(outside, results))
    found.push_back({pair.first, cotangent});
  for (auto [input, cotangent] :
       llvm::zip_equal(differentiated, results.drop_front(outside.size())))
    found.push_back({input, cotangent});
  return found;
}

FailureOr<ValueCotangents>
ScanOp::buildRegionGradient(OpBuilder &builder, ValueRange cotangents,
                            RegionDifferentiator &differentiator) {
  return ScanGradient(*this, builder, cotangents, differentiator).build();
}
