//===- Networks.h - networks of many layers -------------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H

#include "tg/nn/graph.h"

namespace tg::bench {

/// The following layers are initialized like PyTorch's. They take images [n, h,
/// w, c], except the last two.

/// Returns relu(convolution + bias) with zero padding of half the filter size.
Layer convolutionRelu(int64_t filters, int64_t size, int64_t stride = 1,
                      int64_t groups = 1);

/// Returns nine convolutions with bias and ReLU, and the mean over all
/// positions: logits of 10 classes. Springenberg and others, "Striving for
/// Simplicity: The All Convolutional Net", 2015: All-CNN-C.
Layer allCnn();

/// The following layers return logits of 1000 classes, except uNet and
/// languageModel.

/// Returns thirteen convolutions with batch normalization, max pooling over 2x2
/// after each block, global average pooling and one linear layer. Simonyan and
/// Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
/// Recognition", 2014.
Layer vgg16Bn();

/// Returns four blocks of 3, 4, 6 and 3 bottlenecks, in which the 3x3
/// convolution has the stride. He and others, "Deep Residual Learning for Image
/// Recognition", 2015.
Layer resNet50();

/// Returns dense blocks of 6, 12, 24 and 16 layers that add 32 channels each.
/// Huang and others, "Densely Connected Convolutional Networks", 2016.
Layer denseNet121();

/// Returns inverted residuals of depthwise convolutions. Sandler and others,
/// "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018.
Layer mobileNetV2();

/// Returns four encoder levels of 32 to 256 channels, a bottom level of 512
/// channels, and four decoder levels. The output is one probability per
/// position. Ronneberger and others, "U-Net: Convolutional
/// Networks for Biomedical Image Segmentation", 2015.
Layer uNet();

/// Returns a transformer encoder that takes rows [n, t, 512]: six pre-norm
/// blocks of eight heads and 2048 units, a final normalization, the mean of the
/// rows and logits of 1000 classes. Vaswani and others, "Attention Is All You
/// Need", 2017.
Layer transformer();
/// Returns a language model that takes tokens [n, t], integers below 10000, and
/// returns logits of 10000 classes at each step: embeddings of 256 numbers, two
/// LSTMs of 512 units and a linear layer.
Layer languageModel();

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
