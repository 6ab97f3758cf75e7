//===- Elements.cpp - elements as text ------------------------------------===//
#include "compiler/frontend/graph/Elements.h"

#include <charconv>
#include <concepts>
#include <ostream>
#include <stdexcept>

using namespace tg;
using namespace tg::dsl;

DType dsl::elementTypeOf(tg_dtype_t dtype) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_CONVERTED(name, front, code, bits, ...)                             \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return DType::front;
    TG_DTYPES(TG_CONVERTED)
#undef TG_CONVERTED
  }
  throw std::runtime_error("expected an element type of the graph, found " +
                           std::string(tg_dtype_name(dtype)));
}

tg_dtype_t dsl::storedType(DType dtype) {
  switch (dtype) {
#define TG_CONVERTED(name, front, code, bits, ...)                             \
  case DType::front:                                                           \
    return {TG_DTYPE_##code, bits, 1};
    TG_DTYPES(TG_CONVERTED)
#undef TG_CONVERTED
  }
  return {}; // all element types are above
}

std::string dsl::textOf(double number) {
  char text[400]; // at most 309 digits, a point, 6 decimals
  return {text, std::to_chars(text, text + sizeof(text), number,
                              std::chars_format::fixed, 6)
                    .ptr};
}

namespace {
class Printer {
public:
  Printer(std::ostream &stream, DType dtype, std::span<const int64_t> shape,
          const void *elements)
      : stream(stream), dtype(dtype), shape(shape), elements(elements) {}

  /// Prints the elements from `first` along `axis` and the axes after it.
  void print(size_t axis, size_t first) {
    if (axis == shape.size())
      return printElement(first);
    size_t step = 1;
    for (int64_t inner : shape.subspan(axis + 1))
      step *= static_cast<size_t>(inner);
    stream << '[';
    for (int64_t i = 0; i < shape[axis]; ++i) {
      if (i > 0)
        stream << ' ';
      if (i == edge && shape[axis] > longest) {
        stream << "... ";
        i = shape[axis] - edge;
      }
      print(axis + 1, first + static_cast<size_t>(i) * step);
    }
    stream << ']';
  }

private:
  void printElement(size_t i) {
    visitElements(dtype, [&](auto zero) {
      using T = decltype(zero);
      T element = elementAt<T>(elements, i);
      if constexpr (std::same_as<T, bool>) {
        stream << (element ? "true" : "false");
      } else if (element != element) {
        // The sign of NaN has no meaning.
        stream << "nan";
      } else {
        char digits[64];
        auto end = std::to_chars(digits, digits + sizeof(digits), element).ptr;
        stream.write(digits, end - digits);
      }
    });
  }

  /// A dimension longer than `longest` shows only `edge` elements at both ends.
  static constexpr int64_t longest = 100, edge = 3;
  std::ostream &stream;
  DType dtype;
  std::span<const int64_t> shape;
  const void *elements;
};
} // namespace

void dsl::printElements(std::ostream &stream, DType dtype,
                        std::span<const int64_t> shape, const void *elements) {
  Printer(stream, dtype, shape, elements).print(0, 0);
}
