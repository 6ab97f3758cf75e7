/// The model of the example: three weights.
#ifndef TG_EXAMPLES_CURVE_FIT_MODEL_H
#define TG_EXAMPLES_CURVE_FIT_MODEL_H

#include <tg/tg.h>

namespace curve_fit {

/// Adds the functions `train` and `test` to a program: w0 x² + w1 x + w2. The
/// loss is half the squared error of a batch plus a tenth of half the squared
/// weights.
inline void defineModel(tg::Program &program) {
  using namespace tg;
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = program.input("y", f32, {dim("n")});
  Variable w = program.variable("w", f32, {3, 1}, glorotUniform());

  Tensor column = reshape(x, {-1, 1});
  // [n, 3] x [3, 1]
  Tensor features =
      concat({square(column), column, onesLike(column)}, /*axis=*/1);
  Tensor fitted = reshape(matmul(features, w), {-1});
  Tensor error = l2Loss(fitted - y);
  Tensor loss = error + 0.1 * l2Loss(w);

  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}, {"error", error}},
                    .updates = Adam({.learningRate = 0.1}).minimize(loss)});
  program.function("test", {.inputs = {x}, .outputs = {{"y", fitted}}});
}

} // namespace curve_fit

#endif // TG_EXAMPLES_CURVE_FIT_MODEL_H
