/// Layers that sum products over windows. Inputs have the channels last:
/// [n, w, c], [n, h, w, c], [n, d, h, w, c]; all extents but the channels may
/// be unknown. Lists have a number per spatial dimension, or one for all.
#ifndef TG_NN_CONVOLUTION_H
#define TG_NN_CONVOLUTION_H

#include "layer.h"

namespace tg {

/// The options of a convolution.
struct ConvolutionOptions {
  /// Channels of the result; at least 1.
  int64_t filters = 0;
  /// The extents of a filter.
  std::vector<int64_t> kernelSize = {3};
  /// From window to window, and from position to position of one.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// Parts of the channels that have nothing to do with each other; divides the
  /// channels of input and result.
  int64_t groups = 1;
  /// The function that is applied to the result; none by default.
  Activation activation = {};
  /// The first values of the filter. None: heNormal() where the activation is a
  /// rectifier as relu is, else glorotUniform(). TensorGraph: normal({.stddev =
  /// 0.1}).
  std::optional<Initializer> weightInitializer = {};
  /// The first values of the bias.
  Initializer biasInitializer = zeros();
  /// Adds a bias per channel.
  bool useBias = true;
  /// Variables to use instead of own ones, with the same shapes.
  Variable filter = {}, bias = {};
  /// Training options of the layer's own variables.
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of the layers below: activation(convolution(x, filter) +
/// bias), with filter [k, c / groups, filters] and bias [filters].
struct Convolution : public BaseLayer {
  using BaseLayer::build;

protected:
  Convolution(ConvolutionOptions options, int64_t dimensions,
              std::source_location where,
              std::string_view filterName = "filter");

  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

  /// The channels of an input; throws where it is none of this layer.
  int64_t channelsOf(const TensorType &input) const;
  /// The filter for so many channels, and the channels that it gives.
  virtual Shape filterShape(int64_t channels) const;
  virtual int64_t outputChannels(int64_t channels) const;
  /// By how many inputs an output is made, by such a filter.
  virtual Fans filterFans(const Shape &shape) const { return fansOf(shape); }
  virtual Tensor convolve(const Tensor &input);
  /// Throws a mistake in the options, at the layer's line.
  [[noreturn]] void refuse(const std::string &sentence) const;
  /// The extents of a filter, and then these.
  Shape kernelShape(int64_t rows, int64_t columns) const;

  ConvolutionOptions options;
  int64_t dimensions;
  std::source_location where;
  Variable filter, bias;

private:
  void checkOptions() const;
  void checkList(const std::vector<int64_t> &list, const char *name) const;

  std::string_view filterName;
};

class Conv1D : public Convolution {
public:
  Conv1D(ConvolutionOptions chosen,
         std::source_location place = std::source_location::current())
      : Convolution(std::move(chosen), 1, place) {}
};

class Conv2D : public Convolution {
public:
  Conv2D(ConvolutionOptions chosen,
         std::source_location place = std::source_location::current())
      : Convolution(std::move(chosen), 2, place) {}
};

class Conv3D : public Convolution {
public:
  Conv3D(ConvolutionOptions chosen,
         std::source_location place = std::source_location::current())
      : Convolution(std::move(chosen), 3, place) {}
};

/// The options of a dilated convolution.
struct AtrousConv2DOptions {
  int64_t filters = 0;
  /// From position to position of a window, in both dimensions.
  int64_t rate = 1;
  std::vector<int64_t> kernelSize = {3};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// As of ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A Conv2D with stride 1 whose windows have gaps.
class AtrousConv2D : public Convolution {
public:
  AtrousConv2D(AtrousConv2DOptions options,
               std::source_location where = std::source_location::current());
};

/// The options of a DepthwiseConv2D layer.
struct DepthwiseConv2DOptions {
  /// Filters per channel.
  int64_t multiplier = 1;
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// As of ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// Each channel by itself: the result's channel c · multiplier + i is of the
/// input's channel c and filter i. Filter [kh, kw, c, multiplier], bias [c ·
/// multiplier].
class DepthwiseConv2D : public Convolution {
public:
  DepthwiseConv2D(DepthwiseConv2DOptions options,
                  std::source_location where = std::source_location::current());

protected:
  Shape filterShape(int64_t channels) const override;
  int64_t outputChannels(int64_t channels) const override;
  Fans filterFans(const Shape &shape) const override;
  Tensor convolve(const Tensor &input) override;

private:
  int64_t multiplier;
};

/// The options of a SeparableConv2D layer.
struct SeparableConv2DOptions {
  /// Channels of the result; at least 1.
  int64_t filters = 0;
  /// Filters per channel of the first step.
  int64_t multiplier = 1;
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// As the weightInitializer of ConvolutionOptions; no activation follows the
  /// first step.
  std::optional<Initializer> depthwiseInitializer = {};
  std::optional<Initializer> pointwiseInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable depthwise = {}, pointwise = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// Each channel by itself, and then sums over the channels: filters `depthwise`
/// [kh, kw, c, multiplier] and `pointwise` [1, 1, c · multiplier, filters].
/// Chollet, "Xception", 2017.
class SeparableConv2D : public Convolution {
public:
  using BaseLayer::build;
  SeparableConv2D(SeparableConv2DOptions options,
                  std::source_location where = std::source_location::current());

protected:
  void build(const TensorType &input) override;
  Shape filterShape(int64_t channels) const override;
  Tensor convolve(const Tensor &input) override;

private:
  int64_t multiplier;
  std::optional<Initializer> depthwiseInitializer;
  Variable given, depthwise;
};

/// The options of a transposed convolution.
struct ConvolutionTransposeOptions {
  /// Channels of the result; at least 1.
  int64_t filters = 0;
  /// As of the convolution that this is the reverse of.
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1};
  Padding padding = Padding::valid;
  /// The extents of the result: by this rule, or these numbers and scalars of
  /// the run.
  TransposedSize size = TransposedSize::greatest;
  std::vector<Operand> outputSizes = {};
  Activation activation = {};
  /// As of ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of the two layers below: the adjoint of a convolution, with
/// filter [k, filters, c] and bias [filters].
struct ConvolutionTranspose : public Convolution {
protected:
  ConvolutionTranspose(ConvolutionTransposeOptions options, int64_t dimensions,
                       std::source_location where);

  Shape filterShape(int64_t channels) const override;
  Fans filterFans(const Shape &shape) const override;
  Tensor convolve(const Tensor &input) override;

private:
  TransposedSize size;
  std::vector<Operand> outputSizes;
};

class Conv2DTranspose : public ConvolutionTranspose {
public:
  Conv2DTranspose(ConvolutionTransposeOptions chosen,
                  std::source_location place = std::source_location::current())
      : ConvolutionTranspose(std::move(chosen), 2, place) {}
};

class Conv3DTranspose : public ConvolutionTranspose {
public:
  Conv3DTranspose(ConvolutionTransposeOptions chosen,
                  std::source_location place = std::source_location::current())
      : ConvolutionTranspose(std::move(chosen), 3, place) {}
};

} // namespace tg

#endif // TG_NN_CONVOLUTION_H
