//===- ControlOps.cpp - branches, loops and the ends of regions -----------===//
#include "dialects/tg/ControlOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;

/// Whether something outside of a region uses what it defines: what stands
/// before it in a text may do so by name.
static bool isUsedOutside(Region &body) {
  auto isOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      // What is around is in no region, or that of no op, until it is parsed.
      Region *place = user->getParentRegion();
      while (place && place != &body) {
        Operation *around = place->getParentOp();
        place = around ? around->getParentRegion() : nullptr;
      }
      return !place;
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
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseRegion(body))) {
    if (!isUsedOutside(body))
      return success();
    parser.emitError(place, "expected what a region defines to be used in it "
                            "alone, found a use before it");
  }
  for (Block &block : body)
    block.dropAllDefinedValueUses();
  return failure();
}

void tg::printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body);
}

/// A region without arguments, whose terminator is not written where it yields
/// nothing.
static ParseResult parseBranch(OpAsmParser &parser, Region &branch) {
  SMLoc place = parser.getCurrentLocation();
  if (failed(parseBody(parser, branch)))
    return failure();
  IfOp::ensureTerminator(branch, parser.getBuilder(),
                         parser.getEncodedSourceLoc(place));
  return success();
}

static void printBranch(OpAsmPrinter &printer, Operation *, Region &branch) {
  printer.printRegion(branch, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      branch.front().getTerminator()->getNumOperands() > 0);
}

#define GET_OP_CLASSES
#include "dialects/tg/ControlOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What control ops share
//===----------------------------------------------------------------------===//

/// Fails unless types are the expected ones, each told by `what` and its
/// number.
static LogicalResult checkTypes(Operation *op, TypeRange found,
                                TypeRange expected, StringRef what,
                                StringRef label) {
  if (found.size() != expected.size())
    return op->emitOpError()
           << "expected " << expected.size() << " values of the " << what
           << ", found " << found.size() << " [" << label << "]";
  for (auto [number, type, wanted] : llvm::enumerate(found, expected))
    if (type != wanted)
      return op->emitOpError()
             << "expected value " << number << " of the " << what << " to be "
             << wanted << ", found " << type << " [" << label << "]";
  return success();
}

/// Fails unless a region yields the types that its op says.
static LogicalResult checkYield(RegionOpInterface op, unsigned region,
                                StringRef what, StringRef label) {
  Operation *end = op->getRegion(region).front().getTerminator();
  return checkTypes(op, end->getOperandTypes(), op.getYieldTypes(region), what,
                    label);
}

/// Element types and extents of values.
static SmallVector<TensorExtents> describeAll(ShapeInference &inference,
                                              ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) {
    return TensorExtents{getElementTypeOrSelf(value),
                         inference.extentsOf(value)};
  });
}

/// Lets operands have these types.
static void castTo(MutableArrayRef<OpOperand> operands, TypeRange types) {
  OpBuilder builder(operands.empty() ? nullptr : operands[0].getOwner());
  for (auto [operand, type] : llvm::zip_equal(operands, types))
    operand.set(buildOfType(builder, operand.getOwner()->getLoc(),
                            operand.get(), cast<RankedTensorType>(type)));
}

/// Lets a region yield what it must.
static void castYield(RegionOpInterface op, unsigned region) {
  Operation *end = op->getRegion(region).front().getTerminator();
  if (end->getNumOperands())
    castTo(end->getOpOperands(), op.getYieldTypes(region));
}

static void setTypes(ValueRange values, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types))
    value.setType(type);
}

