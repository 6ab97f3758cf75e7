//===- Tensors.cpp - tensors of metrics -----------------------------------===//
#include "Tensors.h"

using namespace tg;
using namespace tg::training;
using data::DataError;

std::string training::describe(const tg_tensor_t &tensor) {
  const auto shape = shapeOf(tensor);
  return data::FeatureType{"", tensor.dtype, {shape.begin(), shape.end()}}
      .text();
}

void training::expectRows(const tg_tensor_t &tensor, uint64_t examples,
                          const char *what) {
  if (tensor.ndim < 1 || tensor.shape[0] != static_cast<int64_t>(examples))
    throw DataError(std::string("expected ") + what + " of " +
                    std::to_string(examples) + " rows, found " +
                    describe(tensor));
}

const tg_tensor_t &training::labelsOf(const MetricBatch &batch) {
  if (!batch.labels)
    throw DataError("expected labels, found none");
  expectRows(*batch.labels, batch.examples, "labels");
  return *batch.labels;
}
