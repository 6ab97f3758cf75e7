//===- ModelParts.h - functions that the models share ---------------------===//
#ifndef TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H
#define TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H

#include "tg/nn/Layers.h"
#include "tg/nn/graph.h"

namespace tg {

//===-- Layers ------------------------------------------------------------===//

/// The options of a convolution, except its number of filters.
struct ConvolutionWindows {
  std::vector<int64_t> size = {3}, strides = {1};
  Padding padding = Padding::same;
  std::vector<int64_t> dilations = {1};
};

/// Returns the initializer of the weights of models, which is the default of
/// TensorGraph's layers: a normal distribution with a standard deviation of
/// 0.1.
Initializer modelWeights();

/// Return the options of a convolution and of a linear layer with these
/// weights.
ConvolutionOptions convolutionOf(int64_t filters,
                                 const ConvolutionWindows &windows);
LinearOptions linearOf(int64_t units);
/// Returns the options of a convolution whose filter and bias use
/// glorotUniform().
ConvolutionOptions glorotConvolution(int64_t filters,
                                     const ConvolutionWindows &windows);
/// Returns the options of a linear layer whose weight and bias use
/// glorotUniform().
LinearOptions glorotLinear(int64_t units);

/// Return a convolution with bias, batch normalization and an activation, for
/// images and for volumes.
Sequential convolved(int64_t filters, const ConvolutionWindows &windows,
                     Layer activation = Relu());
Sequential convolvedVolume(int64_t filters, const ConvolutionWindows &windows,
                           Layer activation = Relu());

/// Returns the concatenation of the input and of the results of all steps. The
/// input of each step is the concatenation of everything before it.
Node denselyConnected(Node input, int64_t steps,
                      const std::function<Layer()> &step);

//===-- Error messages ----------------------------------------------------===//

/// Returns the beginning of an error message about a model of this name.
std::string beginning(const std::string &name);

/// Throws GraphError unless the number is at least 1.
void expectPositive(int64_t number, const char *what, const std::string &name,
                    std::source_location where);

/// The requirements on a model's inputs, with a number per spatial dimension:
/// two for images, three for volumes.
struct InputRule {
  /// The divisors of the extents.
  std::vector<int64_t> divisors = {};
  /// The lower bounds of the extents.
  std::vector<int64_t> minimums = {};
};
/// Returns a layer that passes its inputs through. It throws GraphError at the
/// given line unless each input follows the rule and has static spatial
/// extents.
Layer checked(InputRule rule, const std::string &name,
              std::source_location where);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H
