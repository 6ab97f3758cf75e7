//===- ModelParts.h - what models have in common --------------------------===//
#ifndef TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H
#define TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H

#include "tg/nn/Layers.h"
#include "tg/nn/graph.h"

namespace tg {

//===-- Layers ------------------------------------------------------------===//

/// The options of a convolution beside its filters.
struct Windows {
  std::vector<int64_t> size = {3}, strides = {1};
  Padding padding = Padding::same;
  std::vector<int64_t> dilations = {1};
};

/// Returns the first values of models' weights, as TensorGraph's layers have
/// them: a normal distribution with a standard deviation of 0.1.
Initializer modelWeights();

/// The options of such a convolution and of a linear layer.
ConvolutionOptions convolutionOf(int64_t filters, const Windows &windows);
LinearOptions linearOf(int64_t units);
/// The same with filters and bias of first values by Glorot.
ConvolutionOptions glorotConvolution(int64_t filters, const Windows &windows);
/// The options of a linear layer with weight and bias of such first values.
LinearOptions glorotLinear(int64_t units);

/// A convolution with bias, batch normalization and an activation: of images,
/// and of volumes.
Sequential convolved(int64_t filters, const Windows &windows,
                     Layer activation = Relu());
Sequential convolvedVolume(int64_t filters, const Windows &windows,
                           Layer activation = Relu());

/// The input and what each of the steps made of all before it, side by side.
Node grown(Node input, int64_t steps, const std::function<Layer()> &step);

//===-- Mistakes ----------------------------------------------------------===//

/// Returns the beginning of a message about a model of this name.
std::string beginning(const std::string &name);

/// Throws unless the number is 1 or more.
void expectPositive(int64_t number, const char *what, const std::string &name,
                    std::source_location where);

/// The rule of a model's inputs, with a number per spatial dimension: two for
/// images, three for volumes.
struct InputRule {
  /// The divisors of the extents.
  std::vector<int64_t> divisors = {};
  /// Their least values.
  std::vector<int64_t> least = {};
};
/// A layer that gives its inputs as they are, and throws at the line given
/// unless each follows the rule and has known spatial extents.
Layer checked(InputRule rule, const std::string &name,
              std::source_location where);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_MODELS_MODELPARTS_H
