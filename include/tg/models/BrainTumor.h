/// Six networks of TensorGraph that segment and classify tumours of the brain
/// in series of magnetic resonance images.
#ifndef TG_MODELS_BRAINTUMOR_H
#define TG_MODELS_BRAINTUMOR_H

#include "../nn/Normalization.h"
#include "../nn/graph.h"

namespace tg::models {

struct BrainTumorOptions {
  /// Classes of places, the first one that of what is no tumour; at least 1.
  int64_t segments = 2;
  /// Classes of volumes, and the finer ones that they are made of; at least 1.
  int64_t coarseClasses = 4, fineClasses = 8;
  /// The weight of each fine class for each coarse one, [fineClasses,
  /// coarseClasses]: a constant, or an input. None: 1 where the coarse classes
  /// consist of equally many fine ones in their order, 0 elsewhere.
  Tensor classMatrix = {};
  /// The rates of the dropout behind convolutions, behind the first layer of
  /// the head, and behind its second layer if there is one.
  Operand rate = 0.0, headRate = 0.2, secondHeadRate = 0.2;
  /// The options of all batch normalizations, renormalization included.
  BatchNormalizationOptions normalization = {};
  std::string name = {};
};

/// The differences between the six networks.
struct BrainTumorDesign;

/// The base class of the six networks. They take three volumes [n, d, h, w, c],
/// and those with an R a fourth one, of radiomics; the volumes are concatenated
/// along the channels. A U-Net of volumes computes the segment of each place:
/// logits [n, d, h, w, segments]. Dense blocks then take the volumes, the
/// volumes times the probability of a tumour, and the segments, and a head
/// computes logits of the classes: [n, coarseClasses] and [n, fineClasses].
/// Three outputs: places, coarse and fine classes. d is a multiple of 2, h and
/// w are multiples of 16 (of 4 and 32 for C5 and C5XS); all three are known.
/// The numbers of parameters hold for 24x128x128 places, one channel and the
/// default options. Convolutions start from Glorot's initializer; convolutions
/// of blocks are followed by leaky ReLU.
class BrainTumorNet : public BaseModel {
protected:
  BrainTumorNet(const BrainTumorDesign &design,
                const BrainTumorOptions &options, std::source_location where);
};

/// Four levels of 8 to 64 channels; blocks are normalized before their
/// convolutions. Each dense block also sees what came up through its level. The
/// coarse classes follow from the fine ones by a linear layer whose weight is
/// multiplied by the matrix. 4,046,956 parameters.
class C3 : public BrainTumorNet {
public:
  C3(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

/// C3 with blocks that are normalized behind their convolutions. 4,046,598
/// parameters.
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

/// C4 with a fifth level of 96 channels. Each dense block sees what the one
/// before it gives, that times the chance of a tumour, and the segments; a
/// normalization stands behind each of its convolutions. 5,346,336 parameters.
class C5 : public BrainTumorNet {
public:
  C5(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

/// C5 with fewer channels, dense blocks of two steps, and the head right behind
/// them. 2,381,648 parameters.
class C5XS : public BrainTumorNet {
public:
  C5XS(BrainTumorOptions options = {},
       std::source_location where = std::source_location::current());
};

/// C3 with radiomics, a strided convolution of 16 channels at the first level,
/// the square of the chance of a tumour, dense blocks that see no segments, and
/// a head of one layer more. The coarse classes are the fine ones times the
/// matrix. 3,799,150 parameters.
class CR : public BrainTumorNet {
public:
  CR(BrainTumorOptions options = {},
     std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_BRAINTUMOR_H
