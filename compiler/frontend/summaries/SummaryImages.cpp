//===- SummaryImages.cpp - images of summaries ----------------------------===//
//
// Floats become bytes as in tf.summary.image of TensorFlow 1 and
// tf.raw_ops.ImageSummary, by the rule of its kernel
// (tensorflow/core/kernels/summary_image_op.cc): an image without negative
// numbers is multiplied by 255 / max, another one by 127 / max |x|, plus 128;
// fractions are cut off. If the maximum is below 1e-6, the factor is 0. A pixel
// with a channel that is not finite gets the color (255, 0, 0, 255) and does
// not count for the maximum.
//
#include "compiler/frontend/summaries/Summaries.h"

#include "compiler/frontend/graph/Elements.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::dsl;

/// The color of pixels that are not finite.
static constexpr uint8_t kBadColor[] = {255, 0, 0, 255};

static bool isFinite(std::span<const float> pixel) {
  return std::all_of(pixel.begin(), pixel.end(),
                     [](float channel) { return std::isfinite(channel); });
}

/// Converts the pixels of one image to bytes by the rule above.
static void normalize(std::span<const float> from, size_t channels,
                      std::span<uint8_t> to) {
  float least = INFINITY, most = -INFINITY;
  for (size_t at = 0; at < from.size(); at += channels)
    if (std::span<const float> pixel = from.subspan(at, channels);
        isFinite(pixel)) {
      auto [low, high] = std::minmax_element(pixel.begin(), pixel.end());
      least = std::min(least, *low);
      most = std::max(most, *high);
    }
  bool isSigned = least < 0;
  float magnitude = isSigned ? std::max(-least, std::abs(most)) : most;
  float offset = isSigned ? 128.0f : 0.0f;
  float scale =
      magnitude < 1e-6f ? 0.0f : (isSigned ? 127.0f : 255.0f) / magnitude;
  for (size_t at = 0; at < from.size(); at += channels) {
    std::span<const float> pixel = from.subspan(at, channels);
    for (size_t c = 0; c < channels; ++c)
      to[at + c] = isFinite(pixel)
                       ? static_cast<uint8_t>(pixel[c] * scale + offset)
                       : kBadColor[c];
  }
}

bool dsl::isByte(DType dtype) {
  tg_dtype_t stored = storedType(dtype);
  return stored.code == TG_DTYPE_UINT && stored.bits == 8;
}

data::Feature dsl::imageOf(const Array &images, int64_t index) {
  const std::vector<int64_t> &shape = images.shape();
  data::Feature image(storedType(u8), {shape[1], shape[2], shape[3]});
  size_t size = image.size();
  size_t begin = static_cast<size_t>(index) * size;
  std::span<uint8_t> bytes = image.values<uint8_t>();
  if (isByte(images.dtype())) {
    std::copy_n(images.values<uint8_t>().begin() +
                    static_cast<ptrdiff_t>(begin),
                size, bytes.begin());
    return image;
  }
  std::vector<float> numbers(size);
  for (size_t i = 0; i < size; ++i)
    numbers[i] = static_cast<float>(images.at(begin + i));
  normalize(numbers, static_cast<size_t>(shape[3]), bytes);
  return image;
}

void dsl::flipRows(data::Feature &image) {
  std::span<uint8_t> bytes = image.values<uint8_t>();
  int64_t rows = image.shape()[0];
  ptrdiff_t width = image.shape()[1] * image.shape()[2];
  for (int64_t top = 0, bottom = rows - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(bytes.begin() + top * width,
                     bytes.begin() + (top + 1) * width,
                     bytes.begin() + bottom * width);
}
