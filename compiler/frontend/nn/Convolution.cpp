//===- Convolution.cpp - convolution layers -------------------------------===//
#include "tg/nn/Convolution.h"
#include "tg/tensor/error.h"

using namespace tg;

//===-- Options -----------------------------------------------------------===//

Convolution::Convolution(ConvolutionOptions chosen, int64_t dimensions,
                         std::source_location where,
                         std::string_view filterName)
    : BaseLayer(where, chosen.name, chosen.variables),
      options(std::move(chosen)), dimensions(dimensions), where(where),
      filterName(filterName) {
  checkOptions();
}

void Convolution::refuse(const std::string &sentence) const {
  std::string layer = options.name.empty() ? "" : "'" + options.name + "': ";
  throw GraphError(layer + sentence, where);
}

void Convolution::checkList(const std::vector<int64_t> &list,
                            const char *name) const {
  int64_t count = static_cast<int64_t>(list.size());
  if (count != 1 && count != dimensions)
    refuse("expected " + std::string(name) + " of 1 or " +
           std::to_string(dimensions) + " numbers, found " +
           std::to_string(count));
  for (int64_t number : list)
    if (number < 1)
      refuse("expected " + std::string(name) + " of at least 1, found " +
             std::to_string(number));
}

void Convolution::checkOptions() const {
  if (options.filters < 1)
    refuse("expected at least 1 filter, found " +
           std::to_string(options.filters));
  checkList(options.kernelSize, "a kernel size");
  checkList(options.strides, "strides");
  checkList(options.dilations, "dilations");
  int64_t zeros = static_cast<int64_t>(options.padding.zeros.size());
  if (zeros > 1 && zeros != dimensions)
    refuse("expected padding for 1 or " + std::to_string(dimensions) +
           " dimensions, found " + std::to_string(zeros));
  for (const Zeros &ends : options.padding.zeros)
    if (ends.before < 0 || ends.after < 0)
      refuse("expected padding of at least 0, found " +
             std::to_string(std::min(ends.before, ends.after)));
  if (options.groups < 1 || options.filters % options.groups != 0)
    refuse("expected groups that divide the " +
           std::to_string(options.filters) + " filters, found " +
           std::to_string(options.groups));
}

//===-- Convolution -------------------------------------------------------===//

Shape Convolution::kernelShape(int64_t rows, int64_t columns) const {
  Shape shape(dimensions, options.kernelSize.front());
  if (options.kernelSize.size() > 1)
    shape.assign(options.kernelSize.begin(), options.kernelSize.end());
  shape.insert(shape.end(), {rows, columns});
  return shape;
}

Shape Convolution::filterShape(int64_t channels) const {
  if (channels % options.groups != 0)
    refuse("expected groups that divide the " + std::to_string(channels) +
           " channels of the input, found " + std::to_string(options.groups));
  return kernelShape(channels / options.groups, options.filters);
}

int64_t Convolution::outputChannels(int64_t) const { return options.filters; }

int64_t Convolution::channelsOf(const TensorType &input) const {
  if (input.rank() != dimensions + 2 || !input.shape.back().isKnown())
    refuse("expected an input of rank " + std::to_string(dimensions + 2) +
           " with known channels last, found " + toString(input.shape));
  return input.shape.back().value;
}

void Convolution::build(const TensorType &input) {
  int64_t channels = channelsOf(input);
  if (options.filter.isDefined()) {
    filter = use(options.filter);
  } else {
    Shape shape = filterShape(channels);
    Initializer fallback =
        weightInitializerFor(options.activation, filterFans(shape));
    filter = variable(filterName, shape,
                      options.weightInitializer.value_or(fallback),
                      {.dtype = input.dtype});
  }
  if (!options.useBias)
    return;
  bias = options.bias.isDefined()
             ? use(options.bias)
             : variable("bias", {outputChannels(channels)},
                        options.biasInitializer,
                        {.dtype = input.dtype, .isWeight = false});
}

Tensor Convolution::train(Tensor input) {
  Tensor output = convolve(input);
  if (options.useBias)
    output += bias;
  return options.activation ? options.activation(output) : output;
}

Tensor Convolution::convolve(const Tensor &input) {
  ConvOptions windows{options.strides, options.dilations, options.padding,
                      options.groups};
  return dimensions == 1   ? conv1d(input, filter, windows)
         : dimensions == 2 ? conv2d(input, filter, windows)
                           : conv3d(input, filter, windows);
}

//===-- Layers that are convolutions with other options -------------------===//

/// Returns the options of a convolution that all these layers have in common.
template <typename Options>
static ConvolutionOptions sharedOptions(int64_t filters,
                                        const Options &options) {
  return {.filters = filters,
          .kernelSize = options.kernelSize,
          .padding = options.padding,
          .activation = options.activation,
          .biasInitializer = options.biasInitializer,
          .useBias = options.useBias,
          .bias = options.bias,
          .variables = options.variables,
          .name = options.name};
}

