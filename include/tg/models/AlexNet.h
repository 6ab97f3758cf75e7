/// AlexNet. Krizhevsky et al., "ImageNet Classification with Deep Convolutional
/// Neural Networks", 2012.
#ifndef TG_MODELS_ALEXNET_H
#define TG_MODELS_ALEXNET_H

#include "../nn/graph.h"

namespace tg {

struct AlexNetOptions {
  /// The number of classes; at least 1.
  int64_t classes = 1000;
  /// The rate of the dropout before each of the first two linear layers.
  Operand rate = 0.5;
  std::string name = {};
};

/// A network that computes logits [n, classes] from images [n, h, w, c] with
/// static h and w of at least 67. The network has five convolutions and linear
/// layers of 4096, 4096 and `classes` units. The second, fourth and fifth
/// convolution have two groups. Local response normalization follows the first
/// two convolutions, and max pooling the first, second and fifth. It has
/// 60,965,224 parameters for 227x227x3 and 1000 classes. Weights are
/// initialized by heNormal(), biases by 0.
class AlexNet : public BaseModel {
public:
  AlexNet(AlexNetOptions options = {},
          std::source_location where = std::source_location::current());
};

} // namespace tg

#endif // TG_MODELS_ALEXNET_H
