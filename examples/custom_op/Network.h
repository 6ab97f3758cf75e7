/// The network of the example: two linear layers around an operation of the
/// user, which adds a bias and applies an activation in one kernel.
#ifndef TG_EXAMPLES_CUSTOM_OP_NETWORK_H
#define TG_EXAMPLES_CUSTOM_OP_NETWORK_H

#include <tg/tg.h>

#include <algorithm>

namespace custom_op {

/// y = hardSwish(x + b) and its gradient in CUDA C++. The parameters are
/// pointers to the inputs and the result, then the extents of all of them. The
/// intrinsics round each operation on its own, as the CPU does.
inline constexpr char kSource[] = R"(
__device__ float add(float a, float b) { return __fadd_rn(a, b); }
__device__ float mul(float a, float b) { return __fmul_rn(a, b); }

extern "C" __global__ void swish(const float *x, const float *b, float *y,
                                 long long rows, long long columns, long long,
                                 long long, long long) {
  const long long i = blockIdx.x * 128ll + threadIdx.x;
  if (i >= rows * columns)
    return;
  const float z = add(x[i], b[i % columns]);
  y[i] = mul(mul(z, fminf(fmaxf(add(z, 3), 0), 6)), 1.0f / 6);
}

extern "C" __global__ void slope(const float *x, const float *b, const float *g,
                                 float *y, long long rows, long long columns,
                                 long long, long long, long long, long long,
                                 long long) {
  const long long i = blockIdx.x * 128ll + threadIdx.x;
  if (i >= rows * columns)
    return;
  const float z = add(x[i], b[i % columns]);
  const float inner = mul(add(add(z, z), 3), 1.0f / 6);
  y[i] = mul(g[i], z <= -3 ? 0 : z >= 3 ? 1 : inner);
}
)";

/// The same for CPUs: writes the elements of y for rows of `columns` elements.
inline void swish(std::span<const float> x, std::span<const float> b,
                  std::span<float> y) {
  for (size_t i = 0; i < x.size(); ++i) {
    const float z = x[i] + b[i % b.size()];
    y[i] = z * std::min(std::max(z + 3, 0.0f), 6.0f) * (1.0f / 6);
  }
}

inline void slope(std::span<const float> x, std::span<const float> b,
                  std::span<const float> g, std::span<float> y) {
  for (size_t i = 0; i < x.size(); ++i) {
    const float z = x[i] + b[i % b.size()];
    const float inner = (z + z + 3) * (1.0f / 6);
    y[i] = g[i] * (z <= -3 ? 0 : z >= 3 ? 1 : inner);
  }
}

/// Returns g · hardSwish'(x + b) for x, b and g.
inline tg::Tensor swishSlope(const std::vector<tg::Operand> &inputs) {
  const tg::CustomOp op = {
      .name = "swish_slope",
      .cuda = kSource,
      .entry = "slope",
      .block = {128},
      .cpu = [](const std::vector<tg::Array> &arrays) {
        std::vector<float> y(arrays[0].size());
        slope(arrays[0].values<float>(), arrays[1].values<float>(),
              arrays[2].values<float>(), y);
        return std::vector{tg::Array(y, arrays[0].shape())};
      }};
  return op(inputs);
}

/// Returns hardSwish(x + b) for x [n, d] and b [d].
inline tg::Tensor biasedSwish(tg::Tensor x, tg::Tensor b) {
  const tg::CustomOp op = {
      .name = "biased_swish",
      .cuda = kSource,
      .entry = "swish",
      .block = {128},
      .cpu =
          [](const std::vector<tg::Array> &arrays) {
            std::vector<float> y(arrays[0].size());
            swish(arrays[0].values<float>(), arrays[1].values<float>(), y);
            return std::vector{tg::Array(y, arrays[0].shape())};
          },
      .gradient =
          [](auto &inputs, auto &, auto &gradients) {
            // [n, d]
            tg::Tensor dx = swishSlope({inputs[0], inputs[1], gradients[0]});
            return std::vector{dx, tg::reduceSum(dx, {.axes = {0}})};
          }};
  return op({x, b});
}

/// Adds the functions `train` and `test` to a program: the sum of the inputs'
/// absolute values from 4 numbers, by 16 units.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor x = program.input("x", f32, {dim("n"), 4});
  Tensor y = program.input("y", f32, {dim("n"), 1});
  Variable w = program.variable("w", f32, {4, 16}, glorotUniform());
  Variable b = program.variable("b", f32, {16}, zeros());
  Variable v = program.variable("v", f32, {16, 1}, glorotUniform());
  // [n, 16] = [n, 4] x [4, 16]
  Tensor hidden = biasedSwish(matmul(x, w), b);
  Tensor sums = matmul(hidden, v); // [n, 1]
  Tensor loss = reduceMean(square(sums - y));
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.02}).minimize(loss)});
  program.function("test", {.inputs = {x}, .outputs = {{"sums", sums}}});
}

} // namespace custom_op

#endif // TG_EXAMPLES_CUSTOM_OP_NETWORK_H
