//===- Feature.cpp - elements of features ---------------------------------===//
#include "tg/data/feature.hpp"

#include <new>

using namespace tg::data;

static std::string textOf(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (int64_t extent : shape) {
    if (text.size() > 1)
      text += ", ";
    text += extent == FeatureType::anyExtent ? "?" : std::to_string(extent);
  }
  return text + "]";
}

std::string FeatureType::text() const {
  return std::string(tg_dtype_name(dtype)) + " " + textOf(shape);
}

/// Returns the number of elements. Throws DataError if an extent is negative,
/// or if the elements need 2^63 bytes or more.
static size_t countElements(tg_dtype_t dtype,
                            const std::vector<int64_t> &shape) {
  if (dtype.lanes != 1 || dtype.bits == 0 || dtype.bits % 8 != 0)
    throw DataError("expected elements of whole bytes, found " +
                    std::to_string(dtype.bits) + " bits");
  int64_t bytes = dtype.bits / 8;
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      throw DataError("expected extents of at least 0, found a shape of " +
                      textOf(shape));
    isEmpty |= extent == 0;
    if (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes))
      throw DataError("expected less than 2^63 bytes, found a shape of " +
                      textOf(shape));
  }
  return isEmpty ? 0 : static_cast<size_t>(bytes) / (dtype.bits / 8);
}

Feature::Feature(tg_dtype_t dtype, std::vector<int64_t> shape)
    : elementType(dtype), extents(std::move(shape)),
      count(countElements(dtype, extents)) {
  constexpr auto align = std::align_val_t(alignment);
  // An empty feature has an address, too, so that it is defined.
  void *made = ::operator new(byteCount() ? byteCount() : 1, align);
  memory = std::shared_ptr<void>(
      made, [](void *elements) { ::operator delete(elements, align); });
  first = static_cast<const std::byte *>(made);
}

Feature::Feature(tg_dtype_t dtype, std::vector<int64_t> shape,
                 std::shared_ptr<const void> owner, const void *elements)
    : elementType(dtype), extents(std::move(shape)),
      count(countElements(dtype, extents)), memory(std::move(owner)),
      first(static_cast<const std::byte *>(elements)) {}

Feature Feature::reshaped(std::vector<int64_t> shape) const {
  Feature made(elementType, std::move(shape), memory, first);
  if (made.count != count)
    throw DataError("expected a shape of " + std::to_string(count) +
                    " elements, found " + textOf(made.extents));
  return made;
}

Feature Feature::row(int64_t index) const {
  if (extents.empty() || index < 0 || index >= extents[0])
    throw DataError("expected a row of a feature of shape " + textOf(extents) +
                    ", found row " + std::to_string(index));
  std::vector<int64_t> shape(extents.begin() + 1, extents.end());
  const size_t stride = byteCount() / static_cast<size_t>(extents[0]);
  return {elementType, std::move(shape), memory,
          first + stride * static_cast<size_t>(index)};
}

tg_tensor_t Feature::tensor() const {
  tg_tensor_t view = {};
  view.data = const_cast<std::byte *>(first);
  view.device.device_type = TG_DEVICE_CPU;
  view.ndim = static_cast<int32_t>(extents.size());
  view.dtype = elementType;
  view.shape = const_cast<int64_t *>(extents.data());
  return view;
}

void Feature::expectBits(size_t bits) const {
  if (elementType.bits != bits)
    throw DataError("expected elements of " + std::to_string(bits) +
                    " bits, found " + tg_dtype_name(elementType));
}
