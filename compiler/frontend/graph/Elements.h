//===- Elements.h - elements in memory as C++ numbers ---------------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_ELEMENTS_H
#define TG_COMPILER_FRONTEND_GRAPH_ELEMENTS_H

#include "tg/dtypes.h"
#include "tg/tensor/types.h"

#include <cstring>
#include <iosfwd>
#include <span>
#include <string>
#include <type_traits>

namespace tg::dsl {

/// Calls `function` with a zero of the C++ type of the elements; bool for
/// booleans.
template <typename Function>
auto visitElements(DType dtype, Function function) {
  switch (dtype) {
#define TG_VISITED(name, front, code, bits, host, rounding, ...)               \
  case DType::front:                                                           \
    return function(                                                           \
        std::conditional_t<TG_ROUNDING_##rounding == TG_ROUNDING_TRUTH, bool,  \
                           host>());
    TG_DTYPES(TG_VISITED)
#undef TG_VISITED
  }
  return function(float()); // all element types are above
}

/// Converts an element type of abi.h to one of the frontend. Throws
/// std::runtime_error if the frontend does not have it.
DType elementTypeOf(tg_dtype_t dtype);
/// Converts an element type of the frontend to one of abi.h.
tg_dtype_t storedType(DType dtype);

/// Returns element i of `bytes`, which may be unaligned.
template <typename T> T elementAt(const void *bytes, size_t i) {
  T element;
  std::memcpy(&element, static_cast<const char *>(bytes) + i * sizeof(T),
              sizeof(T));
  return element;
}

/// Returns a number with six decimals, like std::to_string but with a decimal
/// point in every locale.
std::string textOf(double number);

/// Writes elements as NumPy prints them: rows in brackets, with the shortest
/// digits that read back exactly. Prints only both ends of long dimensions.
void printElements(std::ostream &stream, DType dtype,
                   std::span<const int64_t> shape, const void *elements);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_ELEMENTS_H
