//===- Initializer.cpp - initial values of variables ----------------------===//
#include "tg/graph/initializer.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/control.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

#include <algorithm>

#include <cmath>

using namespace tg;
using namespace tg::dsl;

/// Returns a constant of the type, from a single element for all or from all
/// elements.
static Tensor constantOf(const TensorType &type, const Tensor &seed,
                         std::span<const double> elements) {
  const BodyPtr &body = seed.body();
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

/// Returns random samples of the type from the op `op`. They have a random
/// stream of their own.
static Tensor drawSamples(const char *op, const TensorType &type,
                          const Tensor &seed,
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

/// Throws GraphError if the standard deviation is negative or NaN.
static void check(const NormalOptions &options, const Tensor &seed) {
  if (!(options.stddev >= 0))
    raise("expected a standard deviation of at least 0, found " +
              textOf(options.stddev),
          seed.body(), Place::current());
}

Initializer tg::normal(NormalOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    check(options, seed);
    Tensor samples = drawSamples("random_normal", type, seed) * options.stddev;
    return options.mean == 0 ? samples : samples + options.mean;
  });
}

Initializer tg::truncatedNormal(NormalOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    check(options, seed);
    Tensor samples = drawSamples("random_normal", type, seed,
                                 {{"truncated", Attribute::Flag()}}) *
                     options.stddev;
    return options.mean == 0 ? samples : samples + options.mean;
  });
}

Initializer tg::uniform(UniformOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    if (!(options.low <= options.high))
      raise("expected a range from low to high, found " + textOf(options.low) +
                " to " + textOf(options.high),
            seed.body(), Place::current());
    Tensor samples = drawSamples("random_uniform", type, seed) *
                     (options.high - options.low);
    return samples + options.low;
  });
}

Fans tg::fansOf(const Shape &shape) {
  Fans fans;
  size_t rank = shape.size();
  for (size_t axis = 0; axis < rank; ++axis) {
    double extent = static_cast<double>(shape[axis].value);
    if (axis + 1 != rank || rank == 1)
      fans.in *= extent;
    if (axis + 2 != rank)
      fans.out *= extent;
  }
  return fans;
}

Initializer tg::glorotUniform(std::optional<Fans> given) {
  return Initializer([given](const TensorType &type, Tensor seed) {
    Fans fans = given ? *given : fansOf(type.shape);
    double limit = std::sqrt(6 / (fans.in + fans.out));
    return uniform({.low = -limit, .high = limit}).build(type, seed);
  });
}

Initializer tg::glorotNormal(std::optional<Fans> given) {
  return Initializer([given](const TensorType &type, Tensor seed) {
    Fans fans = given ? *given : fansOf(type.shape);
    return normal({.stddev = std::sqrt(2 / (fans.in + fans.out))})
        .build(type, seed);
  });
}

/// Returns an initializer with variance gain / fan-in. Without `given`, the
/// fan-in follows from the shape of the variable.
static Initializer byFanIn(double gain, bool isUniform,
                           std::optional<Fans> given) {
  return Initializer([=](const TensorType &type, Tensor seed) {
    Fans fans = given ? *given : fansOf(type.shape);
    double deviation = std::sqrt(gain / fans.in);
    double limit = std::sqrt(3.0) * deviation;
    return isUniform ? uniform({.low = -limit, .high = limit}).build(type, seed)
                     : normal({.stddev = deviation}).build(type, seed);
  });
}

Initializer tg::heUniform(std::optional<Fans> fans) {
  return byFanIn(2, /*isUniform=*/true, fans);
}

Initializer tg::heNormal(std::optional<Fans> fans) {
  return byFanIn(2, /*isUniform=*/false, fans);
}

Initializer tg::lecunUniform(std::optional<Fans> fans) {
  return byFanIn(1, /*isUniform=*/true, fans);
}

Initializer tg::lecunNormal(std::optional<Fans> fans) {
  return byFanIn(1, /*isUniform=*/false, fans);
}

//===----------------------------------------------------------------------===//
// Orthogonal matrices
//===----------------------------------------------------------------------===//

/// Returns the component of a row that is orthogonal to all rows of a matrix.
/// The rows of the matrix must be orthonormal or zero.
static Tensor projectOut(const Tensor &row, const Tensor &matrix) {
  Tensor coefficients = reduceSum(matrix * row, {{1}, true});
  return row - reduceSum(matrix * coefficients, {{0}});
}

/// Orthonormalizes the rows of [r, c], r <= c, by the Gram-Schmidt process. A
/// second pass removes the rounding error that the first pass leaves in f32
/// (Giraud et al., "The loss of orthogonality in the Gram-Schmidt
/// orthogonalization process", 2005). The diagonal of the triangular factor is
/// positive, so normally distributed rows give uniformly distributed orthogonal
/// matrices.
static Tensor orthonormalRows(const Tensor &rows) {
  Place where = Place::current();
  Tensor indices = positions(rows);
  auto step = [](Tensor found, Tensor row, Tensor index) {
    Tensor rest = projectOut(projectOut(row, found), found);
    Tensor unit = rest / norm(rest);
    return updateSlice(found, expandDims(unit, 0), {index, 0});
  };
  return scan(step, {zerosLike(rows)}, {rows, indices}, {}, where);
}

Initializer tg::orthogonal(OrthogonalOptions options) {
  return Initializer([options](const TensorType &type, Tensor seed) {
    if (type.rank() < 2)
      raise("expected a variable of rank at least 2 for orthogonal rows, found "
            "shape " +
                toString(type.shape),
            seed.body(), Place::current());
    std::vector<int64_t> shape;
    int64_t rows = 1;
    int64_t columns = type.shape.back().value;
    for (const Extent &extent : type.shape)
      shape.push_back(extent.value);
    for (size_t axis = 0; axis + 1 < shape.size(); ++axis)
      rows *= shape[axis];
    bool isTall = rows > columns;
    TensorType flat{type.dtype,
                    {std::min(rows, columns), std::max(rows, columns)}};
    Tensor matrix = orthonormalRows(normal().build(flat, seed));
    if (isTall)
      matrix = transpose(matrix, {1, 0});
    return reshape(options.gain == 1 ? matrix : matrix * options.gain, shape);
  });
}
