/// Down to few places and back up. After Ronneberger and others, "U-Net:
/// Convolutional Networks for Biomedical Image Segmentation", 2015.
#ifndef TG_MODELS_UNET_H
#define TG_MODELS_UNET_H

#include "../nn/graph.h"

namespace tg {

/// Convolutions with bias, ELU and batch normalization: four levels of 64 to
/// 512 channels down to 1024 and back up, each level beside what went down
/// there: [n, h, w, c] to [n, h, w, 16]. 16 divides h and w, which are known.
class UNet : public BaseModel {
public:
  UNet(LayerOptions options = {},
       std::source_location where = std::source_location::current());
};

namespace models {

struct UnetOptions {
  /// Channels of the result; at least 1.
  int64_t classes = 1;
  /// The rate of the dropout behind the first convolution of each level.
  Operand rate = 0.02;
  std::string name = {};
};

/// Convolutions with bias, batch normalization and ReLU: levels of 32, 64 and
/// 128 channels down to 256 and back up, and a convolution 1x1: [n, h, w, c] to
/// logits [n, h, w, classes]. 8 divides h and w, which are known. Of one
/// channel and one class 2,142,881 parameters.
class Unet : public BaseModel {
public:
  Unet(UnetOptions options = {},
       std::source_location where = std::source_location::current());
};

/// The UNet above, in which what comes up says how much of each place of a
/// level counts: the level times a sigmoid stands beside the level, in place of
/// what comes up: [n, h, w, c] to [n, h, w, 16]. 16 divides h and w, which are
/// known. Of one channel 27,786,073 parameters. After Oktay and others,
/// "Attention U-Net: Learning Where to Look for the Pancreas", 2018.
class AttentionUNet : public BaseModel {
public:
  AttentionUNet(LayerOptions options = {},
                std::source_location where = std::source_location::current());
};

struct DilatedUnetOptions {
  /// Channels of the result; at least 1.
  int64_t classes = 1;
  std::string name = {};
};

/// Convolutions with bias, batch normalization and ELU: levels of 64 to 512
/// channels, each with a second convolution of gaps of 1, then five of 512
/// channels with gaps of 0 to 15, and back up: [n, h, w, c] to probabilities
/// [n, h, w, classes], each class by itself. 16 divides h and w, which are
/// known. Of one channel and one class 29,806,913 parameters. The gaps are
/// after Yu and Koltun, "Multi-Scale Context Aggregation by Dilated
/// Convolutions", 2015.
class DilatedUnet : public BaseModel {
public:
  DilatedUnet(DilatedUnetOptions options = {},
              std::source_location where = std::source_location::current());
};

} // namespace models

} // namespace tg

#endif // TG_MODELS_UNET_H
