//===- ConvolutionFunctions.cpp - convolutions ----------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Expands a list with a single number to a number per dimension.
template <typename T>
static std::vector<T> perDimension(std::vector<T> list, int64_t dimensions) {
  if (list.size() == 1)
    list.resize(dimensions, list.front());
  return list;
}

std::vector<Attribute>
dsl::windowAttributes(const std::vector<int64_t> &strides,
                      const std::vector<int64_t> &dilations,
                      const Padding &padding, int64_t dimensions) {
  std::vector<Attribute> attributes;
  const std::vector<int64_t> ones(dimensions, 1);
  for (const auto &[name, list] :
       {std::pair("strides", &strides), {"dilations", &dilations}})
    if (std::vector<int64_t> all = perDimension(*list, dimensions); all != ones)
      attributes.push_back({name, std::move(all)});
  if (padding.rule == Padding::same)
    attributes.push_back({"padding", Attribute::Word{"same"}});
  if (padding.zeros.empty())
    return attributes;
  std::vector<int64_t> pads;
  for (const Zeros &zeros : perDimension(padding.zeros, dimensions))
    pads.insert(pads.end(), {zeros.before, zeros.after});
  attributes.push_back({"padding", Attribute::Word{"explicit"}});
  attributes.push_back({"pads", std::move(pads)});
  return attributes;
}

