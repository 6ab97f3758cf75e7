//===- TgDialect.cpp - registration and the constraints of every op -------===//
#include "dialects/tg/Device.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/Sentences.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ElementInterfaces.cpp.inc"
#include "dialects/tg/RegionInterfaces.cpp.inc"
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
  return llvm::map_to_vector(
      list, [](Attribute entry) { return cast<IntegerAttr>(entry).getInt(); });
}

void tg::setSizeEntry(Operation *op, unsigned index, int64_t size) {
  Builder builder(op->getContext());
  for (StringRef name : cast<DynamicSizesOpInterface>(op).getSizeAttributes()) {
    Attribute attribute = op->getInherentAttr(name).value_or(Attribute());
    SmallVector<int64_t> list;
    if (auto array = dyn_cast_if_present<ArrayAttr>(attribute))
      list = integersOf(array);
    else if (auto single = dyn_cast_if_present<IntegerAttr>(attribute))
      list.push_back(single.getInt());
    for (int64_t &entry : list) {
      if (entry != -1 || index-- != 0)
        continue;
      entry = size;
      Attribute attributeWithSize =
          isa<ArrayAttr>(attribute) ? Attribute(builder.getI64ArrayAttr(list))
                                    : builder.getI64IntegerAttr(size);
      op->setInherentAttr(builder.getStringAttr(name), attributeWithSize);
      return;
    }
  }
  llvm_unreachable("G4: each dynamic operand fills a -1");
}

bool tg::isElementwise(Operation *op) {
  auto element = dyn_cast<ElementOpInterface>(op);
  return op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         (element && element.isElementwise());
}

Value tg::withoutViews(Value value) {
  while (auto view = value.getDefiningOp<ViewOpInterface>())
    value = view.getViewedOperand().get();
  return value;
}

//===----------------------------------------------------------------------===//
// General constraints
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaximumRank = 16;

bool tg::isAdmittedTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return false;
  return findElementType(tensor.getElementType()).has_value();
}

/// Returns "" for a valid type. Otherwise returns the part of a message that
/// follows the name of the value: the type that G1 requires and the found one.
/// G1 is about form, element type, rank and byte count.
static std::string findTypeFault(Type type) {
  std::string fault;
  llvm::raw_string_ostream stream(fault);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!isAdmittedTensor(type)) {
    stream << "to be a ranked tensor without encoding of "
           << describe(ElementClass::any) << ", found '" << type << "' [G1]";
    return fault;
  }
  if (tensor.getRank() > kMaximumRank) {
    stream << "to have a rank up to " << kMaximumRank << ", found "
           << tensor.getRank() << " [G1]";
    return fault;
  }
  SmallVector<int64_t> extents;
  for (int64_t extent : tensor.getShape())
    if (!ShapedType::isDynamic(extent))
      extents.push_back(extent);
  if (!checkedByteCount(extents, tensor.getElementType()))
    stream << "to have fewer than 2^63 bytes, found '" << tensor << "' [G1]";
  return fault;
}

LogicalResult tg::verifyTensorType(Operation *op, Type type,
                                   const Twine &what) {
  std::string fault = findTypeFault(type);
  if (fault.empty())
    return success();
  return op->emitOpError() << "expected " << what << " " << fault;
}

LogicalResult tg::checkResultTypes(StringRef opName,
                                   std::optional<Location> loc,
                                   TypeRange inferred, TypeRange types) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (inferred.size() != types.size())
    stream << "expected " << inferred.size() << " results, found "
           << types.size() << " [G2]";
  for (auto [index, expected, found] : llvm::enumerate(inferred, types)) {
    if (expected != found)
      stream << "expected result " << index + 1 << " to be '" << expected
             << "', found '" << found << "' [G2]";
    else if (!isAdmittedTensor(found))
      stream << "expected result " << index + 1
             << " to be a ranked tensor without encoding of "
             << describe(ElementClass::any) << ", found '" << found << "' [G1]";
    if (!message.empty())
      break;
  }
  if (message.empty())
    return success();
  return emitOptionalError(loc, "'", opName, "' op ", message);
}

LogicalResult tg::verifyDevice(Operation *op, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  auto [kind, number] =
      text ? text.getValue().split(':') : std::pair<StringRef, StringRef>();
  unsigned index;
  if (!kind.empty() && llvm::all_of(kind, llvm::isLower) && number.size() < 6 &&
      !number.getAsInteger(10, index))
    return success();
  return op->emitOpError() << "expected tg.device like \"gpu:1\", found "
                           << value << " [G5]";
}

/// Returns a suggestion for the attribute name that an unknown name may mean.
static std::string suggestAttribute(Operation *op, StringRef name) {
  SmallVector<StringRef> known;
  for (StringAttr attribute : op->getName().getAttributeNames())
    if (attribute != "operandSegmentSizes")
      known.push_back(attribute);
  return suggestName(name, known);
}

LogicalResult tg::OpTrait::verifyGeneralConstraints(Operation *op) {
  // Names of operands are computed only for a message, because that is slow.
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (!findTypeFault(type).empty())
      return verifyTensorType(op, type, describeOperand(op, index));
  // Inferred results of types that are not admitted are left to the shape rule
  // of the op, which reports the expected type.
  bool isInferred = isa<InferTypeOpInterface>(op);
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if ((!isInferred || isAdmittedTensor(type)) &&
        failed(verifyTensorType(op, type, "result " + Twine(index + 1))))
      return failure();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().strref();
    if (!name.contains('.'))
      return op->emitOpError() << "has no attribute '" << name << "'"
                               << suggestAttribute(op, name) << " [G5]";
    if (name == kDeviceAttr) {
      if (failed(verifyDevice(op, attribute.getValue())))
        return failure();
      continue;
    }
    if (name == kOrderAttr) {
      if (failed(verifyOrderAttribute(op, attribute.getValue())))
        return failure();
      continue;
    }
    if (name.starts_with("tg."))
      return op->emitOpError()
             << "expected no attribute '" << name << "' on an op [G5]";
  }
  return success();
}
