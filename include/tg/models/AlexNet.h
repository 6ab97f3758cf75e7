/// Krizhevsky et al., "ImageNet Classification with Deep Convolutional Neural
/// Networks", 2012.
#ifndef TG_MODELS_ALEXNET_H
#define TG_MODELS_ALEXNET_H

#include "../nn/graph.h"

namespace tg {

struct AlexNetOptions {
  /// At least 1.
  int64_t classes = 1000;
  /// The rate of the dropout before each of the first two linear layers.
  Operand rate = 0.5;
  std::string name = {};
};

/// Logits [n, classes] of images [n, h, w, c] of known extents, 67 or more:
/// five convolutions, of which the second, fourth and fifth have two groups,
/// local response normalization behind two and maxima behind three of them, and
/// linear layers of 4096, 4096 and `classes`. 60,965,224 parameters for
/// 227x227x3 and 1000 classes. Weights begin by He, biases at 0.
class AlexNet : public BaseModel {
public:
  AlexNet(AlexNetOptions options = {},
          std::source_location where = std::source_location::current());
};

} // namespace tg

#endif // TG_MODELS_ALEXNET_H
