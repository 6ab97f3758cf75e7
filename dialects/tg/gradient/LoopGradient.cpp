//===- LoopGradient.cpp - the gradient of while ---------------------------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/gradient/ForwardValues.h"
#include "dialects/tg/gradient/RegionCotangents.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"

using namespace mlir;
using namespace tg;

SmallVector<ValueFlow> WhileOp::getValueFlows() {
  SmallVector<ValueFlow> flows;
  auto flow = [&](OpOperand &from, unsigned index) {
    flows.push_back({&from, getCondition().getArgument(index)});
    flows.push_back({&from, getBody().getArgument(index)});
    flows.push_back({&from, getResult(index)});
  };
  for (OpOperand &init : getInitsMutable())
    flow(init, init.getOperandNumber());
  for (OpOperand &end : getBody().front().getTerminator()->getOpOperands())
    flow(end, end.getOperandNumber());
  return flows;
}

namespace {
/// Builds the gradient of one `while` with iterations 0 ... n-1: a `while` that
/// computes the cotangents of iterations n-1 to 0.
class WhileGradient {
public:
  WhileGradient(WhileOp op, OpBuilder &builder, ValueRange cotangents,
                RegionDifferentiator &differentiator)
      : op(op), body(op.getBody().front()), builder(builder),
        cotangents(cotangents), differentiator(differentiator),
        backward(builder, op.getLoc()) {}

  FailureOr<ValueCotangents> build();

private:
  /// Adds the arguments of the backward body: the number of remaining
  /// iterations, then the carried cotangents.
  void buildArguments();
  /// Builds the cotangents of one iteration.
  LogicalResult buildBody();
  /// Makes the forward `while` count its iterations and save the needed values
  /// in tensors [max_trip, ...].
  LogicalResult extendForward(ForwardValues &values, ArrayRef<Value> needed);
  /// Makes the body of the forward `while` save values of the iteration.
  void storeValues(ArrayRef<Value> needed);
  /// Loads the values that the forward loop saved in the iteration whose
  /// cotangents are computed.
  void loadValues(ForwardValues &values, ArrayRef<Value> needed,
                  ValueRange tapes);
  WhileOp buildBackward();
  Value integer(OpBuilder &builder, int64_t value) {
    return buildScalarConstant(builder, op.getLoc(), builder.getI64Type(),
                               value);
  }

  WhileOp op;
  Block &body;
  OpBuilder &builder;
  ValueRange cotangents;
  RegionDifferentiator &differentiator;
  BackwardBlock backward;
  /// The indices of the carried values that have a cotangent.
  SmallVector<unsigned> carried;
  /// The operands of the backward `while`, and the values that it yields.
  SmallVector<Value> inits, yielded;
  ValueCotangents outside;
};
} // namespace

void WhileGradient::buildArguments() {
  carried = findCarried(op, body.getArguments(), cotangents, differentiator);
  Block &block = backward.get();
  block.addArgument(RankedTensorType::get({}, builder.getI64Type()),
                    op.getLoc());
  inits.push_back({}); // the number of iterations, which extendForward() sets
  for (unsigned index : carried) {
    Value init = op.getInits()[index];
    block.addArgument(init.getType(), op.getLoc());
    inits.push_back(cotangents[index] ? cotangents[index]
                                      : buildZerosLike(builder, init));
  }
}

LogicalResult WhileGradient::buildBody() {
  Block &block = backward.get();
  OpBuilder inside = OpBuilder::atBlockEnd(&block, builder.getListener());
  Operation *end = body.getTerminator();
  Cotangents seeds;
  for (auto [position, index] : llvm::enumerate(carried))
    if (Value value = end->getOperand(index); differentiator.isActive(value))
      addCotangent(inside, seeds, value, block.getArgument(1 + position));
  FailureOr<Cotangents> found =
      differentiator.differentiate(end->getPrevNode(), seeds, inside);
  if (failed(found))
    return failure();
  for (unsigned index : carried) {
    Value argument = body.getArgument(index);
    Value cotangent = found->lookup(argument);
    yielded.push_back(cotangent ? cotangent : buildZerosLike(inside, argument));
  }
  outside = findOutside(*found, op.getBody(), differentiator);
  for (auto [value, cotangent] : outside) {
    Value sum = block.addArgument(value.getType(), op.getLoc());
    inits.push_back(buildZerosLike(builder, value));
    yielded.push_back(AddOp::create(inside, op.getLoc(), sum, cotangent));
  }
  YieldOp::create(inside, op.getLoc(), yielded);
  return success();
}

