//===- DatasetElements.cpp - elements of data sets and their types --------===//
#include "compiler/frontend/graph/DatasetElements.h"

#include <cstring>

using namespace tg;
using namespace tg::dsl;

using Element = Dataset::Element;
using Reader = Dataset::Reader;

TensorType dsl::typeOf(const Array &array) {
  return {array.dtype(), Shape(array.shape().begin(), array.shape().end())};
}

Array dsl::rowOf(const Array &array, int64_t row) {
  Array made(array.dtype(), {array.shape().begin() + 1, array.shape().end()});
  if (size_t bytes = made.byteCount())
    std::memcpy(made.data(),
                static_cast<const char *>(array.data()) + bytes * size_t(row),
                bytes);
  return made;
}

static std::string textOf(const TensorType &type) {
  return toString(type.dtype) + " " + toString(type.shape);
}

/// Returns true if an array has a type. A dynamic extent of the type allows any
/// extent.
static bool isOfType(const Array &array, const TensorType &type) {
  if (!array.isDefined() || array.dtype() != type.dtype ||
      array.rank() != static_cast<int64_t>(type.shape.size()))
    return false;
  for (size_t axis = 0; axis < type.shape.size(); ++axis)
    if (type.shape[axis].isKnown() &&
        type.shape[axis].value != array.shape()[axis])
      return false;
  return true;
}

/// Throws unless the arrays of an element have these types.
static void expectTypes(const Element &element,
                        const std::vector<TensorType> &types,
                        std::source_location where) {
  if (element.size() != types.size())
    throw GraphError("expected an element of " + std::to_string(types.size()) +
                         (types.size() == 1 ? " array" : " arrays") +
                         ", found " + std::to_string(element.size()),
                     where);
  for (size_t i = 0; i < types.size(); ++i)
    if (!isOfType(element[i], types[i]))
      throw GraphError(
          "expected array " + std::to_string(i) + " of an element to be " +
              textOf(types[i]) + ", found " +
              (element[i].isDefined() ? textOf(typeOf(element[i])) : "nothing"),
          where);
}

Reader dsl::expectingTypes(Reader reader, std::vector<TensorType> types,
                           std::source_location where) {
  return [=, reader = std::move(reader),
          types = std::move(types)](Element &element) {
    if (!reader(element))
      return false;
    expectTypes(element, types, where);
    return true;
  };
}

Array dsl::stackRows(const std::vector<Element> &elements, size_t component,
                     std::source_location where) {
  const Array &first = elements.front()[component];
  std::vector<int64_t> shape = first.shape();
  shape.insert(shape.begin(), static_cast<int64_t>(elements.size()));
  Array made(first.dtype(), shape);
  char *to = static_cast<char *>(made.data());
  for (const Element &element : elements) {
    const Array &row = element[component];
    if (row.dtype() != first.dtype() || row.shape() != first.shape())
      throw GraphError("expected elements of one type and shape in a batch, "
                       "found " +
                           textOf(typeOf(first)) + " and " +
                           textOf(typeOf(row)),
                       where);
    if (row.byteCount())
      std::memcpy(to, row.data(), row.byteCount());
    to += row.byteCount();
  }
  return made;
}
