//===- HostTensor.h - a tensor's values in the compiler's memory ----------===//
#ifndef TG_DIALECTS_TG_EVALUATION_HOSTTENSOR_H
#define TG_DIALECTS_TG_EVALUATION_HOSTTENSOR_H

#include "dialects/tg/elements/ElementTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

namespace tg {

/// Dense row-major elements of a static shape. An i1 is one byte, 0 or 1.
/// Copies are independent, but share memory until one of them is written.
class HostTensor {
public:
  HostTensor() = default;
  /// Constructs a tensor of zeros.
  HostTensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);

  /// Returns the values of a constant. Returns none if it is a resource that is
  /// missing or of the wrong size, or if it has more than `maximumBytes`.
  static std::optional<HostTensor> fromAttribute(mlir::ElementsAttr value,
                                                 int64_t maximumBytes);
  /// Returns the values as a constant of the tensor's type.
  mlir::DenseElementsAttr toAttribute() const;

  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return count; }
  mlir::RankedTensorType getType() const;

  char *data() {
    detach();
    return bytes ? bytes->data() : nullptr;
  }
  const char *data() const { return bytes ? bytes->data() : nullptr; }
  size_t getNumBytes() const { return bytes ? bytes->size() : 0; }

  /// Return the elements as C++ numbers of their host type.
  template <typename T> llvm::MutableArrayRef<T> values() {
    assert(isa<T>() && "element type differs");
    return {reinterpret_cast<T *>(data()), size_t(count)};
  }
  template <typename T> llvm::ArrayRef<T> values() const {
    assert(isa<T>() && "element type differs");
    return {reinterpret_cast<const T *>(data()), size_t(count)};
  }

  /// Returns true if T is the C++ type of the elements.
  template <typename T> bool isa() const;

  /// Returns the element as an integer, for index tensors and numbers.
  int64_t integerAt(int64_t element) const;
  /// Returns the element as a double, for any element type.
  double numberAt(int64_t element) const;

private:
  /// Ensures before a write that no copy shares the memory.
  void detach() {
    if (bytes && bytes.use_count() > 1)
      bytes = std::make_shared<std::vector<char>>(*bytes);
  }

  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  int64_t count = 0;
  std::shared_ptr<std::vector<char>> bytes;
};

/// Calls `function` with a value of the C++ type of `elementType`:
///   visitElementType(type, [&](auto zero) { using T = decltype(zero); ... });
template <typename Function>
auto visitElementType(mlir::Type elementType, Function function) {
  return visitElement(elementOf(elementType), [&]<ElementType element>() {
    return function(HostType<element>());
  });
}

/// Calls `function` like visitElementType() for types that are known to be
/// floats. For other types `function` is neither called nor compiled.
template <typename Function>
void visitFloatType(mlir::Type elementType, Function function) {
  visitElementType(elementType, [&](auto zero) {
    if constexpr (std::is_floating_point_v<decltype(zero)>)
      function(zero);
  });
}

/// Return the number of elements or bytes of a shape; none if it is 2^63 or
/// more.
std::optional<int64_t> checkedElementCount(llvm::ArrayRef<int64_t> shape);
std::optional<int64_t> checkedByteCount(llvm::ArrayRef<int64_t> shape,
                                        mlir::Type elementType);

/// unflatten() returns the position of a linear index in row-major order;
/// flatten() returns the linear index of a position.
llvm::SmallVector<int64_t> unflatten(int64_t element,
                                     llvm::ArrayRef<int64_t> shape);
int64_t flatten(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

template <typename T> bool HostTensor::isa() const {
  return visitElementType(
      elementType, [](auto zero) { return std::is_same_v<decltype(zero), T>; });
}

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_HOSTTENSOR_H
