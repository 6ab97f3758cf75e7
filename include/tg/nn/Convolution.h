/// Convolution layers. Inputs have channels last: [n, w, c], [n, h, w, c], [n,
/// d, h, w, c]. All extents but the channels may be dynamic. List options have
/// one number per spatial dimension, or one number for all.
#ifndef TG_NN_CONVOLUTION_H
#define TG_NN_CONVOLUTION_H

#include "layer.h"

namespace tg {

/// The options of a convolution.
struct ConvolutionOptions {
  /// The number of output channels; at least 1.
  int64_t filters = 0;
  /// The spatial extents of a filter.
  std::vector<int64_t> kernelSize = {3};
  /// The distance between windows, and the distance between the elements of a
  /// window.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// The number of groups of channels that are convolved independently. It must
  /// divide the input and the output channels.
  int64_t groups = 1;
  /// The activation of the result; none by default.
  Activation activation = {};
  /// The initializer of the filter. Default: heNormal() if the activation is a
  /// rectifier such as relu, otherwise glorotUniform(). TensorGraph uses
  /// normal({.stddev = 0.1}).
  std::optional<Initializer> weightInitializer = {};
  /// The initializer of the bias.
  Initializer biasInitializer = zeros();
  /// Adds a bias per channel.
  bool useBias = true;
  /// Variables of the same shapes to use instead of new ones.
  Variable filter = {}, bias = {};
  /// Training options of the layer's own variables.
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of convolution layers: activation(convolution(x, filter) +
/// bias), with filter [k, c / groups, filters] and bias [filters].
struct Convolution : public BaseLayer {
  using BaseLayer::build;

protected:
  Convolution(ConvolutionOptions options, int64_t dimensions,
              std::source_location where,
              std::string_view filterName = "filter");

  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

  /// Returns the channels of an input. Throws GraphError if its type is
  /// unsuitable.
  int64_t channelsOf(const TensorType &input) const;
  /// Returns the filter shape and the output channels for a number of input
  /// channels.
  virtual Shape filterShape(int64_t channels) const;
  virtual int64_t outputChannels(int64_t channels) const;
  /// Returns the fan-in and fan-out of a filter of this shape.
  virtual Fans filterFans(const Shape &shape) const { return fansOf(shape); }
  virtual Tensor convolve(const Tensor &input);
  /// Throws GraphError with this message about the options, at the source line
  /// of the layer.
  [[noreturn]] void refuse(const std::string &sentence) const;
  /// Returns the spatial filter extents followed by `rows` and `columns`.
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
  /// The dilation in both dimensions.
  int64_t rate = 1;
  std::vector<int64_t> kernelSize = {3};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// As in ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A Conv2D with stride 1 and dilated windows.
class AtrousConv2D : public Convolution {
public:
  AtrousConv2D(AtrousConv2DOptions options,
               std::source_location where = std::source_location::current());
};

/// The options of a DepthwiseConv2D layer.
struct DepthwiseConv2DOptions {
  /// The number of filters per channel.
  int64_t multiplier = 1;
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// As in ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A convolution of each channel by itself. Output channel c · multiplier + i
/// results from input channel c and filter i. The filter is [kh, kw, c,
/// multiplier], the bias [c · multiplier].
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
  /// The number of output channels; at least 1.
  int64_t filters = 0;
  /// The number of depthwise filters per channel.
  int64_t multiplier = 1;
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  Activation activation = {};
  /// Initializers, as weightInitializer of ConvolutionOptions. The depthwise
  /// default is always glorotUniform(), since no activation follows the first
  /// step.
  std::optional<Initializer> depthwiseInitializer = {};
  std::optional<Initializer> pointwiseInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable depthwise = {}, pointwise = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A depthwise convolution followed by a pointwise one, with the filters
/// `depthwise` [kh, kw, c, multiplier] and `pointwise` [1, 1, c · multiplier,
/// filters]. Chollet, "Xception", 2017.
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
  Variable givenDepthwise, depthwise;
};

/// The options of a transposed convolution.
struct ConvolutionTransposeOptions {
  /// The number of output channels; at least 1.
  int64_t filters = 0;
  /// As in the convolution whose adjoint this layer is.
  std::vector<int64_t> kernelSize = {3};
  std::vector<int64_t> strides = {1};
  Padding padding = Padding::valid;
  /// The spatial extents of the result: chosen by this rule, or given
  /// by `outputSizes` as numbers and scalars computed at run time.
  TransposedSize size = TransposedSize::greatest;
  std::vector<Operand> outputSizes = {};
  Activation activation = {};
  /// As in ConvolutionOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable filter = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// The base class of Conv2DTranspose and Conv3DTranspose: the adjoint of a
/// convolution, with filter [k, filters, c] and bias [filters].
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
