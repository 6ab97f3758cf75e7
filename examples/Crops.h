/// Random crops of images within a network.
#ifndef TG_EXAMPLES_CROPS_H
#define TG_EXAMPLES_CROPS_H

#include <tg/nn/cookbook.h>
#include <tg/tg.h>

namespace example {

/// Cuts `size` rows out of each image [n, h, w, c], from a row on that is
/// chosen for each image at random.
inline tg::Tensor cutRows(const tg::Tensor &images, int64_t size) {
  using namespace tg;
  const int64_t margin = images.dim(1) - size;
  Program program = Program::of(images);
  Tensor first = program.randomUniform({images.shape()[0], 1},
                                       {.low = 0, .high = double(margin + 1)});
  first = minimum(cast(floor(first), i64), margin);
  return batchGather(images, first + program.range(size)); // [n, size, w, c]
}

/// Cuts a square of this size out of each image [n, h, w, c], at a place of its
/// own.
inline tg::Tensor cutSquares(const tg::Tensor &images, int64_t size) {
  tg::Tensor columns = transpose(cutRows(images, size), {0, 2, 1, 3});
  return transpose(cutRows(columns, size), {0, 2, 1, 3});
}

} // namespace example

#endif // TG_EXAMPLES_CROPS_H
