//===- RandomProgram.cpp - programs of randomly chosen operations ---------===//
//
// A program has rows, images and sequences, each a batch that depends on an
// input and on variables. Each step replaces one of them by an operation of
// itself or of several, with random options. Values stay bounded, so that few
// results are infinite or NaN.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/bits/RandomProgram.h"
#include "tg/tg.h"

#include <memory>

using namespace tg;
using namespace tg::test;

namespace {
class Generator {
public:
  Generator(uint64_t seed, RandomOps ops)
      : state(seed), withProducts(ops == RandomOps::withProducts),
        program("random") {}

  std::string makeText();

private:
  /// Returns a number in [0, limit).
  int64_t below(int64_t limit);
  bool isHeads() { return below(2) == 0; }
  /// Returns one of the elements.
  template <typename T> T oneOf(std::vector<T> elements) {
    return elements[size_t(below(int64_t(elements.size())))];
  }

  Tensor makeVariable(const Shape &shape);
  /// Returns the extent of the last dimension.
  int64_t width(const Tensor &x) const { return x.dim(-1); }

  Tensor bounded(Tensor x);
  Tensor unary(Tensor x);
  Tensor binary(Tensor x, Tensor y);
  Tensor normalized(Tensor x);
  Tensor moved(Tensor x);
  Tensor looped(Tensor x);
  Tensor product(Tensor x);
  Tensor convolved(Tensor x);
  Tensor pooled(Tensor x);
  Tensor joined(Tensor rows);
  void addStep();

  uint64_t state;
  bool withProducts;
  int variables = 0;
  Program program;
  /// Values [batch, n], [batch, h, w, c] and [batch, steps, n].
  Tensor rows, image, sequence;
};
} // namespace

int64_t Generator::below(int64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return int64_t((state >> 33) % uint64_t(limit));
}

Tensor Generator::makeVariable(const Shape &shape) {
  return program.variable("v" + std::to_string(variables++), f32, shape,
                          uniform({.low = -0.5, .high = 0.5}));
}

//===----------------------------------------------------------------------===//
// Operations on values of any rank
//===----------------------------------------------------------------------===//

/// Returns a value in [-1, 1] or of about that size.
Tensor Generator::bounded(Tensor x) {
  switch (below(4)) {
  case 0:
    return tanh(x);
  case 1:
    return sin(x);
  case 2:
    return softsign(x);
  default:
    return clip(x, -1.5, 1.25);
  }
}

Tensor Generator::unary(Tensor x) {
  using Function = Tensor (*)(Operand);
  return oneOf<Function>(
      {[](Operand y) { return exp(-square(Tensor(y))); },
       [](Operand y) { return sqrt(abs(Tensor(y)) + 0.125); },
       [](Operand y) { return log1p(abs(Tensor(y))); },
       [](Operand y) { return pow(abs(Tensor(y)) + 0.25, 1.5); },
       [](Operand y) { return 1.0 / (square(Tensor(y)) + 1.0); },
       [](Operand y) { return select(Tensor(y) > 0.25, y, Tensor(y) * 0.5); },
       [](Operand y) { return sigmoid(y); },
       [](Operand y) { return softplus(y); }, [](Operand y) { return gelu(y); },
       [](Operand y) { return erf(y); }, [](Operand y) { return atan(y); },
       [](Operand y) { return cos(y); }, [](Operand y) { return relu(y); },
       [](Operand y) { return elu(y); }, [](Operand y) { return mish(y); },
       [](Operand y) { return expm1(Tensor(y) * 0.25); }})(x);
}

/// Returns an operation of two values, of which one may be broadcast.
Tensor Generator::binary(Tensor x, Tensor y) {
  switch (below(5)) {
  case 0:
    return x + y;
  case 1:
    return x * y - x;
  case 2:
    return maximum(x, y * 0.75);
  case 3:
    return select(x < y, x, y + 0.125);
  default:
    return x / (abs(y) + 1.0);
  }
}

/// Returns a value minus or over a statistic of itself.
Tensor Generator::normalized(Tensor x) {
  int64_t rank = x.rank();
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (isHeads())
      axes.push_back(axis);
  ReduceOptions options{.axes = axes, .keepDims = true};
  switch (below(7)) {
  case 0:
    return softmax(x);
  case 1:
    return layerNorm(x, makeVariable({width(x)}) + 1.0,
                     makeVariable({width(x)}));
  case 2: {
    auto [mean, variance] = moments(x, options);
    return (x - mean) / sqrt(variance + 0.0625);
  }
  case 3:
    return x - reduceMean(x, options);
  case 4:
    return x / (reduceSum(square(x), options) + 1.0);
  case 5:
    return x - reduceMax(x, options);
  default:
    return x - reduceLogSumExp(x, options);
  }
}

/// Returns the same elements in other places, or parts of them.
Tensor Generator::moved(Tensor x) {
  int64_t last = x.rank() - 1;
  switch (below(6)) {
  case 0:
    return reverse(x, {below(last + 1)});
  case 1:
    return roll(x, 1 + below(3), below(last + 1));
  case 2:
    return cumsum(x, {.axis = last, .reverse = isHeads()}) * 0.25;
  case 3:
    if (width(x) > 3) {
      SliceOptions part{.starts = std::vector<Operand>(x.rank(), 0),
                        .sizes = std::vector<Operand>(x.rank(), -1),
                        .strides = std::vector<int64_t>(x.rank(), 1)};
      part.starts.back() = 1;
      part.strides.back() = 1 + below(2);
      return slice(x, part);
    }
    [[fallthrough]];
  case 4:
    if (width(x) < 40)
      return concat({x, x * 0.5 - reverse(x, {last})}, last);
    [[fallthrough]];
  default:
    return sort(x, {.axis = last, .descending = isHeads()});
  }
}

