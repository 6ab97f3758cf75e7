/// VGG networks. Simonyan and Zisserman, "Very Deep Convolutional Networks for
/// Large-Scale Image Recognition", 2014.
#ifndef TG_MODELS_VGG_H
#define TG_MODELS_VGG_H

#include "../nn/graph.h"

namespace tg {

/// Five blocks of 3x3 convolutions, each with bias, batch normalization and
/// ReLU, and of 2x2 max pooling: [n, h, w, c] to [n, h / 32, w / 32, 512],
/// where each halving rounds down. The network has no classification layers.
struct VGG : public BaseModel {
protected:
  /// Constructs a network from the number of convolutions of each block.
  VGG(const std::vector<int> &convolutions, std::string name,
      std::source_location where);
};

/// Thirteen convolutions.
class VGG16 : public VGG {
public:
  VGG16(LayerOptions options = {},
        std::source_location place = std::source_location::current())
      : VGG({2, 2, 3, 3, 3}, std::move(options.name), place) {}
};

/// Sixteen convolutions.
class VGG19 : public VGG {
public:
  VGG19(LayerOptions options = {},
        std::source_location place = std::source_location::current())
      : VGG({2, 2, 4, 4, 4}, std::move(options.name), place) {}
};

} // namespace tg

#endif // TG_MODELS_VGG_H
