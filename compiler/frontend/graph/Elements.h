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

/// Calls `function` with a zero of the C++ type of the elements, bool of truth
/// values.
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

/// An element out of bytes; elements may lie anywhere.
template <typename T> T elementAt(const void *bytes, size_t i) {
  T element;
  std::memcpy(&element, static_cast<const char *>(bytes) + i * sizeof(T),
              sizeof(T));
  return element;
}

/// A number with six decimals, as std::to_string gives it but in every language
/// with a point.
std::string textOf(double number);

/// Writes elements as NumPy prints them, rows in brackets, each by the shortest
/// digits that read back as it. Of long dimensions both ends alone.
void printElements(std::ostream &stream, DType dtype,
                   std::span<const int64_t> shape, const void *elements);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_ELEMENTS_H
