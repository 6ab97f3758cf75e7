/// Residual networks. After He et al., "Deep Residual Learning for Image
/// Recognition", 2015. Each convolution has a bias and is followed by batch
/// normalization and ReLU; no ReLU follows the sums.
#ifndef TG_MODELS_RESNET_H
#define TG_MODELS_RESNET_H

#include "../nn/graph.h"

namespace tg {

struct ShortCutBlockOptions {
  /// The channels of the three convolutions: 1x1, kernelSize and 1x1.
  std::array<int64_t, 3> filters = {};
  /// The kernel size of the second convolution.
  std::vector<int64_t> kernelSize = {3};
  /// The strides of the first convolution and of the shortcut.
  std::vector<int64_t> strides = {1};
  std::string name = {};
};

/// The sum of three convolutions and of a 1x1 shortcut convolution with the
/// filters of the last one: [n, h, w, c] to [n, ceil(h / stride), ceil(w /
/// stride), filters[2]].
class ShortCutBlock : public BaseModel {
public:
  ShortCutBlock(ShortCutBlockOptions options,
                std::source_location where = std::source_location::current());
};

struct IdentityBlockOptions {
  /// The number of repetitions.
  int64_t layers = 2;
  /// The channels of the 1x1 and the 3x3 convolution. The third one, 1x1, has
  /// the channels of the input.
  std::array<int64_t, 2> filters = {32, 64};
  std::string name = {};
};

/// The sum of three convolutions and their input, repeated. The shape stays the
/// same.
class IdentityBlock : public BaseLayer {
public:
  IdentityBlock(IdentityBlockOptions options = {},
                std::source_location where = std::source_location::current());

protected:
  Tensor train(Tensor input) override;

private:
  IdentityBlockOptions options;
  std::source_location where;
  /// The repetitions, created at the first input because they depend on its
  /// channels. Copies of the block share them.
  std::shared_ptr<std::vector<Layer>> steps;
};

struct ResNetOptions {
  /// The number of identity blocks in each stage.
  std::array<int64_t, 4> layers = {};
  std::string name = {};
};

/// A 7x7 convolution with stride 2, max pooling of 3x3 with stride 2, and four
/// stages of a ShortCutBlock and an IdentityBlock: 224x224 pixels to [n, 7, 7,
/// 2048]. The network has no classification layers.
class ResNetBase : public BaseModel {
public:
  ResNetBase(ResNetOptions options,
             std::source_location where = std::source_location::current());
};

class ResNet50 : public ResNetBase {
public:
  ResNet50(LayerOptions options = {},
           std::source_location place = std::source_location::current())
      : ResNetBase({{2, 3, 5, 2}, std::move(options.name)}, place) {}
};

class ResNet101 : public ResNetBase {
public:
  ResNet101(LayerOptions options = {},
            std::source_location place = std::source_location::current())
      : ResNetBase({{2, 3, 22, 2}, std::move(options.name)}, place) {}
};

class ResNet152 : public ResNetBase {
public:
  ResNet152(LayerOptions options = {},
            std::source_location place = std::source_location::current())
      : ResNetBase({{2, 7, 35, 2}, std::move(options.name)}, place) {}
};

struct ResNetSmallOptions {
  /// The number of identity blocks in each stage.
  std::array<int64_t, 2> layers = {1, 1};
  std::string name = {};
};

/// A ResNet with two narrower stages: 224x224 pixels to [n, 28, 28, 128].
class ResNetSmall : public BaseModel {
public:
  ResNetSmall(ResNetSmallOptions options = {},
              std::source_location where = std::source_location::current());
};

} // namespace tg

#endif // TG_MODELS_RESNET_H
