/// Where a tumour of the brain lies and which one it is, together: six networks
/// that TensorGraph has for series of magnetic resonance.
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
  /// How much each fine class counts for each coarse one, [fineClasses,
  /// coarseClasses]: a constant, or an input. None: 1 where the coarse classes
  /// consist of equally many fine ones in their order, 0 elsewhere.
  Tensor classMatrix = {};
  /// Of the dropout behind convolutions, of that behind the first layer of the
  /// head, and behind the second one where there is one.
  Operand rate = 0.0, headRate = 0.2, secondHeadRate = 0.2;
  /// Of all batch normalizations: renormalization and the like.
  BatchNormalizationOptions normalization = {};
  std::string name = {};
};

/// How one differs from another.
struct BrainTumorDesign;

/// What the six have in common. They take three volumes [n, d, h, w, c], those
/// with an R a fourth one, of radiomics, which are put side by side. A U-Net of
/// volumes says of each place what it is: logits [n, d, h, w, segments]. Dense
/// blocks then see the volumes, these times the chance that there is a tumour,
/// and the segments, and a head gives logits of the classes: [n, coarseClasses]
/// and [n, fineClasses]. Three outputs: places, coarse and fine classes. 2
/// divides d and 16 divides h and w, which are known; 4 and 32 of C5 and C5XS.
/// The numbers of parameters are those of 24x128x128 places, one channel and
/// the options' defaults. Convolutions begin by Glorot, and those of blocks
/// have leaky ReLU behind them.
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