/// Returns the result of a loop whose number of steps depends on the extents or
/// on data.
Tensor Generator::looped(Tensor x) {
  if (isHeads()) {
    auto [last, all] = scan(
        [&](Tensor carried, Tensor element) {
          Tensor next = unary(carried * 0.5 + element);
          return std::pair(bounded(next), carried - element);
        },
        {zerosLike(x[0])}, {x}, {.reverse = isHeads()});
    return all + last;
  }
  auto [trips, halved] = whileLoop(
      [](Tensor, Tensor value) { return reduceMax(abs(value)) > 0.25; },
      [&](Tensor trip, Tensor value) {
        Tensor next = cond(
            reduceSum(value) > 0.0, [&] { return value * 0.5; },
            [&] { return bounded(value) * 0.25; });
        return std::pair(trip + 1, next);
      },
      {0, bounded(x)}, {.maxTrip = 20});
  return halved + cast(trips, f32) * 0.0625;
}

//===----------------------------------------------------------------------===//
// Operations on values of one rank
//===----------------------------------------------------------------------===//

/// Returns a product with a variable along the last dimension.
Tensor Generator::product(Tensor x) {
  int64_t units = oneOf<int64_t>({1, 3, 8, 17, 33});
  Tensor y = matmul(x, makeVariable({width(x), units}));
  return isHeads() ? y : y + makeVariable({units});
}

Tensor Generator::convolved(Tensor x) {
  int64_t size = oneOf<int64_t>({1, 3});
  int64_t stride = 1 + below(2);
  Padding padding = Padding::same;
  if (below(3) == 0)
    return depthwiseConv2d(x, makeVariable({size, size, width(x), 1}),
                           {.strides = {stride}, .padding = padding});
  int64_t filters = oneOf<int64_t>({2, 4, 12, 20});
  int64_t groups = width(x) % 2 == 0 && isHeads() ? 2 : 1;
  return conv2d(x, makeVariable({size, size, width(x) / groups, filters}),
                {.strides = {stride},
                 .dilations = {stride == 1 ? 1 + below(2) : 1},
                 .padding = padding,
                 .groups = groups});
}

Tensor Generator::pooled(Tensor x) {
  int64_t size = 2 + below(2);
  switch (below(4)) {
  case 0:
    return maxPool(x, {.window = {size}, .padding = Padding::same});
  case 1:
    return avgPool(x, {.window = {size},
                       .padding = Padding::same,
                       .countPadding = isHeads()});
  case 2:
    return localResponseNorm(x, {.radius = size});
  default:
    return resize(
        x, {.sizes = {3 + below(5), 3 + below(5)},
            .mode = isHeads() ? ResizeMode::linear : ResizeMode::nearest});
  }
}

/// Returns the rows with a summary of the image and of the sequence.
Tensor Generator::joined(Tensor x) {
  return concat({x, reduceMean(image, {.axes = {1, 2}}),
                 reduceSum(sequence, {.axes = {1}}) * 0.25},
                1);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

void Generator::addStep() {
  Tensor &value = *oneOf<Tensor *>({&rows, &image, &sequence});
  int64_t kind = below(withProducts ? 10 : 8);
  if (kind >= 8)
    value = &value == &image ? convolved(value) : product(value);
  else if (kind == 7)
    value = &value == &image  ? pooled(value)
            : &value == &rows ? joined(value)
                              : looped(value);
  else if (kind == 6)
    value = looped(value);
  else if (kind == 5)
    value = moved(value);
  else if (kind >= 3)
    value = normalized(value);
  else if (kind == 2)
    value = unary(value);
  else if (kind == 1)
    value =
        binary(value, isHeads() ? makeVariable({width(value)}) : unary(value));
  else
    value = binary(value, reverse(bounded(value), {1}));
  value = bounded(value);
}

std::string Generator::makeText() {
  int64_t steps = 3 + below(4);
  Tensor x = program.input("x", f32, {dim("batch"), 1 + below(40)});
  Tensor y = program.input(
      "y", f32, {dim("batch"), 3 + below(7), 3 + below(7), 1 + below(6)});
  Tensor z = program.input("z", f32, {dim("batch"), steps, 1 + below(24)});
  rows = x * (makeVariable({width(x)}) + 1.0);
  image = y * (makeVariable({width(y)}) + 1.0);
  sequence = z * (makeVariable({width(z)}) + 1.0);
  for (int64_t count = 4 + below(8); count > 0; --count)
    addStep();
  Tensor result = joined(rows);
  Tensor loss = reduceMean(square(result - 0.25)) + reduceSum(image) * 0.01;
  std::unique_ptr<Optimizer> optimizer;
  if (isHeads())
    optimizer = std::make_unique<SGD>(SGDOptions{.learningRate = 0.05});
  else
    optimizer = std::make_unique<Adam>(AdamOptions{.learningRate = 0.01});
  program.function("train", {.inputs = {x, y, z},
                             .outputs = {{"loss", loss}},
                             .updates = optimizer->minimize(loss)});
  program.function("test", {.inputs = {x, y, z},
                            .outputs = {{"rows", result},
                                        {"image", image},
                                        {"sequence", sequence}}});
  return program.text();
}

std::string test::makeRandomProgram(uint64_t seed, RandomOps ops) {
  return Generator(seed * 2 + (ops == RandomOps::withProducts), ops).makeText();
}
