/// Images of shapes, and the pixels that belong to them.
#ifndef TG_EXAMPLES_SEGMENTATION_SHAPES_H
#define TG_EXAMPLES_SEGMENTATION_SHAPES_H

#include <tg/training.hpp>

#include <cmath>
#include <random>

namespace segmentation {

constexpr size_t side = 32;

/// Images [n, side, side, 3] in [0, 1], and masks [n, side, side, 1] that are 1
/// in a shape.
struct Shapes {
  std::vector<float> images, masks;

  size_t size() const { return masks.size() / (side * side); }
  tg::Rows<float> imageRows() const { return {images, side * side * 3}; }
  tg::Rows<float> maskRows() const { return {masks, side * side}; }
};

/// A disc, a square or a triangle in an image.
struct Shape {
  unsigned kind;
  float x, y, radius, colour[3];

  bool contains(float px, float py) const {
    const float dx = px - x, dy = py - y;
    if (kind == 0)
      return dx * dx + dy * dy <= radius * radius;
    if (kind == 1)
      return std::abs(dx) <= radius && std::abs(dy) <= radius;
    return dy <= radius && 2 * std::abs(dx) <= dy + radius;
  }
};

/// Returns noisy images of one to three shapes over striped backgrounds.
inline Shapes makeShapes(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  auto uniform = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(generator()) / 4294967296.f;
  };
  Shapes result;
  for (size_t image = 0; image < count; ++image) {
    std::vector<Shape> shapes(1 + generator() % 3);
    for (Shape &shape : shapes) {
      shape = {static_cast<unsigned>(generator() % 3),
               uniform(6, side - 6),
               uniform(6, side - 6),
               uniform(3, 7),
               {}};
      for (float &channel : shape.colour)
        channel = uniform(0.2f, 0.9f);
    }
    const float slope = uniform(-1, 1);
    const float frequency = uniform(0.3f, 1);
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x) {
        const auto px = static_cast<float>(x);
        const auto py = static_cast<float>(y);
        const float background =
            0.4f + 0.25f * std::sin(frequency * (px + slope * py));
        const Shape *hit = nullptr;
        for (const Shape &shape : shapes)
          hit = shape.contains(px, py) ? &shape : hit;
        result.masks.push_back(hit ? 1.f : 0.f);
        for (size_t channel = 0; channel < 3; ++channel)
          result.images.push_back((hit ? hit->colour[channel] : background) +
                                  uniform(-0.15f, 0.15f));
      }
  }
  return result;
}

} // namespace segmentation

#endif // TG_EXAMPLES_SEGMENTATION_SHAPES_H
