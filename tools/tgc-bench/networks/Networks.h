//===- Networks.h - networks of many layers -------------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H

#include "tg/nn/graph.h"

namespace tg::bench {

/// All take images [n, h, w, c] and begin with the distributions of PyTorch.

/// relu(convolution + bias) with zeros of half the filter's extent around.
Layer convolutionRelu(int64_t filters, int64_t size, int64_t stride = 1,
                      int64_t groups = 1);

/// Nine convolutions with bias and ReLU, and the mean over all places: logits
/// of 10 classes. Springenberg and others, "Striving for Simplicity: The All
/// Convolutional Net", 2015: All-CNN-C.
Layer allCnn();

/// The others give logits of 1000 classes, but for the last.

/// Thirteen convolutions with batch normalization, maxima of 2x2 behind each
/// block, global average and one linear layer. Simonyan and Zisserman, "Very
/// Deep Convolutional Networks for Large-Scale Image Recognition", 2014.
Layer vgg16Bn();

/// Blocks of 3, 4, 6 and 3 bottlenecks with the stride at the 3x3 convolution.
/// He and others, "Deep Residual Learning for Image Recognition", 2015.
Layer resNet50();

/// Dense blocks of 6, 12, 24 and 16 layers with 32 new channels each. Huang and
/// others, "Densely Connected Convolutional Networks", 2016.
Layer denseNet121();

/// Inverted residuals of depthwise convolutions. Sandler and others,
/// "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018.
Layer mobileNetV2();

/// Four levels of 32 to 256 channels down to 512 and back up: one probability
/// per place. Ronneberger and others, "U-Net: Convolutional Networks for
/// Biomedical Image Segmentation", 2015.
Layer uNet();

/// The next takes rows [n, t, 512]: six blocks of eight heads and 2048 units,
/// normalized first, a last normalization, the mean of the rows and logits of
/// 1000 classes. Vaswani and others, "Attention Is All You Need", 2017.
Layer transformer();
/// The next takes tokens [n, t], integers below 10000, and gives logits of as
/// many classes at each step: rows of 256 numbers, two LSTMs of 512 units and a
/// linear layer.
Layer languageModel();

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