void WhileGradient::storeValues(ArrayRef<Value> needed) {
  Operation *end = body.getTerminator();
  OpBuilder inside(end);
  auto type = RankedTensorType::get({}, inside.getI64Type());
  Location loc = op.getLoc();
  Value iteration = body.addArgument(type, loc);
  op.getCondition().addArgument(type, loc);
  SmallVector<Value> stored = {
      AddOp::create(inside, loc, iteration, integer(inside, 1))};
  int64_t iterations = *op.getMaxTrip();
  for (Value value : needed) {
    auto element = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {iterations};
    llvm::append_range(shape, element.getShape());
    Value tape = body.addArgument(element.clone(shape), loc);
    op.getCondition().addArgument(tape.getType(), loc);
    SmallVector<int64_t> starts(shape.size(), 0);
    starts[0] = -1;
    stored.push_back(UpdateSliceOp::create(
        inside, loc, tape, buildWithLeadingOne(inside, value), iteration,
        inside.getI64ArrayAttr(starts), /*strides=*/nullptr));
  }
  end->insertOperands(end->getNumOperands(), stored);
}

LogicalResult WhileGradient::extendForward(ForwardValues &values,
                                           ArrayRef<Value> needed) {
  OpBuilder before(op);
  SmallVector<Value> extendedInits(op.getInits());
  extendedInits.push_back(integer(before, 0));
  for (Value value : needed) {
    Value zeros = values.buildZeros(before, value, {int64_t(*op.getMaxTrip())},
                                    /*missing=*/-1);
    if (!zeros)
      return op.emitOpError() << "expected the extents of values that the "
                                 "gradient saves in each "
                                 "iteration to be known before the loop, found "
                              << value.getType() << " [C5]";
    extendedInits.push_back(zeros);
  }
  storeValues(needed);
  auto extended =
      WhileOp::create(before, op.getLoc(), ValueRange(extendedInits).getTypes(),
                      extendedInits, op.getMaxTripAttr());
  copyDiscardable(op, extended);
  extended.getCondition().takeBody(op.getCondition());
  extended.getBody().takeBody(op.getBody());
  ResultRange results = extended.getResults();
  inits[0] = results[op.getNumResults()];
  loadValues(values, needed, results.drop_front(op.getNumResults() + 1));
  differentiator.replace(op, results.take_front(op.getNumResults()));
  return success();
}

void WhileGradient::loadValues(ForwardValues &values, ArrayRef<Value> needed,
                               ValueRange tapes) {
  Block &block = backward.get();
  OpBuilder inside = OpBuilder::atBlockBegin(&block, builder.getListener());
  Location loc = op.getLoc();
  Value iteration =
      SubOp::create(inside, loc, block.getArgument(0), integer(inside, 1));
  for (auto [value, tape] : llvm::zip_equal(needed, tapes)) {
    int64_t rank = cast<RankedTensorType>(tape.getType()).getRank();
    SmallVector<int64_t> starts(rank, 0), sizes = extentList(tape);
    starts[0] = -1;
    sizes[0] = 1;
    Value element = SliceOp::create(
        inside, loc, tape, iteration, inside.getI64ArrayAttr(starts),
        inside.getI64ArrayAttr(sizes), /*strides=*/nullptr);
    values.replace(value, buildWithoutLeadingOne(inside, element));
  }
  block.getTerminator()->insertOperands(0, iteration);
}

WhileOp WhileGradient::buildBackward() {
  Location loc = op.getLoc();
  Block &block = backward.get();
  auto loop = WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits,
                              op.getMaxTripAttr());
  Block &condition = loop.getCondition().emplaceBlock();
  condition.addArguments(block.getArgumentTypes(),
                         SmallVector<Location>(block.getNumArguments(), loc));
  OpBuilder inside = OpBuilder::atBlockEnd(&condition, builder.getListener());
  Value hasIteration = CompareOp::create(
      inside, loc, Predicate::gt, condition.getArgument(0), integer(inside, 0));
  YieldOp::create(inside, loc, hasIteration);
  loop.getBody().takeBody(backward.getRegion());
  return loop;
}

FailureOr<ValueCotangents> WhileGradient::build() {
  if (!op.getMaxTrip())
    return op.emitOpError()
           << "expected max_trip, found none: a gradient passes through this "
              "loop, and saves the values of at most max_trip iterations [C5]";
  buildArguments();
  if (failed(buildBody()))
    return failure();
  ForwardValues values(op, body, backward.get(), builder, differentiator,
                       /*isLoop=*/true);
  SmallVector<Value> needed = values.resolve();
  SmallVector<Value> forwardInits(op.getInits());
  if (failed(extendForward(values, needed)))
    return failure();
  ResultRange results = buildBackward().getResults().drop_front();
  ValueCotangents found;
  for (auto [index, cotangent] : llvm::zip(carried, results))
    if (differentiator.isActive(forwardInits[index]))
      found.push_back({forwardInits[index], cotangent});
  for (auto [pair, cotangent] :
       llvm::zip_equal(outside, results.drop_front(carried.size())))
    found.push_back({pair.first, cotangent});
  return found;
}

FailureOr<ValueCotangents>
WhileOp::buildRegionGradient(OpBuilder &builder, ValueRange cotangents,
                             RegionDifferentiator &differentiator) {
  return WhileGradient(*this, builder, cotangents, differentiator).build();
}
