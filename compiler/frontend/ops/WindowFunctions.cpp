//===- WindowFunctions.cpp - pooling and resizing of images ---------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/windows.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns the attributes of pooling over a tensor. A single window number
/// applies to all dimensions.
template <typename Options>
static std::vector<Attribute> attributesOf(const Operand &input,
                                           const Options &options) {
  int64_t dimensions = std::max<int64_t>(input.tensor().rank() - 2, 0);
  std::vector<Attribute> attributes = windowAttributes(
      options.strides, options.dilations, options.padding, dimensions);
  std::vector<int64_t> window = options.window;
  if (window.size() == 1)
    window.resize(dimensions, window.front());
  attributes.push_back({"window", std::move(window)});
  return attributes;
}

/// Returns the sizes as an attribute, with -1 for each size that is a tensor.
/// Tensors are appended to the operands.
static std::vector<int64_t> sizeList(const Operand &input,
                                     const std::vector<Operand> &sizes,
                                     std::vector<Operand> &operands) {
  std::vector<int64_t> list;
  for (const Operand &size : sizes) {
    if (!size.isNumber()) {
      operands.emplace_back(cast(size, i64), input.where());
      list.push_back(-1);
      continue;
    }
    if (size.number() < 0 || size.number() != std::trunc(size.number()))
      raise("expected whole sizes of at least 0, found " +
                textOf(size.number()),
            input.tensor().body(), size.where());
    list.push_back(static_cast<int64_t>(size.number()));
  }
  return list;
}

Tensor tg::maxPool(Operand input, const PoolOptions &options) {
  return call("max_pool", {input}, attributesOf(input, options));
}

IndexedPool tg::maxPoolWithIndices(Operand input, const PoolOptions &options) {
  std::vector<Tensor> results =
      callAll("max_pool", {input}, attributesOf(input, options));
  return {results[0], results[1]};
}

Tensor tg::maxUnpool(Operand values, Operand indices,
                     const UnpoolOptions &options) {
  Scope scope(values);
  std::vector<Operand> operands = {values, indices};
  std::vector<Attribute> attributes = attributesOf(values, options.pool);
  attributes.push_back(
      {"input_sizes", sizeList(values, options.sizes, operands)});
  return call("max_pool_grad", operands, std::move(attributes));
}

Tensor tg::avgPool(Operand input, const AvgPoolOptions &options) {
  std::vector<Attribute> attributes = attributesOf(input, options);
  if (options.countPadding)
    attributes.push_back({"count_padding", Attribute::Flag{}});
  return call("avg_pool", {input}, std::move(attributes));
}

Tensor tg::localResponseNorm(Operand input,
                             const LocalResponseNormOptions &options) {
  Scope scope(input);
  const Tensor &x = input.tensor();
  if (x.rank() < 2)
    raise("expected an input [n, ..., c], found " + toString(x.shape()),
          x.body(), input.where());
  constexpr int64_t maxRadius = int64_t(1) << 30;
  if (options.radius < 0 || options.radius >= maxRadius)
    raise("expected a radius in [0, 2^30), found " +
              std::to_string(options.radius),
          x.body(), input.where());
  for (double number : {options.bias, options.alpha, options.beta})
    if (!std::isfinite(number))
      raise("expected finite numbers for bias, alpha and beta, found " +
                textOf(number),
            x.body(), input.where());
  // Treats the channels as the spatial dimension of rows with a single channel.
  std::vector<std::vector<int64_t>> rows(3);
  for (int64_t axis = 0; axis + 1 < x.rank(); ++axis)
    rows[0].push_back(axis);
  rows[1].push_back(x.rank() - 1);
  int64_t width = 2 * options.radius + 1;
  Tensor means = avgPool(regroup(square(x), rows),
                         {.window = {width},
                          .padding = {{options.radius, options.radius}},
                          .countPadding = true});
  std::vector<Operand> operands = unknownExtents(x);
  operands.insert(operands.begin(), means);
  Tensor mean = call("reshape", operands, {{"shape", extentList(x)}});
  double scale = options.alpha * static_cast<double>(width);
  return x / pow(options.bias + scale * mean, options.beta);
}

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

Tensor tg::resize(Operand input, const ResizeOptions &options) {
  Scope scope(input);
  std::vector<Operand> operands = {input};
  std::vector<int64_t> sizes = sizeList(input, options.sizes, operands);
  bool isLinear = options.mode == ResizeMode::linear;
  const char *words[] = {"half_pixel", "align_corners", "asymmetric"};
  const char *coordinates = words[static_cast<int>(options.coordinates)];
  return call("resize", operands,
              {{"sizes", sizes},
               {"mode", Attribute::Word{isLinear ? "linear" : "nearest"}},
               {"coordinates", Attribute::Word{coordinates}}});
}

