/// The calls of examples/mlir/mlp.mlir, on any host.
#ifndef TG_TEST_DEVICES_SUPPORT_MLP_H
#define TG_TEST_DEVICES_SUPPORT_MLP_H

#include "BareHost.h"

namespace tg::test {

inline constexpr tg_dtype_t kF32 = {TG_DTYPE_FLOAT, 32, 1};
inline constexpr tg_dtype_t kI32 = {TG_DTYPE_INT, 32, 1};
inline constexpr tg_dtype_t kI64 = {TG_DTYPE_INT, 64, 1};

/// A batch of images and labels, which follow from a number.
struct MlpBatch {
  MlpBatch(int64_t size, uint32_t number) : size(size) {
    uint32_t state = number * 2654435761u + 1;
    for (int64_t i = 0; i < size * 784; ++i) {
      state = state * 1664525u + 1013904223u;
      x.push_back(float(state >> 8) / float(1 << 24));
    }
    for (int64_t i = 0; i < size; ++i)
      labels.push_back(int32_t((number + i) % 10));
  }

  int64_t size;
  std::vector<float> x;
  std::vector<int32_t> labels;
};

/// Calls the functions of mlp on a host, and keeps their results.
template <typename Host> class MlpCalls {
public:
  explicit MlpCalls(Host &host) : host(host) {}

  tg_status_t init(int64_t seed) {
    Arguments inputs, outputs;
    inputs.add(&seed, {}, kI64);
    return host.run("init", inputs, outputs);
  }
  tg_status_t train(const MlpBatch &batch) {
    Arguments inputs, outputs;
    inputs.add(const_cast<float *>(batch.x.data()), {batch.size, 784}, kF32)
        .add(const_cast<int32_t *>(batch.labels.data()), {batch.size}, kI32)
        .add(&rate, {}, kF32);
    outputs.add(&loss, {}, kF32);
    return host.run("train", inputs, outputs);
  }
  tg_status_t test(const MlpBatch &batch) {
    probabilities.assign(batch.size * 10, -1);
    digits.assign(batch.size, -1);
    Arguments inputs, outputs;
    inputs.add(const_cast<float *>(batch.x.data()), {batch.size, 784}, kF32);
    outputs.add(probabilities.data(), {batch.size, 10}, kF32)
        .add(digits.data(), {batch.size}, kI64);
    return host.run("test", inputs, outputs);
  }

  float loss = -1, rate = 0.01f;
  std::vector<float> probabilities;
  std::vector<int64_t> digits;

private:
  Host &host;
};

} // namespace tg::test

#endif // TG_TEST_DEVICES_SUPPORT_MLP_H
