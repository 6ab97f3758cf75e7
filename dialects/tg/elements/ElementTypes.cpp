//===- ElementTypes.cpp - the element types of tensors, a closed list -----===//
#include "dialects/tg/elements/ElementTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type tg::mlirTypeOf(ElementType element, MLIRContext *context) {
  switch (element) {
  case ElementType::f32:
    return Float32Type::get(context);
  case ElementType::f64:
    return Float64Type::get(context);
  case ElementType::i8:
    return IntegerType::get(context, 8);
  case ElementType::i16:
    return IntegerType::get(context, 16);
  case ElementType::i32:
    return IntegerType::get(context, 32);
  case ElementType::i64:
    return IntegerType::get(context, 64);
  case ElementType::ui8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case ElementType::i1:
    return IntegerType::get(context, 1);
  }
  llvm_unreachable("all element types are above");
}

std::optional<ElementType> tg::findElementType(Type type) {
  for (unsigned index = 0; index < std::size(kElementTypes); ++index)
    if (mlirTypeOf(ElementType(index), type.getContext()) == type)
      return ElementType(index);
  return std::nullopt;
}

ElementType tg::elementOf(Type type) {
  std::optional<ElementType> element = findElementType(type);
  assert(element && "G1 refuses other types");
  return *element;
}

int64_t tg::elementBytes(Type elementType) {
  return typeInfoOf(elementOf(elementType)).dtype.bits / 8;
}

/// Returns the type without its sign.
static Type signlessTypeOf(ElementType element, MLIRContext *context) {
  Type type = mlirTypeOf(element, context);
  if (type.isInteger())
    return IntegerType::get(context, type.getIntOrFloatBitWidth());
  return type;
}

Type tg::computeType(Type elementType) {
  return signlessTypeOf(typeInfoOf(elementOf(elementType)).compute,
                        elementType.getContext());
}

Type tg::sumType(Type elementType) {
  return signlessTypeOf(typeInfoOf(elementOf(elementType)).sum,
                        elementType.getContext());
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Returns true for types of indices and, with `orLabel`, for ui8, which has
/// room for class labels but not for indices along all axes.
static bool isIndexType(ElementType element, bool orLabel) {
  switch (element) {
  case ElementType::i32:
  case ElementType::i64:
    return true;
  case ElementType::ui8:
    return orLabel;
  case ElementType::f32:
  case ElementType::f64:
  case ElementType::i8:
  case ElementType::i16:
  case ElementType::i1:
    return false;
  }
  llvm_unreachable("all element types are above");
}

static bool isInClass(ElementType element, ElementClass elements) {
  tg_rounding_t rounding = typeInfoOf(element).rounding;
  switch (elements) {
  case ElementClass::floating:
    return rounding == TG_ROUNDING_NEAREST;
  case ElementClass::integer:
    return rounding == TG_ROUNDING_WRAPS;
  case ElementClass::numeric:
    return rounding != TG_ROUNDING_TRUTH;
  case ElementClass::logical:
    return rounding != TG_ROUNDING_NEAREST;
  case ElementClass::any:
    return true;
  case ElementClass::index:
    return isIndexType(element, /*orLabel=*/false);
  case ElementClass::label:
    return isIndexType(element, /*orLabel=*/true);
  case ElementClass::boolean:
    return rounding == TG_ROUNDING_TRUTH;
  }
  llvm_unreachable("all classes are above");
}

static std::optional<SampleFormat> sampleFormatOf(ElementType element) {
  switch (element) {
  case ElementType::f32:
    return SampleFormat::f32;
  case ElementType::f64:
    return SampleFormat::f64;
  case ElementType::i8:
  case ElementType::i16:
  case ElementType::i32:
  case ElementType::i64:
  case ElementType::ui8:
  case ElementType::i1:
    return std::nullopt;
  }
  llvm_unreachable("all element types are above");
}

std::optional<SampleFormat> tg::sampleFormatOf(Type elementType) {
  std::optional<ElementType> element = findElementType(elementType);
  return element ? ::sampleFormatOf(*element) : std::nullopt;
}

bool tg::isInClass(Type type, ElementClass elements) {
  std::optional<ElementType> element = findElementType(type);
  return element && ::isInClass(*element, elements);
}

bool tg::isTensorOf(Type type, ElementClass elements) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isInClass(tensor.getElementType(), elements);
}

std::string tg::describe(ElementClass elements) {
  llvm::SmallVector<StringRef> names;
  for (unsigned index = 0; index < std::size(kElementTypes); ++index)
    if (::isInClass(ElementType(index), elements))
      names.push_back(kElementTypes[index].name);
  std::string text = names.pop_back_val().str();
  if (names.empty())
    return text;
  return llvm::join(names, ", ") + " or " + text;
}