Tensor tg::upsample(Operand input, const UpsampleOptions &options) {
  Scope scope(input);
  const Tensor &x = input.tensor();
  if (static_cast<int64_t>(options.scale.size()) != x.rank() - 2)
    raise("expected a scale for each spatial dimension of " +
              toString(x.shape()) + ", found " +
              std::to_string(options.scale.size()),
          x.body(), input.where());
  std::vector<int64_t> extents = extentList(x);
  std::vector<Operand> sizes;
  for (size_t axis = 0; axis < options.scale.size(); ++axis) {
    int64_t scale = options.scale[axis], extent = extents[axis + 1];
    if (scale < 1)
      raise("expected scales of at least 1, found " + std::to_string(scale),
            x.body(), input.where());
    if (extent == -1)
      sizes.emplace_back(extentOf(input, static_cast<int64_t>(axis) + 1) *
                         static_cast<double>(scale));
    else if (int64_t size; !__builtin_mul_overflow(extent, scale, &size))
      sizes.emplace_back(static_cast<double>(size));
    else
      raise("expected an output size in [0, 2^63), found " +
                std::to_string(extent) + " · " + std::to_string(scale),
            x.body(), input.where());
  }
  return resize(input, {sizes, options.mode, options.coordinates});
}

/// Throws GraphError unless the input is images and the block is valid.
static void checkBlocks(const Operand &input, int64_t block) {
  const Tensor &x = input.tensor();
  if (x.rank() != 4)
    raise("expected images [n, h, w, c], found " + toString(x.shape()),
          x.body(), input.where());
  if (block < 1)
    raise("expected a block of at least 1, found " + std::to_string(block),
          x.body(), input.where());
}

Tensor tg::spaceToDepth(Operand input, int64_t block) {
  Scope scope(input);
  checkBlocks(input, block);
  const Tensor &x = input.tensor();
  const Place where = x.body()->effectivePlace(input.where());
  for (int64_t axis : {1, 2})
    if (x.dim(axis, where) % block != 0)
      raise("expected a block that divides dim " + std::to_string(axis) +
                " of " + toString(x.shape()) + ", found " +
                std::to_string(block),
            x.body(), input.where());
  Tensor blocks = unflatten(input, 2, {x.dim(2) / block, block});
  blocks = unflatten(blocks, 1, {x.dim(1) / block, block});
  return regroup(transpose(blocks, {0, 1, 3, 2, 4, 5}),
                 {{0}, {1}, {2}, {3, 4, 5}});
}

Tensor tg::depthToSpace(Operand input, int64_t block) {
  Scope scope(input);
  checkBlocks(input, block);
  const BodyPtr &body = input.tensor().body();
  int64_t channels =
      input.tensor().dim(-1, body->effectivePlace(input.where()));
  if (channels % block != 0 || channels / block % block != 0)
    raise("expected a block whose square divides the number of channels (" +
              std::to_string(channels) + "), found " + std::to_string(block),
          body, input.where());
  Tensor blocks =
      unflatten(input, 3, {block, block, channels / (block * block)});
  return regroup(transpose(blocks, {0, 1, 3, 2, 4, 5}),
                 {{0}, {1, 2}, {3, 4}, {5}});
}

Tensor tg::fixedUnpool(Operand input, const FixedUnpoolOptions &options) {
  Scope scope(input);
  const Tensor &x = input.tensor();
  auto [rows, columns] = options.shape;
  checkBlocks(input, std::min(rows, columns));
  constexpr int64_t maxFactors = int64_t(1) << 16;
  if (rows > maxFactors / columns)
    raise("expected a block of at most " + std::to_string(maxFactors) +
              " elements, found " + std::to_string(rows) + " times " +
              std::to_string(columns),
          x.body(), input.where());
  std::vector<double> factors = options.matrix;
  if (factors.empty()) {
    factors.assign(rows * columns, 0);
    factors.front() = 1;
  }
  if (static_cast<int64_t>(factors.size()) != rows * columns)
    raise("expected a matrix of " + std::to_string(rows) + " times " +
              std::to_string(columns) + " factors, found " +
              std::to_string(factors.size()),
          x.body(), input.where());
  TensorType type = {x.dtype(), {rows, 1, columns, 1}};
  Tensor matrix(x.body(),
                take(x.body()->constant(type, factors, input.where())));
  Tensor expanded = regroup(input, {{0}, {1}, {}, {2}, {}, {3}});
  return regroup(expanded * matrix, {{0}, {1, 2}, {3, 4}, {5}});
}
