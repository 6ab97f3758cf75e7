//===- Mixup.cpp - weighted sums of two examples --------------------------===//
#include "Pixels.h"

#include "tg/data/augment.hpp"

#include <cmath>
#include <numbers>

using namespace tg::data;

Feature tg::data::mixup(const Feature &first, const Feature &second,
                        float weight) {
  if (!isType(first, f32Type) || !isType(second, f32Type) ||
      first.shape() != second.shape())
    throw DataError("expected two features f32 of equal shapes, found " +
                    textOf(first) + " and " + textOf(second));
  if (!(weight >= 0 && weight <= 1))
    throw DataError("expected a weight from 0 to 1, found " +
                    std::to_string(weight));
  Feature made(f32Type, first.shape());
  const float *one = first.values<float>().data();
  const float *other = second.values<float>().data();
  float *to = made.values<float>().data();
  const float rest = 1 - weight;
  for (size_t i = 0, size = first.size(); i < size; ++i)
    to[i] = weight * one[i] + rest * other[i];
  return made;
}

/// Draws from the normal distribution by the method of Box and Muller.
static double drawNormal(Random &random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

/// Draws the logarithm of a number from the distribution Gamma(shape, 1), by
/// the method of Marsaglia and Tsang (2000). Small shapes need the logarithm:
/// their numbers would be 0.
static double drawLogGamma(double shape, Random &random) {
  if (shape < 1)
    return drawLogGamma(shape + 1, random) +
           std::log(1 - random.uniform()) / shape;
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double normal = drawNormal(random);
    const double root = 1 + c * normal;
    const double uniform = 1 - random.uniform();
    if (root <= 0)
      continue;
    const double cube = root * root * root;
    if (std::log(uniform) <
        normal * normal / 2 + d * (1 - cube + std::log(cube)))
      return std::log(d * cube);
  }
}

float tg::data::mixupWeight(double alpha, Random &random) {
  if (!(alpha > 0 && alpha <= 1e6))
    throw DataError("expected an alpha above 0 and at most 1e6, found " +
                    std::to_string(alpha));
  const double first = drawLogGamma(alpha, random);
  const double second = drawLogGamma(alpha, random);
  return static_cast<float>(1 / (1 + std::exp(second - first)));
}
