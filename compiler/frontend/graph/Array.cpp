//===- Array.cpp - arrays of numbers in memory ----------------------------===//
#include "tg/tensor/array.h"
#include "compiler/frontend/graph/Elements.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <ostream>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

Literal::Literal(std::initializer_list<Literal> rows,
                 std::source_location where)
    : extents{static_cast<int64_t>(rows.size())} {
  const Literal *first = rows.begin();
  if (first != rows.end()) {
    extents.insert(extents.end(), first->extents.begin(), first->extents.end());
    kind = first->kind;
  }
  for (const Literal &row : rows) {
    if (row.extents != first->extents)
      throw GraphError("expected lists of one length at each depth, found " +
                           std::to_string(first->values.size()) + " and " +
                           std::to_string(row.values.size()) + " numbers",
                       where);
    kind = std::max(kind, row.kind);
    values.insert(values.end(), row.values.begin(), row.values.end());
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Returns the number of elements of a shape. Throws GraphError if an extent is
/// negative.
static size_t countElements(const std::vector<int64_t> &shape,
                            std::source_location where) {
  for (int64_t extent : shape)
    if (extent < 0)
      throw GraphError("expected extents of at least 0 in the shape of an "
                       "array, found " +
                           std::to_string(extent),
                       where);
  size_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, static_cast<size_t>(extent), &count) ||
        count > PTRDIFF_MAX / sizeof(double))
      throw std::bad_array_new_length();
  return count;
}

Array::Array(DType dtype, std::vector<int64_t> shape,
             std::source_location where)
    : type(dtype), extents(std::move(shape)),
      count(countElements(extents, where)),
      bytes(std::make_shared<char[]>(byteCount())) {}

Array::Array(DType dtype, std::vector<int64_t> shape,
             std::shared_ptr<const void> owner, const void *elements,
             std::source_location where)
    : type(dtype), extents(std::move(shape)),
      count(countElements(extents, where)),
      bytes(std::move(owner),
            static_cast<char *>(const_cast<void *>(elements))) {}

size_t Array::byteCount() const {
  return visitElements(type,
                       [&](auto element) { return count * sizeof(element); });
}

Array::Array(const Literal &literal, DType dtype, std::source_location where)
    : Array(dtype, literal.shape(), where) {
  bool whole = dtype != boolean && visitElements(dtype, [](auto element) {
                 return std::is_integral_v<decltype(element)>;
               });
  for (size_t i = 0; i < count; ++i) {
    double number = literal.elements()[i];
    set(i, number);
    if (whole && at(i) != number)
      throw GraphError("expected numbers that " + toString(dtype) +
                           " holds, found " + textOf(number),
                       where);
  }
}

/// Throws unless an array of `count` elements has an element `index`.
static void expectPlace(size_t index, size_t count,
                        std::source_location where) {
  if (index >= count)
    throw GraphError("expected an element below " + std::to_string(count) +
                         ", found " + std::to_string(index),
                     where);
}

void Array::set(size_t index, double number, std::source_location where) {
  expectPlace(index, isDefined() ? count : 0, where);
  visitElements(type, [&](auto element) {
    element = static_cast<decltype(element)>(number);
    std::memcpy(bytes.get() + index * sizeof(element), &element,
                sizeof(element));
  });
}

void Array::fill(const void *from, size_t size, std::source_location where) {
  if (size != byteCount())
    throw GraphError("expected " + std::to_string(byteCount()) +
                         " bytes of elements for the shape, found " +
                         std::to_string(size),
                     where);
  if (size)
    std::memcpy(bytes.get(), from, size);
}

void Array::expectType(DType expected, std::source_location where) const {
  if (type != expected || !isDefined())
    throw GraphError(
        "expected elements of type " + toString(expected) + ", found " +
            (isDefined() ? toString(type) + ": to<T>() converts them"
                         : "no value"),
        where);
}

double Array::at(size_t index, std::source_location where) const {
  expectPlace(index, isDefined() ? count : 0, where);
  return visitElements(type, [&](auto zero) {
    return static_cast<double>(elementAt<decltype(zero)>(bytes.get(), index));
  });
}

double Array::scalar(std::source_location where) const {
  if (count != 1 || !isDefined())
    throw GraphError("expected one element, found " +
                         std::to_string(isDefined() ? count : 0),
                     where);
  return at(0, where);
}

std::ostream &tg::operator<<(std::ostream &stream, const Array &array) {
  if (!array.isDefined())
    return stream << "none";
  printElements(stream, array.dtype(), array.shape(), array.data());
  return stream;
}
