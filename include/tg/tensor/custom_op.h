/// Operations of the user: a CUDA kernel on devices, and a function of the host
/// on CPUs, in sessions and in eager mode.
#ifndef TG_TENSOR_CUSTOM_OP_H
#define TG_TENSOR_CUSTOM_OP_H

#include "host.h"

namespace tg {

/// An operation of the user. Its results depend on the inputs alone. A call
/// adds it to the graph of its inputs:
///
///   const CustomOp square = {.name = "square",
///                            .cuda = source,
///                            .cpu = squareArrays,
///                            .gradient = squareGradient};
///   Tensor y = square({x});
///
/// The parameters of the kernel are a pointer to each input and to each result,
/// in order, then all extents of all inputs and of all results, in order, as
/// long long. Tensors are dense and row-major. The kernel writes every element
/// of the results, booleans as 0 or 1.
struct CustomOp {
  /// The name of the host function. Operations of one name are equal.
  std::string name;
  /// The source of the kernel in CUDA C++, which NVRTC of the CUDA toolkit
  /// compiles when the model is compiled for devices, or PTX that was compiled
  /// before. One of both is given. Kernels are declared extern "C".
  std::string cuda = {}, ptx = {};
  /// The name of the kernel; may be omitted if the source has one kernel.
  std::string entry = {};
  /// The threads of a block, in up to three dimensions, at most 1024 together;
  /// empty: 256.
  std::vector<int64_t> block = {};
  /// The blocks, in up to three dimensions. Empty: a block for each
  /// `elementsPerBlock` elements of the first result.
  std::vector<int64_t> grid = {};
  /// 0: the number of threads of a block, hence a thread for each element.
  int64_t elementsPerBlock = 0;
  /// The dynamic shared memory of a block in bytes: at most 232448, and at most
  /// that of the device.
  int64_t sharedBytes = 0;
  /// The version for CPUs, which is registered with the program (registerHost)
  /// unless that has a function of the name. If it is empty, somebody else
  /// registers one.
  ArrayFunction cpu = {};
  /// The gradient: see customGradient(). Empty: the operation has none.
  GivenGradient gradient = {};

  /// Returns the result, whose type and shape are those of the first input.
  Tensor operator()(
      const std::vector<Operand> &inputs,
      std::source_location where = std::source_location::current()) const;
  /// Returns results of the given types. `sizes` are their dynamic extents: see
  /// HostCallOptions.
  std::vector<Tensor>
  call(const std::vector<Operand> &inputs,
       const std::vector<TensorType> &results,
       const std::vector<Operand> &sizes = {},
       std::source_location where = std::source_location::current()) const;
};

} // namespace tg

#endif // TG_TENSOR_CUSTOM_OP_H
