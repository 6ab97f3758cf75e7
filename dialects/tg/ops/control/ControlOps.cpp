//===- ControlOps.cpp - branches, loops and the ends of regions -----------===//
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/Regions.h"
#include "dialects/tg/ops/control/StateOps.h"

using namespace mlir;
using namespace tg;

/// Returns true if an op outside of a region uses a value that the region
/// defines. Ops before the region in a text may do so by name.
static bool isUsedOutside(Region &body) {
  auto isOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      // While the text is parsed, enclosing ops are not yet in a region, or
      // their region has no parent op.
      Region *region = user->getParentRegion();
      while (region && region != &body) {
        Operation *parent = region->getParentOp();
        region = parent ? parent->getParentRegion() : nullptr;
      }
      return !region;
    });
  };
  for (Block &block : body)
    if (llvm::any_of(block.getArguments(), isOutside))
      return true;
  return body
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResults(), isOutside)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

ParseResult tg::parseBody(OpAsmParser &parser, Region &body) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseRegion(body))) {
    if (!isUsedOutside(body))
      return success();
    parser.emitError(loc, "expected values that a region defines to be used "
                          "only in it, found a use before the region");
  }
  for (Block &block : body)
    block.dropAllDefinedValueUses();
  return failure();
}

void tg::printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body);
}

/// Parses a region without arguments. The text omits the terminator if it
/// yields nothing.
static ParseResult parseBranch(OpAsmParser &parser, Region &branch) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parseBody(parser, branch)))
    return failure();
  IfOp::ensureTerminator(branch, parser.getBuilder(),
                         parser.getEncodedSourceLoc(loc));
  return success();
}

static void printBranch(OpAsmPrinter &printer, Operation *, Region &branch) {
  printer.printRegion(branch, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      branch.front().getTerminator()->getNumOperands() > 0);
}

#include "dialects/tg/ops/control/ControlOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

LogicalResult IfOp::verifyRegions() {
  if (failed(checkYield(*this, 0, "then region", "C2")))
    return failure();
  return checkYield(*this, 1, "else region", "C2");
}

SmallVector<Type> IfOp::getYieldTypes(unsigned) {
  return SmallVector<Type>(getResultTypes());
}

/// Returns the extent of a result that has `thenExtent` in the then region and
/// `elseExtent` in the else region.
static AffineExpr chooseExtent(ShapeInference &inference, IfOp branch,
                               AffineExpr thenExtent, AffineExpr elseExtent) {
  // A static extent is part of the type, so both regions yield it or none does.
  bool isStatic = staticExtent(thenExtent) || staticExtent(elseExtent);
  if (!isStatic && inference.areEqual(thenExtent, elseExtent,
                                      branch.getThenRegion().front()))
    return elseExtent;
  if (thenExtent == elseExtent ||
      (!isStatic && inference.areEqual(thenExtent, elseExtent,
                                       branch.getElseRegion().front())))
    return thenExtent;
  AffineExpr upperBound = inference.greaterMost(thenExtent, elseExtent);
  return inference.found(upperBound ? upperBound : inference.unknown());
}

/// Infers the extents of the results. An extent that differs between the
/// regions is known after one has run. If one region checks that the extents
/// are equal, the result has the extent of the other region.
LogicalResult IfOp::inferExtents(ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  auto chosen = inference.visitBlock(getThenRegion().front(), {});
  auto other = inference.visitBlock(getElseRegion().front(), {});
  if (failed(chosen) || failed(other))
    return failure();
  for (auto [first, second] : llvm::zip_equal(*chosen, *other)) {
    results.push_back(first);
    for (auto [dim, extent] : llvm::zip_equal(results.back().dims, second.dims))
      dim = chooseExtent(inference, *this, dim, extent);
  }
  return success();
}

void IfOp::refineResults() {
  ValueRange chosen = getThenRegion().front().getTerminator()->getOperands();
  ValueRange other = getElseRegion().front().getTerminator()->getOperands();
  for (auto [result, a, b] : llvm::zip_equal(getResults(), chosen, other)) {
    auto first = cast<RankedTensorType>(a.getType());
    auto second = cast<RankedTensorType>(b.getType());
    SmallVector<int64_t> shape(first.getShape());
    for (auto [axis, extent] : llvm::enumerate(shape))
      if (extent != second.getDimSize(axis))
        extent = ShapedType::kDynamic;
    result.setType(first.clone(shape));
  }
  castYield(*this, 0);
  castYield(*this, 1);
}

