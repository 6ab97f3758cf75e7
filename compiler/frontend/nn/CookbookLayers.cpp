//===- CookbookLayers.cpp - stacks of layers, and related functions -------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/variable_scope.h"
#include "tg/nn/cookbook.h"
#include "tg/tensor/reductions.h"
#include "tg/tensor/windows.h"

#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Between tensors
//===----------------------------------------------------------------------===//

Tensor tg::lerp(Operand begin, Operand end, Operand weight) {
  Scope scope(begin.isNumber() ? end : begin);
  return begin + (end - begin) * weight;
}

Tensor tg::tileLike(Operand input, Operand like) {
  Scope scope(input);
  Shape found = input.tensor().shape();
  Shape target = like.tensor().shape();
  auto mismatch = [&] {
    raise("expected extents that divide the extents of " + toString(target) +
              ", found " + toString(found),
          input.tensor().body(), input.where());
  };
  if (found.size() > target.size())
    mismatch();
  std::vector<int64_t> repeats;
  for (size_t axis = 0; axis < found.size(); ++axis) {
    int64_t extent = found[axis].value;
    int64_t targetExtent = target[target.size() - found.size() + axis].value;
    bool isTiled = extent > 1 && targetExtent >= 0 && targetExtent != extent;
    if (isTiled && (targetExtent == 0 || targetExtent % extent != 0))
      mismatch();
    repeats.push_back(isTiled ? targetExtent / extent : 1);
  }
  return broadcastLike(repeats.empty() ? input.tensor() : tile(input, repeats),
                       like);
}

//===----------------------------------------------------------------------===//
// Stacks of layers
//===----------------------------------------------------------------------===//

/// Returns the name of layer `index` of a stack: dense, dense_1 …
static std::string nameOfLayer(const char *kind, size_t index) {
  return index == 0 ? kind : kind + ("_" + std::to_string(index));
}

/// Returns the entry of a list for layer `index`. The list has one entry per
/// layer, or one for all layers.
static int64_t ofLayer(const std::vector<int64_t> &list, size_t index) {
  return list.size() == 1 ? list.front() : list[index];
}

/// Applies dropout in training.
static Tensor dropped(const Tensor &input, const Operand &rate, bool training,
                      Place where) {
  bool isNone = rate.isNumber() && rate.number() == 0;
  return training && !isNone ? dropout({input, where}, {.rate = rate}) : input;
}

Tensor tg::denseLayers(const Tensor &input, const std::vector<int64_t> &units,
                       const DenseLayersOptions &options,
                       std::source_location where) {
  expectDefined(input, where);
  VariableScope scope(Program::of(input, where), options.name,
                      {.defaultName = "dense_layers"}, where);
  Tensor output = input;
  for (size_t i = 0; i < units.size(); ++i) {
    bool isLinear = options.linearTopLayer && i + 1 == units.size();
    output = dropped(output, options.rate, options.training, where);
    output = dense(output, units[i],
                   {.activation = isLinear ? Activation() : options.activation,
                    .weightInitializer = options.weightInitializer,
                    .name = nameOfLayer("dense", i)},
                   where);
  }
  return output;
}

/// Throws GraphError unless each list of the options has one number per layer,
/// or one for all layers.
static void expectLists(const ConvLayersOptions &options, size_t layers,
                        const Tensor &input, Place where) {
  auto expect = [&](const char *name, const std::vector<int64_t> &list,
                    bool mayBeEmpty) {
    bool isRight = list.size() == 1 || list.size() == layers ||
                   (mayBeEmpty && list.empty());
    for (int64_t number : list)
      isRight &= number >= 1;
    if (!isRight)
      raise("expected ." + std::string(name) +
                " of 1 or more, one for each of " + std::to_string(layers) +
                " layers or one for all, found " +
                toString(Shape(list.begin(), list.end())),
            input.body(), where);
  };
  expect("kernels", options.kernels, false);
  expect("strides", options.strides, false);
  expect("pools", options.pools, true);
}

