/// Six networks of TensorGraph that segment and classify brain tumours in
/// series of magnetic resonance images.
#ifndef TG_MODELS_BRAINTUMOR_H
#define TG_MODELS_BRAINTUMOR_H

#include "../nn/Normalization.h"
#include "../nn/graph.h"

namespace tg::models {

struct BrainTumorOptions {
  /// The number of segment classes of a position, at least 1. The first class
  /// means that there is no tumour.
  int64_t segments = 2;
  /// The number of classes of a volume, and the number of the finer classes
  /// that they consist of; at least 1 each.
  int64_t coarseClasses = 4, fineClasses = 8;
  /// The weight of each fine class for each coarse class, [fineClasses,
  /// coarseClasses]: a constant or an input. Default: each coarse class
  /// consists of equally many consecutive fine classes, with weight 1; all
  /// other weights are 0.
  Tensor classMatrix = {};
  /// The rates of the dropout after convolutions, after the first layer of the
  /// head, and after the second layer of the head, if it exists.
  Operand rate = 0.0, headRate = 0.2, secondHeadRate = 0.2;
  /// The options of all batch normalizations, including renormalization.
  BatchNormalizationOptions normalization = {};
  std::string name = {};
};

/// The differences between the six networks.
struct BrainTumorDesign;

/// The base class of the six networks. The inputs are three volumes [n, d, h,
/// w, c], and for networks with an R a fourth one, of radiomics. The volumes
/// are concatenated along the channels. A three-dimensional U-Net computes the
/// segment of each position: logits [n, d, h, w, segments]. The inputs of the
/// following dense blocks are the volumes, the volumes multiplied by the
/// probability of a tumour, and the segments. A head computes the logits of the
/// classes, [n, coarseClasses] and [n, fineClasses].
/// There are three outputs: the logits of positions, of coarse classes and of
/// fine classes. d, h and w must be static. d must be a multiple of 2, and h
/// and w multiples of 16; for C5 and C5XS, d must be a multiple of 4, and h and
/// w multiples of 32. The documented numbers of parameters are those for
/// 24x128x128 positions, one channel and the default options. Convolutions use
/// glorotUniform(). Leaky ReLU follows the convolutions of blocks.
class BrainTumorNet : public BaseModel {
protected:
  BrainTumorNet(const BrainTumorDesign &design,
                const BrainTumorOptions &options, std::source_location where);
};

/// A network with four levels of 8 to 64 channels. Blocks normalize before each
/// convolution. Each dense block also takes the features of the decoder at the
/// level of the block. A linear layer computes the coarse classes from the fine
/// ones; its weight is multiplied by the class matrix. 4,046,956 parameters.
class C3 : public BrainTumorNet {
public:
  C3(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

/// C3 with blocks that normalize after each convolution. 4,046,598 parameters.
class C4 : public BrainTumorNet {
public:
  C4(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

/// C4 with radiomics and a single convolution of 16 channels at the first
/// level. 4,060,758 parameters.
class C4R : public BrainTumorNet {
public:
  C4R(BrainTumorOptions options = {},
      std::source_location where = std::source_location::current());
};

/// C4 with a fifth level of 96 channels. Each dense block takes the result of
/// the previous block, the same result multiplied by the probability of a
/// tumour, and the segments. Each convolution of a dense block is followed by a
/// normalization. 5,346,336 parameters.
class C5 : public BrainTumorNet {
public:
  C5(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

/// C5 with fewer channels, with dense blocks of two steps, and with the head
/// directly after the dense blocks. 2,381,648 parameters.
class C5XS : public BrainTumorNet {
public:
  C5XS(BrainTumorOptions options = {},
       std::source_location where = std::source_location::current());
};

/// C3 with radiomics, a strided convolution of 16 channels at the first level,
/// the squared probability of a tumour, dense blocks that do not take the
/// segments, and one more layer in the head. The coarse logits are the product
/// of the fine ones and the class matrix. 3,799,150 parameters.
class CR : public BrainTumorNet {
public:
  CR(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_BRAINTUMOR_H
