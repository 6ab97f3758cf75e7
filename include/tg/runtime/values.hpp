/// Inputs and outputs of a run, the part of tg/runtime.hpp that does not depend
/// on models. Include that header.
#ifndef TG_RUNTIME_VALUES_HPP
#define TG_RUNTIME_VALUES_HPP

#include "../cxx20.h"

#include "../dtypes.h"
#include "../runtime.h"

#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tg {

/// A failed call of libtgrt, with all its error details.
class RuntimeError : public std::runtime_error {
public:
  explicit RuntimeError(const tg_error_t &cause)
      : std::runtime_error(std::string(tg_status_name(cause.status)) + ": " +
                           cause.message),
        error(cause) {}
  RuntimeError(tg_status_t status, const std::string &message)
      : std::runtime_error(std::string(tg_status_name(status)) + ": " +
                           message),
        error{} {
    error.struct_size = sizeof(error);
    error.status = status;
    error.argument = error.location = -1;
    error.element = -1;
    message.copy(error.message, sizeof(error.message) - 1);
  }

  tg_status_t status() const { return error.status; }
  /// Returns the whole error, with the location and the element, as in
  /// ../abi.h.
  const tg_error_t &details() const { return error; }

private:
  tg_error_t error;
};

namespace detail {

/// Returns the element type of a C++ type.
template <typename T> constexpr tg_dtype_t dtypeOf() {
  static_assert(std::is_arithmetic_v<T>, "an element is a number or a bool");
  constexpr uint8_t bits = 8 * sizeof(T);
  if constexpr (std::is_same_v<T, bool>)
    return {TG_DTYPE_BOOL, 8, 1};
  else if constexpr (std::is_floating_point_v<T>)
    return {TG_DTYPE_FLOAT, bits, 1};
  else if constexpr (std::is_signed_v<T>)
    return {TG_DTYPE_INT, bits, 1};
  else
    return {TG_DTYPE_UINT, bits, 1};
}

/// Calls a function with a value of the C++ type of the elements. Throws for an
/// element type without a C++ type.
template <typename Function>
auto visitElement(tg_dtype_t dtype, Function function) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_VISITED(name, front, code, bits, host, ...)                         \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return function(host());
    TG_DTYPES(TG_VISITED)
#undef TG_VISITED
  }
  throw RuntimeError(TG_ERROR_DTYPE, std::string("element type ") +
                                         tg_dtype_name(dtype) +
                                         ", expected one that C++ has");
}

inline bool isSame(const tg_dtype_t &a, const tg_dtype_t &b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

/// Calls a function whose last argument is the error. Throws if it fails.
template <typename Function, typename... Arguments>
void check(Function *function, Arguments... arguments) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (function(arguments..., &error) != TG_OK)
    throw RuntimeError(error);
}

/// Returns the number of elements of dims that a model has checked.
inline size_t count(std::span<const int64_t> dims) {
  size_t product = 1;
  for (int64_t dim : dims)
    product *= static_cast<size_t>(dim);
  return product;
}

} // namespace detail

/// The value of an input for one run: a number, elements of the caller (which
/// must live until the run ends), a temporary vector, which the value takes
/// over, or a tensor.
class Value {
public:
  /// A number, converted to the type that the function expects. A run throws
  /// TG_ERROR_DTYPE if the type is an integer type that cannot represent it.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Value(T number) : kind(Kind::Number), real(static_cast<double>(number)) {
    if constexpr (std::is_floating_point_v<T>)
      isWhole = number >= -0x1p63 && number < 0x1p63 &&
                static_cast<T>(static_cast<int64_t>(number)) == number;
    if (isWhole)
      integer = static_cast<int64_t>(number);
    if constexpr (std::is_signed_v<T>)
      isNegative = isWhole && number < T(0);
  }

  /// Elements in row-major order. Their shape is inferred from their number and
  /// the function's input, of which at most one dimension may be unknown.
  template <typename T>
  Value(std::span<const T> numbers)
      : kind(Kind::Flat), elements(numbers.size()),
        tensor(over(numbers.data())) {}
  template <typename T>
  Value(const std::vector<T> &numbers) : Value(std::span<const T>(numbers)) {}
  template <typename T>
    requires(!std::is_same_v<T, bool>)
  Value(std::vector<T> &&numbers)
      : Value(std::make_shared<const std::vector<T>>(std::move(numbers))) {}
  /// Copies the elements, since std::vector<bool> does not store them as an
  /// array.
  Value(const std::vector<bool> &booleans)
      : kind(Kind::Flat), elements(booleans.size()), tensor(copy(booleans)) {}

  /// Elements with their shape.
  template <typename T>
  Value(std::span<const T> numbers, std::vector<int64_t> shape)
      : kind(Kind::Shaped), elements(numbers.size()), dims(std::move(shape)),
        tensor(over(numbers.data())) {
    for (int64_t dim : dims)
      if (dim < 0)
        throw RuntimeError(TG_ERROR_DIM, "a shape with an extent of " +
                                             std::to_string(dim) +
                                             ", expected at least 0");
  }
  template <typename T>
  Value(const std::vector<T> &numbers, std::vector<int64_t> shape)
      : Value(std::span<const T>(numbers), std::move(shape)) {}
  template <typename T>
    requires(!std::is_same_v<T, bool>)
  Value(std::vector<T> &&numbers, std::vector<int64_t> shape)
      : Value(std::make_shared<const std::vector<T>>(std::move(numbers)),
              std::move(shape)) {}
  Value(const std::vector<bool> &booleans, std::vector<int64_t> shape)
      : Value(std::span<const bool>(), std::move(shape)) {
    elements = booleans.size();
    tensor = copy(booleans);
  }

  /// A tensor as in ../abi.h. Only the struct is copied.
  Value(const tg_tensor_t &source)
      : kind(Kind::Tensor),
        dims(source.shape,
             source.shape +
                 (source.shape && source.ndim > 0 ? source.ndim : 0)),
        tensor(source) {}