/// Builds layer `index` of a stack of convolutions, with its variables in a
/// scope of its own.
static Tensor convolve(const Tensor &input, int64_t filters, size_t index,
                       const ConvLayersOptions &options, Place where) {
  Program program = Program::of(input, where);
  VariableScope scope(program, nameOfLayer("conv", index), {}, where);
  Shape shape(static_cast<size_t>(input.rank()) - 2,
              Extent(ofLayer(options.kernels, index)));
  shape.push_back(input.dim(-1, where));
  shape.push_back(filters);
  Variable kernel = getVariable(
      program, "kernel", shape,
      {.dtype = input.dtype(), .initializer = options.weightInitializer},
      where);
  Variable bias =
      getVariable(program, "bias", {filters},
                  {.dtype = input.dtype(), .initializer = zeros()}, where);
  ConvOptions windows = {.strides = {ofLayer(options.strides, index)},
                         .padding = options.padding};
  auto conv = input.rank() == 3 ? conv1d : input.rank() == 4 ? conv2d : conv3d;
  return options.activation(conv({input, where}, kernel, windows) + bias);
}

Tensor tg::convLayers(const Tensor &input, const std::vector<int64_t> &filters,
                      const ConvLayersOptions &options,
                      std::source_location where) {
  expectDefined(input, where);
  if (input.rank() < 3 || input.rank() > 5)
    raise("expected an input of rank 3 to 5 with channels last, found " +
              toString(input.shape()),
          input.body(), where);
  expectLists(options, filters.size(), input, where);
  VariableScope scope(Program::of(input, where), options.name,
                      {.defaultName = "conv_layers"}, where);
  Tensor output = input;
  for (size_t i = 0; i < filters.size(); ++i) {
    if (filters[i] < 1)
      raise("expected at least 1 filter, found " + std::to_string(filters[i]),
            input.body(), where);
    output = dropped(output, options.rate, options.training, where);
    output = convolve(output, filters[i], i, options, where);
    if (int64_t pool = options.pools.empty() ? 1 : ofLayer(options.pools, i);
        pool > 1)
      output = maxPool({output, where},
                       {.window = std::vector<int64_t>(
                            static_cast<size_t>(input.rank()) - 2, pool),
                        .strides = {pool},
                        .padding = options.padding});
  }
  return output;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

Tensor tg::kernelsOnGrid(Operand kernel, const KernelGridOptions &options) {
  Scope scope(kernel);
  Shape shape = kernel.tensor().shape();
  bool isKnown = shape.size() == 4;
  for (const Extent &extent : shape)
    isKnown &= extent.value > 0;
  if (!isKnown || options.columns < 0 || options.border < 0)
    raise("expected a kernel [h, w, c, f] of known extents, and columns and a "
          "border of 0 or more, found " +
              toString(shape) + ", " + std::to_string(options.columns) +
              " and " + std::to_string(options.border),
          kernel.tensor().body(), kernel.where());
  int64_t count = shape[3].value, channels = shape[2].value,
          border = options.border;
  int64_t columns = options.columns;
  if (columns == 0)
    columns = static_cast<int64_t>(std::ceil(std::sqrt(double(count))));
  int64_t rows = (count + columns - 1) / columns;
  int64_t height = shape[0].value + 2 * border,
          width = shape[1].value + 2 * border;
  Tensor low = reduceMin(kernel);
  Tensor range = reduceMax(kernel) - low;
  Tensor shades =
      (kernel - low) / maximum(range, std::numeric_limits<float>::min());
  Tensor tiles = pad(transpose(shades, {3, 0, 1, 2}),
                     {.low = {0, border, border, 0},
                      .high = {rows * columns - count, border, border, 0}});
  Tensor grid =
      transpose(reshape(tiles, {rows, columns, height, width, channels}),
                {0, 2, 1, 3, 4});
  return reshape(grid, {1, rows * height, columns * width, channels});
}
