//===- ScanOps.cpp - loops over the leading axis --------------------------===//
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/Regions.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;

/// Prints an extent of a type for messages.
static std::string printStaticExtent(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

/// Prints the type of a tensor.
static std::string printType(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream(text) << tensor.getType();
  return text;
}

/// Returns a type without its leading extent.
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

/// Checks C3 and C4.
static LogicalResult verifyLength(ScanOp scan) {
  int64_t length = ShapedType::kDynamic;
  for (auto [index, input] : llvm::enumerate(scan.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0)
      return scan.emitOpError() << "expected inputs of rank 1 or more, found "
                                << type << " as input " << index << " [C3]";
    int64_t extent = type.getDimSize(0);
    if (ShapedType::isDynamic(length))
      length = extent;
    else if (!ShapedType::isDynamic(extent) && extent != length)
      return scan.emitOpError()
             << "expected inputs of equal leading extents, found " << length
             << " and " << extent << " [C3]";
  }
  bool hasLength = scan.getLength().has_value();
  if (!hasLength && scan.getInputs().empty())
    return scan.emitOpError()
           << "expected a length, since there are no inputs, found none [C4]";
  if (hasLength && !scan.getInputs().empty())
    return scan.emitOpError()
           << "expected no length if there are inputs, found "
           << scan.getLengthAttr().getInt() << " [C4]";
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

/// Checks that the extents of stacked elements are known when the loop begins:
/// they must not use symbols that were created after `before`.
static LogicalResult checkElements(ShapeInference &inference,
                                   AffineSymbolExpr before,
                                   ArrayRef<TensorExtents> elements) {
  for (auto [index, element] : llvm::enumerate(elements))
    for (auto [axis, extent] : llvm::enumerate(element.dims)) {
      bool isLate = false;
      extent.walk([&](AffineExpr part) {
        auto symbol = dyn_cast<AffineSymbolExpr>(part);
        isLate |= symbol && symbol.getPosition() > before.getPosition();
      });
      if (isLate)
        return inference.fail("expected dim " + Twine(axis) +
                              " of stacked element " + Twine(index) +
                              " to be known when the loop begins, found a "
                              "number that differs from step to step [R0]");
    }
  return success();
}

LogicalResult ScanOp::inferExtents(ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  SmallVector<TensorExtents> carried = tensorExtentsOf(inference, getInits());
  SmallVector<TensorExtents> arguments = carried;
  AffineExpr length =
      getLength() ? inference.constant(*getLength()) : AffineExpr();
  for (auto [index, input] :
       llvm::enumerate(tensorExtentsOf(inference, getInputs()))) {
    if (length) {
      auto merged = inference.merge(
          length, input.dims[0], "the leading extent of input 0",
          "that of input " + Twine(index), "C3", "R1");
      if (failed(merged))
        return failure();
      length = *merged;
    } else {
      length = input.dims[0];
    }
    arguments.push_back({input.elementType, SmallVector<AffineExpr>(
                                                llvm::drop_begin(input.dims))});
  }
  // An extent gets its symbol when it is first queried. Values from outside
  // must have their symbols before `before`, so they are queried first.
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
  for (auto [index, init] : llvm::enumerate(carried))
    for (auto [axis, extent] : llvm::enumerate(init.dims))
      if (failed(inference.merge((*yielded)[index].dims[axis], extent,
                                 "dim " + Twine(axis) + " of carried value " +
                                     Twine(index),
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

/// Copies element `index` of a tensor along axis 0 from or, with `isStored`, to
/// its position.
static void copyElement(HostTensor &element, HostTensor &whole, int64_t index,
                        bool isStored) {
  char *target = whole.data() + index * element.getNumBytes();
  if (isStored)
    std::copy_n(element.data(), element.getNumBytes(), target);
  else
    std::copy_n(target, element.getNumBytes(), element.data());
}

std::string ScanOp::evaluateRegions(ArrayRef<HostTensor> operands, RunBlock run,
                                    SmallVectorImpl<HostTensor> &results) {
  size_t carriedCount = getInits().size();
  SmallVector<HostTensor> inputs(operands.drop_front(carriedCount));
  int64_t length = getLength() ? *getLength() : inputs[0].getShape()[0];
  for (auto [index, input] : llvm::enumerate(inputs))
    if (input.getShape()[0] != length)
      return "expected the leading extent of input " + std::to_string(index) +
             " to be " + std::to_string(length) + ", found " +
             std::to_string(input.getShape()[0]) + " [R1]";
  results.append(operands.begin(), operands.begin() + carriedCount);
  for (Value stacked : getStacked()) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(stacked.getType()).getShape());
    shape[0] = length;
    // A loop without steps stacks no elements, so its dynamic extents are 0.
    for (int64_t &extent : shape)
      extent = ShapedType::isDynamic(extent) ? 0 : extent;
    results.emplace_back(getElementTypeOrSelf(stacked), shape);
  }
  for (int64_t step = 0; step < length; ++step) {
    int64_t position = getReverse() ? length - 1 - step : step;
    SmallVector<HostTensor> arguments(results.begin(),
                                      results.begin() + carriedCount);
    for (HostTensor &input : inputs) {
      arguments.emplace_back(input.getElementType(),
                             input.getShape().drop_front());
      copyElement(arguments.back(), input, position, /*isStored=*/false);
    }
    SmallVector<HostTensor> yielded;
    if (std::string error = run(getBlock(), arguments, yielded); !error.empty())
      return error;
    for (size_t index = 0; index < yielded.size(); ++index) {
      HostTensor &value = yielded[index], &result = results[index];
      if (index < carriedCount) {
        if (value.getShape() != result.getShape())
          return "expected carried value " + std::to_string(index) +
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
      copyElement(value, result, position, /*isStored=*/true);
    }
  }
  return {};
}
