//===- TgDialect.cpp - registration and the constraints of every op -------===//
#include "dialects/tg/Tg.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/TgDialect.cpp.inc"
#include "dialects/tg/TgEnums.cpp.inc"
#include "dialects/tg/TgInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/tg/TgAttributes.cpp.inc"

void TgDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/tg/TgAttributes.cpp.inc"
      >();
  registerOperations();
}

Operation *TgDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

SmallVector<int64_t> tg::integersOf(ArrayAttr list) {
  return llvm::map_to_vector(list, [](Attribute entry) {
    return cast<IntegerAttr>(entry).getInt();
  });
}

//===----------------------------------------------------------------------===//
// General constraints
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaximumRank = 16;

/// G1: rank and byte count; the element types are checked by ODS.
static LogicalResult verifyTensorType(Operation *op, Type type,
                                      const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (tensor.getEncoding())
    return op->emitOpError() << "expected " << what
                             << " to have no encoding, found " << tensor
                             << " [G1]";
  if (tensor.getRank() > kMaximumRank)
    return op->emitOpError() << "expected " << what << " to have a rank up to "
                             << kMaximumRank << ", found " << tensor.getRank()
                             << " [G1]";
  SmallVector<int64_t> extents;
  for (int64_t extent : tensor.getShape())
    if (!ShapedType::isDynamic(extent))
      extents.push_back(extent);
  if (!checkedByteCount(extents, tensor.getElementType()))
    return op->emitOpError() << "expected " << what
                             << " to have fewer than 2^63 bytes, found "
                             << tensor << " [G1]";
  return success();
}

LogicalResult tg::OpTrait::verifyGeneralConstraints(Operation *op) {
  for (auto [number, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyTensorType(op, type, "operand " + Twine(number))))
      return failure();
  for (auto [number, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyTensorType(op, type, "result " + Twine(number))))
      return failure();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().strref();
    if (!name.contains('.'))
      return op->emitOpError() << "has no attribute '" << name << "' [G5]";
    if (name.starts_with("tg."))
      return op->emitOpError()
             << "expected no attribute '" << name << "' on an op [G5]";
  }
  return success();
}
