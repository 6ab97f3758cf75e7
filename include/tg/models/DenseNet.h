/// Networks in which a convolution sees all before it. After Huang and others,
/// "Densely Connected Convolutional Networks", 2016; every convolution has a
/// bias, and batch normalization and ReLU behind it.
#ifndef TG_MODELS_DENSENET_H
#define TG_MODELS_DENSENET_H

#include "../nn/graph.h"

namespace tg {

struct DenseBlockOptions {
  /// New channels of each layer; at least 1.
  int64_t growthRate = 12;
  /// At least 1.
  int64_t layers = 12;
  std::string name = {};
};

/// Layers that put the channels of a 3x3 convolution behind those of their
/// input: [n, h, w, c] to [n, h, w, c + growthRate · layers].
class DenseBlock : public BaseModel {
public:
  DenseBlock(DenseBlockOptions options = {},
             std::source_location where = std::source_location::current());
};

struct TransitionLayerOptions {
  int64_t filters = 0;
  std::string name = {};
};

/// A convolution 1x1 and means of 2x2: [n, h, w, c] to [n, h / 2, w / 2,
/// filters], halves rounded down.
class TransitionLayer : public BaseModel {
public:
  TransitionLayer(TransitionLayerOptions options,
                  std::source_location where = std::source_location::current());
};

struct DenseNetOptions {
  /// Dense blocks with a transition of 16 filters behind them; at least 1. One
  /// more block without follows.
  int64_t blocks = 3;
  /// As of DenseBlockOptions.
  int64_t growthRate = 12, layersPerBlock = 12;
  std::string name = {};
};

/// A 3x3 convolution of 16 filters and blocks + 1 dense blocks: [n, h, w, c] to
/// [n, h / 2^blocks, w / 2^blocks, 16 + growthRate · layersPerBlock]. No layers
/// behind.
class DenseNet : public BaseModel {
public:
  DenseNet(DenseNetOptions options = {},
           std::source_location where = std::source_location::current());
};

namespace models {

struct MyDenseNetOptions {
  /// At least 1.
  int64_t classes = 0;
  std::string name = {};
};

/// The least DenseNet, of one block and one growing channel, and layers for
/// classes behind it: [n, h, w, c] to probabilities [n, classes]. h and w are
/// known and at least 6. Of 32x32 pixels of one channel and one class 4,139
/// parameters.
class MyDenseNet : public BaseModel {
public:
  MyDenseNet(MyDenseNetOptions options,
             std::source_location where = std::source_location::current());
};

} // namespace models

} // namespace tg

#endif // TG_MODELS_DENSENET_H
