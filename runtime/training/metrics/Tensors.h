/// Elements of the tensors that metrics read.
#ifndef TG_RUNTIME_TRAINING_METRICS_TENSORS_H
#define TG_RUNTIME_TRAINING_METRICS_TENSORS_H

#include "runtime/data/Dtypes.h"
#include "tg/training/metrics.hpp"

#include <span>

namespace tg::training {

inline std::span<const int64_t> shapeOf(const tg_tensor_t &tensor) {
  return {tensor.shape, static_cast<size_t>(tensor.ndim)};
}

/// Returns the number of elements.
inline size_t sizeOf(const tg_tensor_t &tensor) {
  size_t product = 1;
  for (int64_t extent : shapeOf(tensor))
    product *= static_cast<size_t>(extent);
  return product;
}

/// Returns true for f32 and f64.
inline bool isFloat(const tg_tensor_t &tensor) {
  return tensor.dtype.code == TG_DTYPE_FLOAT;
}

/// Calls a function with the elements as a span of their C++ type. Throws
/// DataError for an element type that has none.
template <typename Function>
void visitElements(const tg_tensor_t &tensor, Function function) {
  data::visitDtype(tensor.dtype, [&](auto zero) {
    using T = decltype(zero);
    const auto *first = reinterpret_cast<const T *>(
        static_cast<const char *>(tensor.data) + tensor.byte_offset);
    function(std::span<const T>(first, sizeOf(tensor)));
  });
}

/// Returns a tensor as written in messages: "f32 [32, 10]".
std::string describe(const tg_tensor_t &tensor);

/// Throws DataError if the first dimension of a tensor is not the number of
/// examples. `what` is "predictions" or "labels".
void expectRows(const tg_tensor_t &tensor, uint64_t examples, const char *what);

/// Returns the labels of a batch. Throws DataError if it has none.
const tg_tensor_t &labelsOf(const MetricBatch &batch);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_METRICS_TENSORS_H