/// An extent of a type as messages have it.
static std::string printStaticExtent(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

/// A tensor's shape as text.
static std::string printType(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream(text) << tensor.getType();
  return text;
}

/// Whether a number is the greater one of `other` and of a part of it.
static bool isGreaterOfPart(ShapeInference &inference, AffineExpr number,
                            AffineExpr other) {
  bool isGreater = false;
  number.walk([&](AffineExpr part) {
    isGreater = isGreater || (part != number &&
                              (inference.greaterOf(part, other) == number ||
                               inference.greaterOf(other, part) == number));
  });
  return isGreater;
}

/// The greater of the most that two extents can be; a number that nothing is
/// known about where one has no bound. What is that already stays as it is:
/// bounds of loops in loops would grow else.
static AffineExpr greaterMost(ShapeInference &inference, AffineExpr a,
                              AffineExpr b) {
  AffineExpr first = inference.mostOf(a), second = inference.mostOf(b);
  if (!first || !second)
    return inference.unknown();
  if (isGreaterOfPart(inference, first, second))
    return first;
  if (isGreaterOfPart(inference, second, first))
    return second;
  return inference.greaterOf(first, second);
}

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

/// An extent that differs between the regions is known when one has run.
LogicalResult IfOp::inferExtents(ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  auto chosen = inference.visitBlock(getThenRegion().front(), {});
  auto other = inference.visitBlock(getElseRegion().front(), {});
  if (failed(chosen) || failed(other))
    return failure();
  for (auto [first, second] : llvm::zip_equal(*chosen, *other)) {
    results.push_back(first);
    for (auto [dim, extent] : llvm::zip_equal(results.back().dims, second.dims))
      if (dim != extent)
        dim = inference.found(greaterMost(inference, dim, extent));
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

LogicalResult WhileOp::verifyRegions() {
  TypeRange inits = getInits().getTypes();
  if (failed(checkTypes(*this, getResultTypes(), inits, "results", "C1")) ||
      failed(checkTypes(*this, getCondition().getArgumentTypes(), inits,
                        "arguments of the condition", "C1")) ||
      failed(checkTypes(*this, getBody().getArgumentTypes(), inits,
                        "arguments of the body", "C1")) ||
      failed(checkYield(*this, 1, "body", "C1")) ||
      failed(checkYield(*this, 0, "condition", "C2")))
    return failure();
  if (getMaxTripAttr() && getMaxTripAttr().getInt() < 1)
    return emitOpError() << "expected max_trip to be at least 1, found "
                         << getMaxTripAttr().getInt() << " [C3]";
  return success();
}

/// Visits the body of a loop once, with what is known by now of the extents
/// that differ from trip to trip, and says what it found of them. `carried` are
/// those that the body is visited with.
static LogicalResult visitTrip(ShapeInference &inference, WhileOp loop,
                               SmallVectorImpl<TensorExtents> &carried) {
  Block &body = loop.getBody().front();
  SmallVector<TensorExtents> inits = describeAll(inference, loop.getInits());
  auto nameOf = [](size_t number, size_t axis) {
    return "dim " + std::to_string(axis) + " of carried value " +
           std::to_string(number);
  };
  carried = inits;
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    for (auto [axis, dim] : llvm::enumerate(carried[number].dims))
      if (inference.varies(argument, axis))
        dim = inference.varyingExtent(argument, axis, nameOf(number, axis));
  auto yielded = inference.visitBlock(body, carried);
  if (failed(yielded))
    return failure();
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    for (auto [axis, dim] : llvm::enumerate(carried[number].dims)) {
      AffineExpr next = (*yielded)[number].dims[axis];
      if (inference.varies(argument, axis))
        inference.boundVarying(
            argument, axis, dim,
            greaterMost(inference, inits[number].dims[axis], next),
            nameOf(number, axis));
      else if (dim != next)
        inference.setVarying(argument, axis);
    }
  return success();
}

/// An extent that the body keeps is that of the init; any other one may differ
/// from trip to trip.
LogicalResult WhileOp::inferExtents(ShapeInference &inference,
                                    SmallVectorImpl<TensorExtents> &results) {
  auto visit = [&] { return visitTrip(inference, *this, results); };
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
  for (int64_t trip = 0;; ++trip) {
    SmallVector<HostTensor> condition, next;
    if (std::string error = run(getCondition().front(), results, condition);
        !error.empty())
      return error;
    if (!condition[0].integerAt(0))
      return {};
    if (getMaxTrip() && trip == int64_t(*getMaxTrip()))
      return "expected the condition to be false after " +
             std::to_string(trip) + " trips [R1]";
    if (std::string error = run(getBody().front(), results, next);
        !error.empty())
      return error;
    results.assign(std::make_move_iterator(next.begin()),
                   std::make_move_iterator(next.end()));
  }
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// A type without its leading extent.
static RankedTensorType elementTypeOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape().drop_front(),
                               tensor.getElementType());
}

int64_t ScanOp::getStaticLength() {
  if (getLength())
    return *getLength();
  for (Value input : getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!type.isDynamicDim(0))
      return type.getDimSize(0);
  }
  return ShapedType::kDynamic;
}

SmallVector<Type> ScanOp::getYieldTypes(unsigned) {
  SmallVector<Type> types(getInits().getTypes());
  for (Value stacked : getStacked())
    types.push_back(elementTypeOf(stacked.getType()));
  return types;
}

/// C3 and C4.
static LogicalResult verifyLength(ScanOp scan) {
  int64_t length = ShapedType::kDynamic;
  for (auto [number, input] : llvm::enumerate(scan.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0)
      return scan.emitOpError() << "expected inputs of rank 1 or more, found "
                                << type << " as input " << number << " [C3]";
    int64_t extent = type.getDimSize(0);
    if (ShapedType::isDynamic(length))
      length = extent;
    else if (!ShapedType::isDynamic(extent) && extent != length)
      return scan.emitOpError()
             << "expected inputs of one leading extent, found " << length
             << " and " << extent << " [C3]";
  }
  bool hasLength = scan.getLength().has_value();
  if (hasLength == !scan.getInputs().empty())
    return scan.emitOpError()
           << "expected "
           << (hasLength ? "no length beside" : "a length without")
           << " inputs [C4]";
  if (hasLength && scan.getLengthAttr().getInt() < 0)
    return scan.emitOpError() << "expected a length of at least 0, found "
                              << scan.getLengthAttr().getInt() << " [C4]";
  int64_t segments = scan.getSegmentsAttr().getInt();
  if (segments < 0)
    return scan.emitOpError() << "expected segments to be at least 0, found "
                              << segments << " [C5]";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  if (failed(verifyLength(*this)))
    return failure();
  TypeRange inits = getInits().getTypes();
  SmallVector<Type> arguments(inits);
  for (Type input : getInputs().getTypes())
    arguments.push_back(elementTypeOf(input));
  if (failed(checkTypes(*this, getBlock().getArgumentTypes(), arguments,
                        "arguments of the body", "C1")))
    return failure();
  if (getNumResults() < inits.size())
    return emitOpError() << "expected a result for each of " << inits.size()
                         << " inits, found " << getNumResults() << " [C2]";
  if (failed(
          checkTypes(*this, getLast().getTypes(), inits, "last results", "C2")))
    return failure();
  for (Value stacked : getStacked()) {
    auto type = cast<RankedTensorType>(stacked.getType());
    if (type.getRank() == 0 || type.getDimSize(0) != getStaticLength())
      return emitOpError() << "expected stacked results of leading extent "
                           << printStaticExtent(getStaticLength()) << ", found "
                           << type << " [C2]";
  }
  return checkYield(*this, 0, "body", "C2");
}

/// Elements that are stacked have extents that are known when the loop begins,
/// so none that came up after the number `before`.
static LogicalResult checkElements(ShapeInference &inference,
                                   AffineSymbolExpr before,
                                   ArrayRef<TensorExtents> elements) {
  for (auto [number, element] : llvm::enumerate(elements))
    for (auto [axis, extent] : llvm::enumerate(element.dims)) {
      bool isLate = false;
      extent.walk([&](AffineExpr part) {
        auto symbol = dyn_cast<AffineSymbolExpr>(part);
        isLate |= symbol && symbol.getPosition() > before.getPosition();
      });
      if (isLate)
        return inference.fail("expected dim " + Twine(axis) +
                              " of stacked element " + Twine(number) +
                              " to be known when the loop begins, found a "
                              "number that differs from step to step [R0]");
    }
  return success();
}

LogicalResult ScanOp::inferExtents(ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  SmallVector<TensorExtents> carried = describeAll(inference, getInits());
  SmallVector<TensorExtents> arguments = carried;
  AffineExpr length =
      getLength() ? inference.constant(*getLength()) : AffineExpr();
  for (auto [number, input] :
       llvm::enumerate(describeAll(inference, getInputs()))) {
    if (length) {
      auto merged = inference.merge(
          length, input.dims[0], "the leading extent of input 0",
          "that of input " + Twine(number), "C3", "R1");
      if (failed(merged))
        return failure();
      length = *merged;
    } else {
      length = input.dims[0];
    }
    arguments.push_back({input.elementType, SmallVector<AffineExpr>(
                                                llvm::drop_begin(input.dims))});
  }
  // Extents get their numbers when they are first asked for: those of outside
  // before all of the body.
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(getBody(), captured);
  for (Value value : captured)
    (void)inference.extentsOf(value);
  auto before = cast<AffineSymbolExpr>(inference.unknown());
  auto yielded = inference.visitBlock(getBlock(), arguments);
  if (failed(yielded) ||
      failed(checkElements(inference, before,
                           ArrayRef(*yielded).drop_front(carried.size()))))
    return failure();
  inference.setBlock(&getBlock());
  for (auto [number, init] : llvm::enumerate(carried))
    for (auto [axis, extent] : llvm::enumerate(init.dims))
      if (failed(inference.merge((*yielded)[number].dims[axis], extent,
                                 "dim " + Twine(axis) + " of carried value " +
                                     Twine(number),
                                 "that of its init", "C2", "R1")))
        return failure();
  results = std::move(carried);
  for (const TensorExtents &element :
       ArrayRef(*yielded).drop_front(results.size())) {
    results.push_back({element.elementType, {length}});
    llvm::append_range(results.back().dims, element.dims);
  }
  return success();
}

void ScanOp::refineArguments(const ExtentAnalysis &) {
  setTypes(getCarries(), getInits().getTypes());
  for (auto [element, input] : llvm::zip_equal(getElements(), getInputs()))
    element.setType(elementTypeOf(input.getType()));
}

void ScanOp::refineResults() {
  setTypes(getLast(), getInits().getTypes());
  ValueRange elements =
      getBlock().getTerminator()->getOperands().drop_front(getInits().size());
  for (auto [stacked, element] : llvm::zip_equal(getStacked(), elements)) {
    auto type = cast<RankedTensorType>(element.getType());
    SmallVector<int64_t> shape = {getStaticLength()};
    llvm::append_range(shape, type.getShape());
    stacked.setType(type.clone(shape));
  }
  castYield(*this, 0);
}

/// Element `index` of a tensor along axis 0, to or from its place.
static void copyElement(HostTensor &element, HostTensor &whole, int64_t index,
                        bool isStored) {
  char *place = whole.data() + index * element.getNumBytes();
  if (isStored)
    std::copy_n(element.data(), element.getNumBytes(), place);
  else
    std::copy_n(place, element.getNumBytes(), element.data());
}

std::string ScanOp::evaluateRegions(ArrayRef<HostTensor> operands, RunBlock run,
                                    SmallVectorImpl<HostTensor> &results) {
  size_t carries = getInits().size();
  SmallVector<HostTensor> inputs(operands.drop_front(carries));
  int64_t length = getLength() ? *getLength() : inputs[0].getShape()[0];
  for (auto [number, input] : llvm::enumerate(inputs))
    if (input.getShape()[0] != length)
      return "expected the leading extent of input " + std::to_string(number) +
             " to be " + std::to_string(length) + ", found " +
             std::to_string(input.getShape()[0]) + " [R1]";
  results.append(operands.begin(), operands.begin() + carries);
  for (Value stacked : getStacked()) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(stacked.getType()).getShape());
    shape[0] = length;
    // Of a loop without steps, unknown extents are those of nothing.
    for (int64_t &extent : shape)
      extent = ShapedType::isDynamic(extent) ? 0 : extent;
    results.emplace_back(getElementTypeOrSelf(stacked), shape);
  }
  for (int64_t step = 0; step < length; ++step) {
    int64_t place = getReverse() ? length - 1 - step : step;
    SmallVector<HostTensor> arguments(results.begin(),
                                      results.begin() + carries);
    for (HostTensor &input : inputs) {
      arguments.emplace_back(input.getElementType(),
                             input.getShape().drop_front());
      copyElement(arguments.back(), input, place, /*isStored=*/false);
    }
    SmallVector<HostTensor> yielded;
    if (std::string error = run(getBlock(), arguments, yielded); !error.empty())
      return error;
    for (size_t number = 0; number < yielded.size(); ++number) {
      HostTensor &value = yielded[number], &result = results[number];
      if (number < carries) {
        if (value.getShape() != result.getShape())
          return "expected carried value " + std::to_string(number) +
                 " to stay " + printType(result) + ", found " +
                 printType(value) + " [R1]";
        result = std::move(value);
        continue;
      }
      if (step == 0) {
        SmallVector<int64_t> shape = {length};
        llvm::append_range(shape, value.getShape());
        result = HostTensor(value.getElementType(), shape);
      }
      copyElement(value, result, place, /*isStored=*/true);
    }
  }
  return {};
}
