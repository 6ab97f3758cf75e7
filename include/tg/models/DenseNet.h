/// Densely connected networks. After Huang et al., "Densely Connected
/// Convolutional Networks", 2016. Each convolution has a bias and is followed
/// by batch normalization and ReLU.
#ifndef TG_MODELS_DENSENET_H
#define TG_MODELS_DENSENET_H

#include "../nn/graph.h"

namespace tg {

struct DenseBlockOptions {
  /// The number of channels that each layer adds; at least 1.
  int64_t growthRate = 12;
  /// The number of layers; at least 1.
  int64_t layers = 12;
  std::string name = {};
};

/// Layers that each append the channels of a 3x3 convolution to their input:
/// [n, h, w, c] to [n, h, w, c + growthRate · layers].
class DenseBlock : public BaseModel {
public:
  DenseBlock(DenseBlockOptions options = {},
             std::source_location where = std::source_location::current());
};

struct TransitionLayerOptions {
  int64_t filters = 0;
  std::string name = {};
};

/// A 1x1 convolution and average pooling of 2x2: [n, h, w, c] to [n, h / 2, w /
/// 2, filters], rounded down.
class TransitionLayer : public BaseModel {
public:
  TransitionLayer(TransitionLayerOptions options,
                  std::source_location where = std::source_location::current());
};

struct DenseNetOptions {
  /// The number of dense blocks that are followed by a transition of 16
  /// filters; at least 1. A final block has no transition.
  int64_t blocks = 3;
  /// As in DenseBlockOptions.
  int64_t growthRate = 12, layersPerBlock = 12;
  std::string name = {};
};

/// A 3x3 convolution of 16 filters, then `blocks` dense blocks with
/// transitions, and a final dense block: [n, h, w, c] to [n, h / 2^blocks, w /
/// 2^blocks, 16 + growthRate · layersPerBlock]. The network has no
/// classification layers.
class DenseNet : public BaseModel {
public:
  DenseNet(DenseNetOptions options = {},
           std::source_location where = std::source_location::current());
};

namespace models {

struct MyDenseNetOptions {
  /// The number of classes; at least 1.
  int64_t classes = 0;
  std::string name = {};
};

/// The smallest DenseNet, with one block and growth rate 1, followed by
/// classification layers: [n, h, w, c] to probabilities [n, classes]. h and w
/// must be static and at least 6. The network has 4,139 parameters for 32x32
/// pixels of one channel and one class.
class MyDenseNet : public BaseModel {
public:
  MyDenseNet(MyDenseNetOptions options,
             std::source_location where = std::source_location::current());
};

} // namespace models

} // namespace tg

#endif // TG_MODELS_DENSENET_H