/// Returns sharedOptions() with the filter and its initializer, for layers that
/// have these options.
template <typename Options>
static ConvolutionOptions filterOptions(int64_t filters,
                                        const Options &options) {
  ConvolutionOptions result = sharedOptions(filters, options);
  result.weightInitializer = options.weightInitializer;
  result.filter = options.filter;
  return result;
}

static ConvolutionOptions asConvolution(const AtrousConv2DOptions &options) {
  ConvolutionOptions result = filterOptions(options.filters, options);
  result.dilations = {options.rate};
  return result;
}

static ConvolutionOptions asConvolution(const DepthwiseConv2DOptions &options) {
  ConvolutionOptions result = filterOptions(options.multiplier, options);
  result.strides = options.strides;
  result.dilations = options.dilations;
  return result;
}

static ConvolutionOptions asConvolution(const SeparableConv2DOptions &options) {
  ConvolutionOptions result = sharedOptions(options.filters, options);
  result.strides = options.strides;
  result.dilations = options.dilations;
  result.weightInitializer = options.pointwiseInitializer;
  result.filter = options.pointwise;
  return result;
}

static ConvolutionOptions
asConvolution(const ConvolutionTransposeOptions &options) {
  ConvolutionOptions result = filterOptions(options.filters, options);
  result.strides = options.strides;
  return result;
}

AtrousConv2D::AtrousConv2D(AtrousConv2DOptions options,
                           std::source_location where)
    : Convolution(asConvolution(options), 2, where) {}

//===-- Depthwise ---------------------------------------------------------===//

DepthwiseConv2D::DepthwiseConv2D(DepthwiseConv2DOptions options,
                                 std::source_location where)
    : Convolution(asConvolution(options), 2, where),
      multiplier(options.multiplier) {}

Shape DepthwiseConv2D::filterShape(int64_t channels) const {
  return kernelShape(channels, multiplier);
}

int64_t DepthwiseConv2D::outputChannels(int64_t channels) const {
  return channels * multiplier;
}

/// Returns the fans of a filter [kh, kw, c, multiplier] that convolves each
/// channel independently.
static Fans fansByChannel(Shape shape) {
  shape[2] = 1;
  return fansOf(shape);
}

Fans DepthwiseConv2D::filterFans(const Shape &shape) const {
  return fansByChannel(shape);
}

Tensor DepthwiseConv2D::convolve(const Tensor &input) {
  return depthwiseConv2d(input, filter,
                         {options.strides, options.dilations, options.padding});
}

SeparableConv2D::SeparableConv2D(SeparableConv2DOptions options,
                                 std::source_location where)
    : Convolution(asConvolution(options), 2, where, "pointwise"),
      multiplier(options.multiplier),
      depthwiseInitializer(options.depthwiseInitializer),
      givenDepthwise(options.depthwise) {
  if (multiplier < 1)
    refuse("expected a multiplier of at least 1, found " +
           std::to_string(multiplier));
}

void SeparableConv2D::build(const TensorType &input) {
  Shape shape = kernelShape(channelsOf(input), multiplier);
  depthwise = givenDepthwise.isDefined()
                  ? use(givenDepthwise)
                  : variable("depthwise", shape,
                             depthwiseInitializer.value_or(
                                 glorotUniform(fansByChannel(shape))),
                             {.dtype = input.dtype});
  Convolution::build(input);
}

Shape SeparableConv2D::filterShape(int64_t channels) const {
  return {1, 1, channels * multiplier, options.filters};
}

Tensor SeparableConv2D::convolve(const Tensor &input) {
  return separableConv2d(input, depthwise, filter,
                         {options.strides, options.dilations, options.padding});
}

//===-- Transposed --------------------------------------------------------===//

ConvolutionTranspose::ConvolutionTranspose(ConvolutionTransposeOptions options,
                                           int64_t dimensions,
                                           std::source_location where)
    : Convolution(asConvolution(options), dimensions, where),
      size(options.size), outputSizes(options.outputSizes) {}

Shape ConvolutionTranspose::filterShape(int64_t channels) const {
  return kernelShape(options.filters, channels);
}

/// Swaps the fans, because the filter [k, filters, c] has the input channels
/// last.
Fans ConvolutionTranspose::filterFans(const Shape &shape) const {
  Fans fans = fansOf(shape);
  return {.in = fans.out, .out = fans.in};
}

Tensor ConvolutionTranspose::convolve(const Tensor &input) {
  ConvTransposeOptions windows{.strides = options.strides,
                               .padding = options.padding,
                               .size = size,
                               .outputSizes = outputSizes};
  return dimensions == 2 ? convTranspose2d(input, filter, windows)
                         : convTranspose3d(input, filter, windows);
}