#ifdef DLPACK_VERSION
  /// A DLPack tensor, which has the same layout.
  Value(const DLTensor *dlpack)
      : Value(*reinterpret_cast<const tg_tensor_t *>(
            dlpack ? dlpack
                   : throw RuntimeError(TG_ERROR_NULL, "a tensor is null"))) {}
#endif

private:
  friend class Context;
  enum class Kind { Number, Flat, Shaped, Tensor };

  template <typename T, typename... Shape>
  explicit Value(std::shared_ptr<const std::vector<T>> numbers, Shape... shape)
      : Value(std::span<const T>(*numbers), std::move(shape)...) {
    owner = std::move(numbers);
  }

  tg_tensor_t copy(const std::vector<bool> &booleans) {
    auto copied = std::make_shared<bool[]>(booleans.size());
    bool *data = copied.get();
    for (size_t i = 0; i < booleans.size(); ++i)
      data[i] = booleans[i];
    owner = std::move(copied);
    return over(data);
  }

  template <typename T> static tg_tensor_t over(const T *data) {
    tg_tensor_t made = {};
    made.data = const_cast<T *>(data);
    made.device.device_type = TG_DEVICE_CPU;
    made.dtype = detail::dtypeOf<T>();
    return made;
  }

  /// Returns true if an integer type can represent the number.
  bool fits(tg_dtype_t dtype) const {
    if (!isWhole)
      return false;
    const int bits = dtype.code == TG_DTYPE_INT ? dtype.bits - 1 : dtype.bits;
    if (isNegative && dtype.code != TG_DTYPE_INT)
      return false;
    // The complement of a negative number has as many bits as the number needs.
    const auto size = static_cast<uint64_t>(isNegative ? ~integer : integer);
    return bits >= 64 || size >> bits == 0;
  }

  /// Converts a number to a tensor of the given type, for the input `name`. The
  /// value must not move afterwards.
  void convert(tg_dtype_t dtype, const char *name) {
    const bool isInteger =
        dtype.code == TG_DTYPE_INT || dtype.code == TG_DTYPE_UINT;
    if (isInteger && !fits(dtype))
      throw RuntimeError(TG_ERROR_DTYPE,
                         "'" + std::string(name) +
                             "' is a number with a fraction or out of range, "
                             "expected one of its integer type");
    detail::visitElement(dtype, [&](auto element) {
      using T = decltype(element);
      if (std::is_floating_point_v<T>)
        element = static_cast<T>(real);
      else if (dtype.code == TG_DTYPE_BOOL)
        element = real != 0;
      else
        element = static_cast<T>(integer);
      std::memcpy(bytes, &element, sizeof(element));
    });
    tensor = over<char>(nullptr);
    tensor.dtype = dtype;
    tensor.data = bytes;
  }

  Kind kind;
  std::shared_ptr<const void> owner; // the owner of the elements, or null
  double real = 0;
  int64_t integer = 0;     // the low 64 bits of an integer
  bool isWhole = true;     // an integer of 64 bits
  bool isNegative = false; // if isWhole
  size_t elements = 0;
  std::vector<int64_t> dims;
  tg_tensor_t tensor = {};
  alignas(8) char bytes[8] = {};
};

/// The name of an input, and its value.
struct Input {
  std::string_view name;
  Value value;
};

/// The outputs of a run, which own their memory.
class Outputs {
public:
  /// Returns the only element of an output as a number.
  double scalar(std::string_view name) const {
    const Output &output = find(name);
    if (detail::count(output.dims) != 1)
      throw RuntimeError(TG_ERROR_RANK,
                         "output '" + std::string(name) + "' has " +
                             std::to_string(detail::count(output.dims)) +
                             " elements, expected one");
    return detail::visitElement(output.dtype, [&](auto element) {
      std::memcpy(&element, output.bytes.data(), sizeof(element));
      return static_cast<double>(element);
    });
  }

  /// Returns the elements of an output of type T. They live as long as this
  /// object.
  template <typename T> std::span<const T> values(std::string_view name) const {
    const Output &output = find(name);
    if (!detail::isSame(output.dtype, detail::dtypeOf<T>()))
      throw RuntimeError(TG_ERROR_DTYPE,
                         "output '" + std::string(name) + "' is " +
                             tg_dtype_name(output.dtype) +
                             ", but was asked for as " +
                             tg_dtype_name(detail::dtypeOf<T>()));
    return {reinterpret_cast<const T *>(output.bytes.data()),
            detail::count(output.dims)};
  }

  /// Returns the bytes of an output of any type.
  std::span<const char> bytes(std::string_view name) const {
    return find(name).bytes;
  }

  /// Returns the dimensions of an output.
  std::span<const int64_t> shape(std::string_view name) const {
    return find(name).dims;
  }

private:
  friend class Context;
  struct Output {
    std::string name;
    tg_dtype_t dtype;
    std::vector<int64_t> dims;
    std::vector<char> bytes;
  };

  const Output &find(std::string_view name) const {
    for (const Output &output : outputs)
      if (output.name == name)
        return output;
    std::string known;
    for (const Output &output : outputs)
      known += (known.empty() ? "" : ", ") + output.name;
    throw RuntimeError(TG_ERROR_NOT_FOUND, "no output '" + std::string(name) +
                                               "', expected one of " + known);
  }

  std::vector<Output> outputs;
};

} // namespace tg

#endif // TG_RUNTIME_VALUES_HPP
