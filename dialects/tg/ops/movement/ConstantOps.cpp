//===- ConstantOps.cpp - constants, iota and dim --------------------------===//
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/movement/ConstantOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

LogicalResult
ConstantOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                         SmallVectorImpl<TensorExtents> &results) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type)
    return inference.fail("expected the value of a ranked tensor, found " +
                          llvm::to_string(adaptor.getValue().getType()) +
                          " [C1]");
  if (type.getEncoding())
    return inference.fail(
        "expected the value of a tensor without encoding, found " +
        llvm::to_string(type.getEncoding()) + " [G1]");
  TensorExtents extents{type.getElementType(), {}};
  for (int64_t extent : type.getShape())
    extents.dims.push_back(inference.constant(extent));
  results.push_back(std::move(extents));
  return success();
}

LogicalResult tg::verifyConstantValue(Operation *op, ElementsAttr value) {
  if (isa<DenseElementsAttr>(value))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return op->emitOpError()
           << "expected dense<...> or dense_resource<...>, found " << value
           << " [C1]";
  // checkedByteCount() below needs an element type that the dialect admits.
  if (failed(verifyTensorType(op, resource.getType(), "the value")))
    return failure();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op->emitOpError()
           << "expected resource '" << resource.getRawHandle().getKey()
           << "' to be present [C1]";
  std::optional<int64_t> bytes = checkedByteCount(resource.getType().getShape(),
                                                  resource.getElementType());
  if (!bytes || int64_t(blob->getData().size()) != *bytes)
    return op->emitOpError()
           << "expected a resource of " << bytes.value_or(-1)
           << " bytes, found " << blob->getData().size() << " [C1]";
  uint64_t alignment = blob->getDataAlignment();
  if (!llvm::isPowerOf2_64(alignment) || alignment > 4096)
    return op->emitOpError()
           << "expected a resource aligned to a power of two up to 4096, found "
           << alignment << " [C1]";
  return success();
}

LogicalResult ConstantOp::verify() {
  return verifyConstantValue(*this, getValue());
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

AffineExpr ConstantOp::inferSize(ShapeInference &inference) {
  auto value = dyn_cast<DenseIntElementsAttr>(getValue());
  if (!value || getType().getRank() != 0 ||
      !getType().getElementType().isSignlessInteger(64))
    return {};
  return inference.constant(value.getSplatValue<APInt>().getSExtValue());
}

std::string ConstantOp::evaluate(ArrayRef<HostTensor>,
                                 MutableArrayRef<HostTensor> results) {
  std::optional<HostTensor> value = HostTensor::fromAttribute(
      getValue(), std::numeric_limits<int64_t>::max());
  if (!value)
    return "expected the values of the constant, found none";
  results[0] = std::move(*value);
  return {};
}

// Builds a splat. Other constants are loaded from memory, so this returns null
// for them.
Value ConstantOp::buildElement(ElementBuilder &element, const Position &) {
  auto value = dyn_cast<DenseElementsAttr>(getValue());
  if (!value || !value.isSplat())
    return {};
  Type type = computeType(getType().getElementType());
  TypedAttr number;
  if (isa<FloatType>(type))
    number = FloatAttr::get(type, value.getSplatValue<APFloat>());
  else
    number = IntegerAttr::get(type, value.getSplatValue<APInt>());
  return element.splat(
      arith::ConstantOp::create(element.builder, element.loc, number));
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  SmallVector<int64_t> shape = adaptor.getShape();
  FailureOr<SmallVector<AffineExpr>> dims =
      inference.fillList(shape, adaptor.getDynamic(), "shape");
  if (failed(dims) ||
      failed(inference.checkAxis(adaptor.getAxis(), shape.size())))
    return failure();
  Type type = adaptor.getElementType().getValue();
  if (!isInClass(type, ElementClass::numeric)) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return inference.fail("expected element_type " +
                          describe(ElementClass::numeric) + ", found " + found +
                          " [C2]");
  }
  results.push_back({type, *dims});
  return success();
}

std::string IotaOp::evaluate(ArrayRef<HostTensor>,
                             MutableArrayRef<HostTensor> results) {
  HostTensor &result = results[0];
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t element = 0; element < result.getNumElements(); ++element)
      result.values<T>()[element] =
          T(unflatten(element, result.getShape())[getAxis()]);
  });
  return {};
}

Value IotaOp::buildElement(ElementBuilder &element, const Position &position) {
  Value index = element.laneIndex(position, getAxis());
  Type type = element.elementType(getType().getElementType());
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return arith::SIToFPOp::create(element.builder, element.loc, type, index);
  if (bits == 64)
    return index;
  return arith::TruncIOp::create(element.builder, element.loc, type, index);
}

//===----------------------------------------------------------------------===//
// dim
//===----------------------------------------------------------------------===//

LogicalResult DimOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                  SmallVectorImpl<TensorExtents> &results) {
  results.push_back({IntegerType::get(inference.getContext(), 64), {}});
  return inference.checkAxis(adaptor.getAxis(),
                             typeOf(adaptor.getInput()).getRank());
}

AffineExpr DimOp::inferSize(ShapeInference &inference) {
  return inference.extentsOf(getInput())[getAxis()];
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  RankedTensorType input = typeOf(getInput());
  if (input.isDynamicDim(getAxis()))
    return {};
  return DenseElementsAttr::get(getType(), input.getDimSize(getAxis()));
}

std::string DimOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  results[0].values<int64_t>()[0] = operands[0].getShape()[getAxis()];
  return {};
}

Value DimOp::buildElement(ElementBuilder &element, const Position &) {
  return element.splat(element.operandExtent(0, getAxis()));
}