std::string IfOp::evaluateRegions(ArrayRef<HostTensor> operands, RunBlock run,
                                  SmallVectorImpl<HostTensor> &results) {
  Region &taken = operands[0].integerAt(0) ? getThenRegion() : getElseRegion();
  return run(taken.front(), {}, results);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

SmallVector<Type> WhileOp::getYieldTypes(unsigned region) {
  if (region == 0)
    return {RankedTensorType::get({}, IntegerType::get(getContext(), 1))};
  return SmallVector<Type>(getInits().getTypes());
}

/// Returns true if the type of the next value differs from that of the first
/// value only in extents that are static in the first one. The loop is valid if
/// the first value has `?` for these extents.
static bool changesExtent(Type first, Type next) {
  auto from = cast<RankedTensorType>(first);
  auto to = dyn_cast<RankedTensorType>(next);
  return to && from.getElementType() == to.getElementType() &&
         from.getRank() == to.getRank() &&
         llvm::any_of(llvm::zip(from.getShape(), to.getShape()), [](auto both) {
           auto [extent, other] = both;
           return !ShapedType::isDynamic(extent) && extent != other;
         });
}

/// Checks C1 of the values that an iteration yields. The message explains what
/// to do if an extent differs between iterations.
static LogicalResult checkIteration(WhileOp loop) {
  Operation *end = loop.getBody().front().getTerminator();
  SmallVector<Type> inits = loop.getYieldTypes(1);
  size_t count = std::min<size_t>(inits.size(), end->getNumOperands());
  for (size_t index = 0; index < count; ++index) {
    Type first = inits[index];
    Type next = end->getOperand(index).getType();
    if (changesExtent(first, next))
      return loop.emitOpError()
             << "expected value " << index << " of the body to be " << first
             << ", found " << next
             << ": an extent that changes must be ? in the first value; "
                "tg.ensure_shape (ensureShape in C++) with -1 makes it ? [C1]";
  }
  return checkYield(loop, 1, "body", "C1");
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange inits = getInits().getTypes();
  if (failed(checkTypes(*this, getResultTypes(), inits, "results", "C1")) ||
      failed(checkTypes(*this, getCondition().getArgumentTypes(), inits,
                        "arguments of the condition", "C1")) ||
      failed(checkTypes(*this, getBody().getArgumentTypes(), inits,
                        "arguments of the body", "C1")) ||
      failed(checkIteration(*this)) ||
      failed(checkYield(*this, 0, "condition", "C2")))
    return failure();
  if (getMaxTripAttr() && getMaxTripAttr().getInt() < 1)
    return emitOpError() << "expected max_trip to be at least 1, found "
                         << getMaxTripAttr().getInt() << " [C3]";
  return success();
}

/// Visits the body of a loop once, with the current knowledge of extents that
/// differ between iterations, and records what the visit finds about them.
/// `carried` are the extents with which the body is visited.
static LogicalResult visitIteration(ShapeInference &inference, WhileOp loop,
                                    SmallVectorImpl<TensorExtents> &carried) {
  Block &body = loop.getBody().front();
  SmallVector<TensorExtents> inits =
      tensorExtentsOf(inference, loop.getInits());
  auto nameOf = [](size_t index, size_t axis) {
    return "dim " + std::to_string(axis) + " of carried value " +
           std::to_string(index);
  };
  carried = inits;
  for (auto [index, argument] : llvm::enumerate(body.getArguments()))
    for (auto [axis, dim] : llvm::enumerate(carried[index].dims))
      if (inference.varies(argument, axis))
        dim = inference.varyingExtent(argument, axis, nameOf(index, axis));
  auto yielded = inference.visitBlock(body, carried);
  if (failed(yielded))
    return failure();
  for (auto [index, argument] : llvm::enumerate(body.getArguments()))
    for (auto [axis, dim] : llvm::enumerate(carried[index].dims)) {
      AffineExpr next = (*yielded)[index].dims[axis];
      if (inference.varies(argument, axis))
        inference.boundVarying(argument, axis, dim, inits[index].dims[axis],
                               next, nameOf(index, axis));
      else if (!inference.areEqual(dim, next, body)) {
        inference.setVarying(argument, axis);
        // Outer loops see the new symbol in the same visit.
        dim = inference.varyingExtent(argument, axis, nameOf(index, axis));
      }
    }
  return success();
}

/// Infers the extents of the results. An extent that the body keeps, or checks
/// to be the same, equals the extent of the init. Any other extent may differ
/// between iterations.
LogicalResult WhileOp::inferExtents(ShapeInference &inference,
                                    SmallVectorImpl<TensorExtents> &results) {
  auto visit = [&] { return visitIteration(inference, *this, results); };
  if (failed(inference.repeat(visit)))
    return failure();
  return inference.visitBlock(getCondition().front(), results);
}

void WhileOp::refineArguments(const ExtentAnalysis &analysis) {
  SmallVector<Type> types;
  for (auto [init, argument] :
       llvm::zip_equal(getInits(), getBody().getArguments())) {
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [extent, known] :
         llvm::zip_equal(shape, analysis.extentsOf(argument)))
      if (!staticExtent(known))
        extent = ShapedType::kDynamic;
    types.push_back(type.clone(shape));
  }
  if (!types.empty())
    castTo((*this)->getOpOperands(), types);
  setTypes(getBody().getArguments(), types);
  setTypes(getCondition().getArguments(), types);
}

void WhileOp::refineResults() {
  setTypes(getResults(), getBody().getArgumentTypes());
  castYield(*this, 1);
}

std::string WhileOp::evaluateRegions(ArrayRef<HostTensor> operands,
                                     RunBlock run,
                                     SmallVectorImpl<HostTensor> &results) {
  results.append(operands.begin(), operands.end());
  for (int64_t iteration = 0;; ++iteration) {
    SmallVector<HostTensor> condition, next;
    if (std::string error = run(getCondition().front(), results, condition);
        !error.empty())
      return error;
    if (!condition[0].integerAt(0))
      return {};
    if (getMaxTrip() && iteration == int64_t(*getMaxTrip()))
      return "expected the condition to be false after " +
             std::to_string(iteration) +
             " iterations, which max_trip (maxTrip in C++) allows, found true "
             "[R1]";
    if (std::string error = run(getBody().front(), results, next);
        !error.empty())
      return error;
    results.assign(std::make_move_iterator(next.begin()),
                   std::make_move_iterator(next.end()));
  }
}