/// Throws GraphError unless the input has `dimensions` spatial dimensions.
static void checkRank(const Operand &input, int64_t dimensions) {
  static const char *const shapes[] = {"[n, w, c]", "[n, h, w, c]",
                                       "[n, d, h, w, c]"};
  if (input.tensor().rank() != dimensions + 2)
    raise("expected an input " + std::string(shapes[dimensions - 1]) +
              ", found " + toString(input.tensor().shape()),
          input.tensor().body(), input.where());
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static Tensor conv(const Operand &input, const Operand &filter,
                   const ConvOptions &options, int64_t dimensions) {
  checkRank(input, dimensions);
  filter.tensor(); // throws for a number
  std::vector<Attribute> attributes = windowAttributes(
      options.strides, options.dilations, options.padding, dimensions);
  if (options.groups != 1)
    attributes.push_back({"groups", options.groups});
  return call("conv", {input, filter}, std::move(attributes));
}

Tensor tg::conv1d(Operand input, Operand filter, const ConvOptions &options) {
  return conv(input, filter, options, 1);
}

Tensor tg::conv2d(Operand input, Operand filter, const ConvOptions &options) {
  return conv(input, filter, options, 2);
}

Tensor tg::conv3d(Operand input, Operand filter, const ConvOptions &options) {
  return conv(input, filter, options, 3);
}

Tensor tg::depthwiseConv2d(Operand input, Operand filter,
                           const DepthwiseConvOptions &options) {
  Scope scope(input);
  checkRank(input, 2);
  int64_t channels = input.tensor().shape()[3].value;
  std::vector<int64_t> extents = extentList(filter);
  if (extents.size() != 4 || channels == -1 || extents[2] != channels)
    raise("expected a filter [h, w, c, m] for the known channels c of an input "
          "[n, h, w, c], found " +
              toString(filter.tensor().shape()) + " for " +
              toString(input.tensor().shape()),
          input.tensor().body(), input.where());
  Tensor grouped =
      reshape(filter, {extents[0], extents[1], 1, channels * extents[3]});
  return conv2d(input, grouped,
                {.strides = options.strides,
                 .dilations = options.dilations,
                 .padding = options.padding,
                 .groups = channels});
}

Tensor tg::separableConv2d(Operand input, Operand depthwise, Operand pointwise,
                           const DepthwiseConvOptions &options) {
  Scope scope(input);
  return conv2d(depthwiseConv2d(input, depthwise, options), pointwise);
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

namespace {
/// The extents of a result. -1 stands for an extent in `tensors`.
struct Sizes {
  std::vector<int64_t> numbers;
  std::vector<Operand> tensors;

  void add(int64_t number) { numbers.push_back(number); }
  void add(Tensor tensor) {
    numbers.push_back(-1);
    tensors.emplace_back(std::move(tensor));
  }
};
} // namespace

/// Returns the extents given by the options.
static Sizes givenSizes(const std::vector<Operand> &given,
                        const Operand &input) {
  Sizes sizes;
  for (const Operand &size : given) {
    if (!size.isNumber()) {
      sizes.add(cast(size, i64));
      continue;
    }
    if (size.number() < 0 || size.number() != std::floor(size.number()) ||
        size.number() >= 0x1p63)
      raise("expected an output size that is a whole number of at least 0, "
            "found " +
                textOf(size.number()),
            input.tensor().body(), input.where());
    sizes.add(static_cast<int64_t>(size.number()));
  }
  return sizes;
}

/// Returns the difference between the output extent and extent · stride.
static int64_t excessOf(const ConvTransposeOptions &options, int64_t stride,
                        int64_t size, int64_t dilation, const Zeros &zeros) {
  if (options.padding.rule == Padding::same)
    return 0;
  constexpr int64_t limit = int64_t(1) << 31; // the op rejects larger windows
  int64_t excess = std::min(size - 1, limit) * std::min(dilation, limit);
  if (options.size == TransposedSize::keras)
    excess = std::max<int64_t>(excess + 1 - stride, 0);
  return excess - std::min(zeros.before, limit) - std::min(zeros.after, limit);
}

/// Returns extent · stride + excess. Throws GraphError if this is not in
/// [0, 2^63).
static int64_t outputExtent(const Operand &input, int64_t extent,
                            int64_t stride, int64_t excess) {
  int64_t size = 0;
  if (__builtin_mul_overflow(extent, stride, &size) ||
      __builtin_add_overflow(size, excess, &size) || size < 0)
    raise("expected an output size in [0, 2^63), found " +
              std::to_string(extent) + " · " + std::to_string(stride) + " + " +
              std::to_string(excess),
          input.tensor().body(), input.where());
  return size;
}

static Sizes sizesOf(const Operand &input, const Operand &filter,
                     const ConvTransposeOptions &options, int64_t dimensions) {
  if (!options.outputSizes.empty())
    return givenSizes(options.outputSizes, input);
  std::vector<int64_t> strides = perDimension(options.strides, dimensions);
  std::vector<int64_t> dilations = perDimension(options.dilations, dimensions);
  std::vector<Zeros> zeros = perDimension(options.padding.zeros, dimensions);
  std::vector<int64_t> extents = extentList(input);
  std::vector<int64_t> taps = extentList(filter);
  // Lists of wrong length are resized here; the op reports them.
  strides.resize(dimensions, 1);
  dilations.resize(dimensions, 1);
  zeros.resize(dimensions);
  taps.resize(dimensions, 1);
  Sizes sizes;
  for (int64_t axis = 0; axis < dimensions; ++axis) {
    int64_t stride = std::max<int64_t>(strides[axis], 1);
    int64_t extent = extents[axis + 1];
    int64_t excess =
        excessOf(options, stride, taps[axis], dilations[axis], zeros[axis]);
    if (extent == -1)
      sizes.add(extentOf(input, axis + 1) * static_cast<double>(stride) +
                static_cast<double>(excess));
    else
      sizes.add(outputExtent(input, extent, stride, excess));
  }
  return sizes;
}

static Tensor convTranspose(const Operand &input, const Operand &filter,
                            const ConvTransposeOptions &options,
                            int64_t dimensions) {
  Scope scope(input);
  checkRank(input, dimensions);
  std::vector<Attribute> attributes = windowAttributes(
      options.strides, options.dilations, options.padding, dimensions);
  if (options.groups != 1)
    attributes.push_back({"groups", options.groups});
  Sizes sizes = sizesOf(input, filter, options, dimensions);
  attributes.push_back({"output_sizes", sizes.numbers});
  std::vector<Operand> operands = {input, filter};
  operands.insert(operands.end(), sizes.tensors.begin(), sizes.tensors.end());
  return call("conv_transpose", operands, std::move(attributes));
}

Tensor tg::convTranspose2d(Operand input, Operand filter,
                           const ConvTransposeOptions &options) {
  return convTranspose(input, filter, options, 2);
}

Tensor tg::convTranspose3d(Operand input, Operand filter,
                           const ConvTransposeOptions &options) {
  return convTranspose(input, filter, options, 3);
}
