/// U-Nets: encoders and decoders with skip connections. After Ronneberger et
/// al., "U-Net: Convolutional Networks for Biomedical Image Segmentation",
/// 2015.
#ifndef TG_MODELS_UNET_H
#define TG_MODELS_UNET_H

#include "../nn/graph.h"

namespace tg {

/// A U-Net with bias, ELU and batch normalization after each convolution, with
/// four levels of 64 to 512 channels and a bottom level of 1024: [n, h, w, c]
/// to [n, h, w, 16]. Each decoder level concatenates the encoder's features of
/// its level. h and w must be static multiples of 16.
class UNet : public BaseModel {
public:
  UNet(LayerOptions options = {},
       std::source_location where = std::source_location::current());
};

namespace models {

struct UnetOptions {
  /// The number of channels of the result; at least 1.
  int64_t classes = 1;
  /// The rate of the dropout after the first convolution of each level.
  Operand rate = 0.02;
  std::string name = {};
};

/// A U-Net with bias, batch normalization and ReLU after each convolution, with
/// levels of 32, 64 and 128 channels and a bottom level of 256, followed by a
/// 1x1 convolution: [n, h, w, c] to logits [n, h, w, classes]. h and w must be
/// static multiples of 8. The network has 2,142,881 parameters for one channel
/// and one class.
class Unet : public BaseModel {
public:
  Unet(UnetOptions options = {},
       std::source_location where = std::source_location::current());
};

/// A tg::UNet with attention gates: [n, h, w, c] to [n, h, w, 16]. Each decoder
/// level except the outermost multiplies the encoder's features of its level by
/// an attention gate: a sigmoid per position, computed from the encoder's
/// features and the upsampled features. It concatenates the product and the
/// encoder's features. Unlike in the paper, the upsampled features enter
/// through the gate only. h and w must be static multiples of 16. The network
/// has 27,786,073 parameters for one channel. After Oktay et al., "Attention
/// U-Net: Learning Where to Look for the Pancreas", 2018.
class AttentionUNet : public BaseModel {
public:
  AttentionUNet(LayerOptions options = {},
                std::source_location where = std::source_location::current());
};

struct DilatedUnetOptions {
  /// The number of channels of the result; at least 1.
  int64_t classes = 1;
  std::string name = {};
};

/// A U-Net with bias, batch normalization and ELU after each convolution: [n,
/// h, w, c] to probabilities [n, h, w, classes], a separate sigmoid per class.
/// It has levels of 64 to 512 channels, where the second convolution of the
/// encoder has dilation 2, and five bottom convolutions of 512 channels with
/// dilations 1 to 16. h and w must be static multiples of 16. The network has
/// 29,806,913 parameters for one channel and one class. Dilations after Yu and
/// Koltun, "Multi-Scale Context Aggregation by Dilated Convolutions", 2015.
class DilatedUnet : public BaseModel {
public:
  DilatedUnet(DilatedUnetOptions options = {},
              std::source_location where = std::source_location::current());
};

} // namespace models

} // namespace tg

#endif // TG_MODELS_UNET_H
