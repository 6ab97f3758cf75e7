//===- Initializer.cpp - first values of variables ------------------------===//
#include "tg/initializer.h"
#include "compiler/frontend/dsl/Build.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

/// A constant of the type, from one or from all elements.
static Tensor constantOf(const TensorType &type, const Tensor &seed,
                         std::span<const double> elements) {
  const Bodies &body = seed.body();
  return Tensor(body, take(body->constant(type, elements, Place::current())));
}

Initializer::Initializer(double value)
    : Initializer([value](const TensorType &type, Tensor seed) {
        return constantOf(type, seed, std::vector<double>{value});
      }) {}

Initializer tg::zeros() { return 0.0; }
Initializer tg::ones() { return 1.0; }

Initializer tg::values(std::vector<double> elements) {
  return Initializer([elements](const TensorType &type, Tensor seed) {
    return constantOf(type, seed, elements);
  });
}

/// A draw of the type, from a stream of its own.
static Tensor draw(const char *op, const TensorType &type, const Tensor &seed,
                   std::vector<Attribute> attributes = {}) {
  std::vector<int64_t> shape;
  for (const Extent &extent : type.shape)
    shape.push_back(extent.value);
  attributes.push_back({"shape", shape});
  attributes.push_back({"stream", seed.body()->initStream(seed.id())});
  if (type.dtype != f32)
    attributes.push_back({"element_type", type.dtype});
  return call(op, {seed, 0.0}, std::move(attributes));
}

/// Throws where a standard deviation is negative or no number.
static void check(const NormalOptions &options, const Tensor &seed) {
  if (!(options.stddev >= 0))
    raise("expected a standard deviation of at least 0, found " +
              std::to_string(options.stddev),
          seed.body(), Place::current());
}

Initializer tg::normal(NormalOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    check(options, seed);
    Tensor drawn = draw("random_normal", type, seed) * options.stddev;
    return options.mean == 0 ? drawn : drawn + options.mean;
  });
}

Initializer tg::truncatedNormal(NormalOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    check(options, seed);
    Tensor drawn =
        draw("random_normal", type, seed, {{"truncated", Attribute::Flag()}}) *
        options.stddev;
    return options.mean == 0 ? drawn : drawn + options.mean;
  });
}

Initializer tg::uniform(UniformOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    if (!(options.low <= options.high))
      raise("expected a range from low to high, found " +
                std::to_string(options.low) + " to " +
                std::to_string(options.high),
            seed.body(), Place::current());
    Tensor drawn =
        draw("random_uniform", type, seed) * (options.high - options.low);
    return drawn + options.low;
  });
}

namespace {
/// How many inputs an output element has, and the other way round.
struct Fans {
  double in = 1, out = 1;
};
} // namespace

static Fans fansOf(const TensorType &type) {
  Fans fans;
  for (int64_t axis = 0; axis < type.rank(); ++axis) {
    double extent = static_cast<double>(type.shape[axis].value);
    if (axis != type.rank() - 1 || type.rank() == 1)
      fans.in *= extent;
    if (axis != type.rank() - 2)
      fans.out *= extent;
  }
  return fans;
}

Initializer tg::glorotUniform() {
  return Initializer([](const TensorType &type, Tensor seed) {
    Fans fans = fansOf(type);
    double limit = std::sqrt(6 / (fans.in + fans.out));
    return uniform({.low = -limit, .high = limit}).build(type, seed);
  });
}

Initializer tg::glorotNormal() {
  return Initializer([](const TensorType &type, Tensor seed) {
    Fans fans = fansOf(type);
    return normal({.stddev = std::sqrt(2 / (fans.in + fans.out))})
        .build(type, seed);
  });
}

Initializer tg::heNormal() {
  return Initializer([](const TensorType &type, Tensor seed) {
    return normal({.stddev = std::sqrt(2 / fansOf(type).in)}).build(type, seed);
  });
}
