//===- Elements.cpp - elements as text ------------------------------------===//
#include "compiler/frontend/graph/Elements.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <ostream>
#include <stdexcept>
#include <string_view>

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
/// The format of floats on a stream: std::fixed, std::scientific or a precision
/// other than the default. Without them floats have the shortest digits that
/// read back exactly.
class FloatFormat {
public:
  explicit FloatFormat(const std::ostream &stream) {
    const auto field = stream.flags() & std::ios::floatfield;
    if (field == std::ios::fixed)
      form = std::chars_format::fixed;
    else if (field == std::ios::scientific)
      form = std::chars_format::scientific;
    else if (field != std::ios::fmtflags() ||
             stream.precision() == defaultPrecision)
      return;
    precision = static_cast<int>(
        std::clamp<std::streamsize>(stream.precision(), 0, greatestPrecision));
  }

  /// Returns the text of a number in `digits`.
  template <typename T>
  std::string_view print(T number, std::span<char> digits) const {
    char *end = digits.data() + digits.size();
    end = precision < 0
              ? std::to_chars(digits.data(), end, number).ptr
              : std::to_chars(digits.data(), end, number, form, precision).ptr;
    return {digits.data(), end};
  }

  /// The precision of a new stream.
  static constexpr std::streamsize defaultPrecision = 6;
  /// No double has more decimals. At most 309 digits, a sign and a point
  /// precede them.
  static constexpr std::streamsize greatestPrecision = 1074;
  static constexpr size_t mostDigits = greatestPrecision + 311;

private:
  std::chars_format form = std::chars_format::general;
  int precision = -1; // the shortest digits
};

class Printer {
public:
  Printer(std::ostream &stream, DType dtype, std::span<const int64_t> shape,
          const void *elements)
      : stream(stream), format(stream), dtype(dtype), shape(shape),
        elements(elements) {}

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
      } else if constexpr (std::floating_point<T>) {
        char digits[FloatFormat::mostDigits];
        stream << format.print(element, digits);
      } else {
        stream << std::to_string(element);
      }
    });
  }

  /// A dimension longer than `longest` shows only `edge` elements at both ends.
  static constexpr int64_t longest = 100, edge = 3;
  std::ostream &stream;
  FloatFormat format;
  DType dtype;
  std::span<const int64_t> shape;
  const void *elements;
};
} // namespace

void dsl::printElements(std::ostream &stream, DType dtype,
                        std::span<const int64_t> shape, const void *elements) {
  Printer(stream, dtype, shape, elements).print(0, 0);
}
