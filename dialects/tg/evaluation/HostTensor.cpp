//===- HostTensor.cpp - a tensor's values in the compiler's memory --------===//
#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cstring>

using namespace mlir;
using namespace tg;

std::optional<int64_t> tg::checkedElementCount(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> tg::checkedByteCount(ArrayRef<int64_t> shape,
                                            Type elementType) {
  // An extent of zero must not hide an overflow of the others.
  int64_t bytes = elementBytes(elementType);
  for (int64_t extent : shape)
    if (extent < 0 || (extent && __builtin_mul_overflow(bytes, extent, &bytes)))
      return std::nullopt;
  return llvm::is_contained(shape, 0) ? 0 : bytes;
}

HostTensor::HostTensor(Type elementType, ArrayRef<int64_t> shape)
    : elementType(elementType), shape(shape) {
  std::optional<int64_t> size = checkedByteCount(shape, elementType);
  assert(size && "shape was not checked");
  count = *size / elementBytes(elementType);
  bytes = std::make_shared<std::vector<char>>(*size);
}

RankedTensorType HostTensor::getType() const {
  return RankedTensorType::get(shape, elementType);
}

/// Fills `tensor` from packed i1 bits, as MLIR stores them.
static void unpackBits(HostTensor &tensor, DenseElementsAttr value) {
  for (auto [element, bit] : llvm::enumerate(value.getValues<bool>()))
    tensor.values<uint8_t>()[element] = bit;
}

std::optional<HostTensor> HostTensor::fromAttribute(ElementsAttr value,
                                                    int64_t maximumBytes) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  std::optional<int64_t> size =
      checkedByteCount(type.getShape(), type.getElementType());
  if (!size || *size > maximumBytes)
    return std::nullopt;
  HostTensor tensor(type.getElementType(), type.getShape());
  if (tensor.getNumElements() == 0)
    return tensor;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != tensor.getNumBytes())
      return std::nullopt;
    std::memcpy(tensor.data(), blob->getData().data(), tensor.getNumBytes());
    return tensor;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (type.getElementType().isInteger(1)) {
    unpackBits(tensor, dense);
    return tensor;
  }
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat()) {
    std::memcpy(tensor.data(), raw.data(), tensor.getNumBytes());
    return tensor;
  }
  for (size_t offset = 0; offset < tensor.getNumBytes(); offset += raw.size())
    std::memcpy(tensor.data() + offset, raw.data(), raw.size());
  return tensor;
}

DenseElementsAttr HostTensor::toAttribute() const {
  if (elementType.isInteger(1)) {
    SmallVector<bool> bits;
    for (uint8_t value : values<uint8_t>())
      bits.push_back(value != 0);
    return DenseElementsAttr::get(getType(), ArrayRef<bool>(bits));
  }
  return DenseElementsAttr::getFromRawBuffer(
      getType(), ArrayRef<char>(data(), getNumBytes()));
}

int64_t HostTensor::integerAt(int64_t element) const {
  return visitElementType(elementType, [&](auto zero) {
    return int64_t(values<decltype(zero)>()[element]);
  });
}

double HostTensor::numberAt(int64_t element) const {
  return visitElementType(elementType, [&](auto zero) {
    return double(values<decltype(zero)>()[element]);
  });
}

SmallVector<int64_t> tg::unflatten(int64_t element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return index;
}

int64_t tg::flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t element = 0;
  for (auto [position, extent] : llvm::zip_equal(index, shape))
    element = element * extent + position;
  return element;
}
