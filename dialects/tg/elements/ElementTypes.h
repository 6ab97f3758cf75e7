//===- ElementTypes.h - the element types of tensors, a closed list -------===//
//
// The rows of tg/dtypes.h for the compiler. Code that distinguishes element
// types uses visitElement(), or a switch over the enum without a default, so
// that the compiler reports every switch that lacks a new row.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_ELEMENTS_ELEMENTTYPES_H
#define TG_DIALECTS_TG_ELEMENTS_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "tg/dtypes.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <string>

namespace tg {

/// The element types, in the order in which messages list them.
enum class ElementType : uint8_t {
#define TG_ELEMENT(name, ...) name,
  TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
};

/// The properties of an element type: a row of TG_DTYPES in tg/dtypes.h.
struct ElementTypeInfo {
  const char *name;
  tg_dtype_t dtype;
  tg_rounding_t rounding;
  ElementType compute, sum, product;
};

/// The properties of all element types, in the order of the enum.
inline constexpr ElementTypeInfo kElementTypes[] = {
#define TG_ELEMENT(name, front, code, bits, host, rounding, compute, sum,      \
                   product, ...)                                               \
  {#name,                                                                      \
   {TG_DTYPE_##code, bits, 1},                                                 \
   TG_ROUNDING_##rounding,                                                     \
   ElementType::compute,                                                       \
   ElementType::sum,                                                           \
   ElementType::product},
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
};

/// Returns the properties of an element type.
constexpr const ElementTypeInfo &typeInfoOf(ElementType element) {
  return kElementTypes[unsigned(element)];
}

/// The C++ type of an element in memory.
template <ElementType element> struct HostTypeOf;
#define TG_ELEMENT(name, front, code, bits, host, ...)                         \
  template <> struct HostTypeOf<ElementType::name> {                           \
    using type = host;                                                         \
  };
TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
template <ElementType element>
using HostType = typename HostTypeOf<element>::type;

/// Calls `function` with the element type as a constant:
///   visitElement(type, [&]<ElementType element>() { ... });
template <typename Function>
auto visitElement(ElementType element, Function function) {
  switch (element) {
#define TG_ELEMENT(name, ...)                                                  \
  case ElementType::name:                                                      \
    return function.template operator()<ElementType::name>();
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  }
  llvm_unreachable("all element types are above");
}

/// Returns the element type for an MLIR type, or none for types that G1
/// rejects.
std::optional<ElementType> findElementType(mlir::Type type);
/// Returns the element type for the type of a verified tensor.
ElementType elementOf(mlir::Type type);

/// Returns the MLIR type of elements in tensors.
mlir::Type mlirTypeOf(ElementType element, mlir::MLIRContext *context);

/// Returns the number of bytes of one element in memory.
int64_t elementBytes(mlir::Type elementType);

/// Returns the signless type of an element type in registers, in which elements
/// are computed. The ops carry the sign.
mlir::Type computeType(mlir::Type elementType);
/// Returns the signless type in registers of sums of elements.
mlir::Type sumType(mlir::Type elementType);

/// The classes F, I, N, L, T of the specification, the index types X, the types
/// of class labels, and booleans.
enum class ElementClass {
  floating,
  integer,
  numeric,
  logical,
  any,
  index,
  label,
  boolean
};

/// Returns true if the class contains the type; no class contains a type that
/// G1 rejects.
bool isInClass(mlir::Type type, ElementClass elements);
/// Returns true if the type is a ranked tensor of the class.
bool isTensorOf(mlir::Type type, ElementClass elements);

/// Returns the types of the class, for messages: "f32 or f64".
std::string describe(ElementClass elements);

/// The types of random samples: f32 from 32-bit words, f64 from 64-bit words.
enum class SampleFormat { f32, f64 };

/// Returns the format of random samples of an element type, or none for types
/// without samples.
std::optional<SampleFormat> sampleFormatOf(mlir::Type elementType);

} // namespace tg

#endif // TG_DIALECTS_TG_ELEMENTS_ELEMENTTYPES_H
