//===- Values.cpp - elements of tensors as C++ numbers --------------------===//
#include "compiler/frontend/dsl/Build.h"
#include "tg/dtypes.h"
#include "tg/program.h"

#include <charconv>
#include <concepts>
#include <cstring>
#include <ostream>

using namespace tg;
using namespace tg::dsl;

/// Calls `function` with a zero of the C++ type of the elements, bool of truth
/// values.
template <typename Function>
static auto visitHost(DType dtype, Function function) {
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

/// The elements of an eager tensor.
static std::span<const char> bytesOf(const Tensor &tensor, Place where) {
  expectDefined(tensor, where);
  std::optional<std::span<const char>> bytes =
      tensor.body()->bytesOf(tensor.id());
  if (!bytes)
    raise("expected a tensor of eager mode, found one of a graph, which has a "
          "value when a session or a library runs",
          tensor.body(), where);
  return *bytes;
}

/// An element out of bytes; elements may lie anywhere.
template <typename T>
static T elementAt(std::span<const char> bytes, size_t i) {
  T element;
  std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
  return element;
}

template <typename T>
std::vector<T> Tensor::values(std::source_location where) const {
  std::span<const char> bytes = bytesOf(*this, where);
  bool isSame = visitHost(
      dtype(), [](auto zero) { return std::same_as<decltype(zero), T>; });
  if (!isSame)
    raise("expected the C++ type of the elements, which are " +
              toString(dtype()) + ", found another",
          owner, where);
  std::vector<T> elements(bytes.size() / sizeof(T));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = elementAt<T>(bytes, i);
  return elements;
}

double Tensor::item(std::source_location where) const {
  std::span<const char> bytes = bytesOf(*this, where);
  return visitHost(dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (bytes.size() != sizeof(T))
      raise("expected a tensor of one element, found " + toString(shape()),
            owner, where);
    return static_cast<double>(elementAt<T>(bytes, 0));
  });
}

template <typename T>
Tensor Program::tensor(std::span<const T> elements, const Shape &shape,
                       std::source_location where) {
  int64_t count = 1;
  for (const Extent &extent : shape) {
    if (extent.value < 0)
      raise("expected a tensor of known shape, found " + toString(shape), owner,
            where);
    count *= extent.value;
  }
  if (count != static_cast<int64_t>(elements.size()))
    raise("expected " + std::to_string(count) + " elements for " +
              toString(shape) + ", found " + std::to_string(elements.size()),
          owner, where);
  TensorType type{f32, shape};
#define TG_CHOSEN(name, front, ...)                                            \
  if (visitHost(DType::front,                                                  \
                [](auto zero) { return std::same_as<decltype(zero), T>; }))    \
    type.dtype = DType::front;
  TG_DTYPES(TG_CHOSEN)
#undef TG_CHOSEN
  for (const Extent &extent : shape)
    if (isEager() && !extent.name.empty())
      owner->namedNumbers[extent.name] = extent.value;
  const char *data = reinterpret_cast<const char *>(elements.data());
  return Tensor(owner, take(owner->fromBytes(
                           type, {data, elements.size_bytes()}, where)));
}

template std::vector<bool> Tensor::values(std::source_location) const;
template Tensor Program::tensor(std::span<const bool>, const Shape &,
                                std::source_location);
#define TG_MADE(T)                                                             \
  template std::vector<T> Tensor::values(std::source_location) const;          \
  template Tensor Program::tensor(std::span<const T>, const Shape &,           \
                                  std::source_location);
TG_MADE(float)
TG_MADE(double)
TG_MADE(int8_t)
TG_MADE(int16_t)
TG_MADE(int32_t)
TG_MADE(int64_t)
TG_MADE(uint8_t)
#undef TG_MADE

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
/// Writes elements, rows in brackets.
class Printer {
public:
  Printer(std::ostream &stream, const Tensor &tensor)
      : stream(stream), type(tensor.type()),
        bytes(bytesOf(tensor, Place::current())) {}

  /// The part of the tensor from an element on, along `axis` and those behind.
  void print(int64_t axis, int64_t first) {
    if (axis == type.rank())
      return printElement(first);
    int64_t step = 1, extent = type.shape[axis].value;
    for (int64_t inner = axis + 1; inner < type.rank(); ++inner)
      step *= type.shape[inner].value;
    stream << '[';
    for (int64_t i = 0; i < extent; ++i) {
      if (i > 0)
        stream << ", ";
      if (i == edge && extent > longest) {
        stream << "..., ";
        i = extent - edge;
      }
      print(axis + 1, first + i * step);
    }
    stream << ']';
  }

private:
  /// The shortest digits that read back as the element.
  void printElement(int64_t i) {
    visitHost(type.dtype, [&](auto zero) {
      using T = decltype(zero);
      T element = elementAt<T>(bytes, static_cast<size_t>(i));
      if constexpr (std::same_as<T, bool>) {
        stream << (element ? "true" : "false");
      } else {
        char digits[64];
        auto end = std::to_chars(digits, digits + sizeof(digits), element).ptr;
        stream.write(digits, end - digits);
      }
    });
  }

  /// Longer dimensions are cut to so many on both sides.
  static constexpr int64_t longest = 100, edge = 3;
  std::ostream &stream;
  TensorType type;
  std::span<const char> bytes;
};
} // namespace

std::ostream &tg::operator<<(std::ostream &stream, const Tensor &tensor) {
  if (!tensor.isDefined())
    return stream << "a tensor without value";
  if (tensor.body()->isEager())
    Printer(stream, tensor).print(0, 0);
  else
    printSymbol(stream, tensor);
  return stream;
}
