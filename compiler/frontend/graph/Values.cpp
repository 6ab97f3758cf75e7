//===- Values.cpp - elements of tensors as C++ numbers --------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/program.h"
#include "tg/tensor/array.h"

#include <concepts>
#include <ostream>

using namespace tg;
using namespace tg::dsl;

/// Returns the bytes of an eager tensor; throws in graph mode.
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

/// Returns the C++ type of elements: float, int32_t.
static std::string hostNameOf(DType dtype) {
  if (dtype == boolean)
    return "bool";
  switch (dtype) {
#define TG_NAMED(name, front, code, bits, host, ...)                           \
  case DType::front:                                                           \
    return #host;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  }
  return ""; // all element types are above
}

template <typename T>
std::vector<T> Tensor::values(std::source_location where) const {
  std::span<const char> bytes = bytesOf(*this, where);
  bool isSame = visitElements(
      dtype(), [](auto zero) { return std::same_as<decltype(zero), T>; });
  if (!isSame)
    raise("expected the C++ type of the elements, which are " +
              toString(dtype()) + ", found that of " + toString(dtypeOf<T>()) +
              ": values<" + hostNameOf(dtype()) +
              ">() gives them, cast() converts them",
          owner, where);
  std::vector<T> elements(bytes.size() / sizeof(T));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = elementAt<T>(bytes.data(), i);
  return elements;
}

double Tensor::item(std::source_location where) const {
  std::span<const char> bytes = bytesOf(*this, where);
  return visitElements(dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (bytes.size() != sizeof(T))
      raise("expected a tensor of one element, found " + toString(shape()),
            owner, where);
    return static_cast<double>(elementAt<T>(bytes.data(), 0));
  });
}

Tensor Program::tensorOf(DType dtype, size_t count,
                         std::span<const std::byte> bytes, const Shape &shape,
                         std::source_location where) {
  int64_t expected = 1;
  for (const Extent &extent : shape) {
    if (extent.value < 0)
      raise("expected a tensor of known shape, found " + toString(shape), owner,
            where);
    expected *= extent.value;
  }
  if (expected != static_cast<int64_t>(count))
    raise("expected " + std::to_string(expected) + " elements for " +
              toString(shape) + ", found " + std::to_string(count),
          owner, where);
  for (const Extent &extent : shape)
    if (isEager() && !extent.name.empty())
      owner->namedNumbers[extent.name] = extent.value;
  const char *data = reinterpret_cast<const char *>(bytes.data());
  return Tensor(owner, take(owner->fromBytes({dtype, shape},
                                             {data, bytes.size()}, where)));
}

template std::vector<bool> Tensor::values(std::source_location) const;
#define TG_MADE(T)                                                             \
  template std::vector<T> Tensor::values(std::source_location) const;
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

std::ostream &tg::operator<<(std::ostream &stream, const Tensor &tensor) {
  if (!tensor.isDefined())
    return stream << "a tensor without value";
  if (!tensor.body()->isEager()) {
    printSymbol(stream, tensor);
    return stream;
  }
  std::vector<int64_t> shape;
  for (const Extent &extent : tensor.shape())
    shape.push_back(extent.value);
  printElements(stream, tensor.dtype(), shape,
                bytesOf(tensor, Place::current()).data());
  return stream;
}
