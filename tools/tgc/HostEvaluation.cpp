//===- HostEvaluation.cpp - host functions on the compiler's tensors ------===//
#include "HostEvaluation.h"
#include <cstring>
#include <exception>
#include <new>

using namespace tg;

/// The alignment of arrays that models guarantee to host functions.
static constexpr size_t kAlignment = 64;
/// The number of canary bytes before and after an array.
static constexpr size_t kCanaryBytes = 64;
static constexpr char kCanary = '\x5a';
static constexpr size_t kMessageBytes = 512;

namespace {
/// A copy of a tensor in its own memory with canaries around it.
class ArrayWithCanaries {
public:
  explicit ArrayWithCanaries(const HostTensor &tensor);

  tg_tensor_t get();
  bool isDamaged() const;
  /// Copies the array back to the tensor.
  void copyTo(HostTensor &tensor) const;

private:
  struct Free {
    void operator()(char *bytes) const {
      ::operator delete[](bytes, std::align_val_t(kAlignment));
    }
  };
  char *begin() const { return bytes.get() + kCanaryBytes; }
  char *end() const { return begin() + size; }

  size_t size;
  std::unique_ptr<char[], Free> bytes;
  llvm::SmallVector<int64_t> shape;
  tg_dtype_t dtype;
};
} // namespace

ArrayWithCanaries::ArrayWithCanaries(const HostTensor &tensor)
    : size(tensor.getNumBytes()),
      bytes(new (std::align_val_t(kAlignment)) char[size + 2 * kCanaryBytes]),
      shape(tensor.getShape()),
      dtype(kElementTypes[unsigned(elementOf(tensor.getElementType()))].dtype) {
  std::memset(bytes.get(), kCanary, size + 2 * kCanaryBytes);
  if (size)
    std::memcpy(begin(), tensor.data(), size);
}

tg_tensor_t ArrayWithCanaries::get() {
  tg_tensor_t tensor = {};
  tensor.data = begin();
  tensor.device = {TG_DEVICE_CPU, 0};
  tensor.ndim = int32_t(shape.size());
  tensor.dtype = dtype;
  tensor.shape = shape.data();
  return tensor;
}

bool ArrayWithCanaries::isDamaged() const {
  auto isWritten = [](char byte) { return byte != kCanary; };
  return std::any_of(bytes.get(), begin(), isWritten) ||
         std::any_of(end(), end() + kCanaryBytes, isWritten);
}

void ArrayWithCanaries::copyTo(HostTensor &tensor) const {
  if (size)
    std::memcpy(tensor.data(), begin(), size);
  if (dtype.code == TG_DTYPE_BOOL)
    for (size_t i = 0; i < size; ++i)
      tensor.data()[i] = tensor.data()[i] != 0;
}

/// Calls a function and catches exceptions, because the compiler is built
/// without them.
static std::string callGuarded(const tg_host_function_t &function,
                               const tg_host_call_t &call) {
  try {
    tg_status_t status = function.call(function.user, &call);
    if (status == TG_OK)
      return {};
    return *call.message ? call.message
                         : "it returned status " + std::to_string(status);
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "it threw something other than a std::exception";
  }
}

static std::string callWith(const tg_host_function_t &function,
                            llvm::ArrayRef<HostTensor> inputs,
                            llvm::MutableArrayRef<HostTensor> results) {
  llvm::SmallVector<ArrayWithCanaries, 4> inputArrays(inputs.begin(),
                                                      inputs.end()),
      resultArrays(results.begin(), results.end());
  auto tensorOf = [](ArrayWithCanaries &array) { return array.get(); };
  llvm::SmallVector<tg_tensor_t, 4> inputTensors =
      llvm::map_to_vector<4>(inputArrays, tensorOf);
  llvm::SmallVector<tg_tensor_t, 4> resultTensors =
      llvm::map_to_vector<4>(resultArrays, tensorOf);
  char message[kMessageBytes] = "";
  tg_host_call_t call = {};
  call.struct_size = sizeof(call);
  call.input_count = uint32_t(inputs.size());
  call.output_count = uint32_t(results.size());
  call.message_bytes = kMessageBytes;
  call.name = function.name;
  call.inputs = inputTensors.data();
  call.outputs = resultTensors.data();
  call.message = message;
  std::string error = callGuarded(function, call);
  for (auto [index, array] : llvm::enumerate(resultArrays))
    if (array.isDamaged())
      return "it wrote beyond its result " + std::to_string(index);
  if (!error.empty())
    return error;
  for (auto [array, result] : llvm::zip(resultArrays, results))
    array.copyTo(result);
  return {};
}

HostFunction tg::adaptHostFunction(const tg_host_function_t &function) {
  return [&function](llvm::ArrayRef<HostTensor> inputs,
                     llvm::MutableArrayRef<HostTensor> results) {
    return callWith(function, inputs, results);
  };
}
