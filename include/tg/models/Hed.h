/// Detection of edges and segments at several scales. After Xie and Tu,
/// "Holistically-Nested Edge Detection", 2015.
#ifndef TG_MODELS_HED_H
#define TG_MODELS_HED_H

#include "../nn/graph.h"

namespace tg::models {

struct HEDModifiedOptions {
  /// The number of channels of the first of five stages; at least 1. Each stage
  /// has twice the channels of the previous one.
  int64_t channels = 0;
  /// The number of channels of the side output of each stage; at least 1.
  int64_t sideChannels = 0;
  /// The number of channels of the result; at least 1.
  int64_t outputs = 3;
  /// The rate of the dropout before each stage but the first.
  Operand rate = 0.03;
  std::string name = {};
};

/// HED for volumes, with convolutions with bias, batch normalization and ELU.
/// Pooling between stages halves height and width, and before the third and the
/// fifth stage also the depth. Transposed convolutions resize the side outputs
/// of all stages to the extents of the input, and a 1x1x1 convolution combines
/// them. There are two outputs, the logits and their sigmoid: [n, d, h, w, c]
/// to [n, d, h, w, outputs]. d, h and w must be static; d must be a multiple of
/// 4, and h and w multiples of 16. The network has 32,684 parameters if all
/// channel numbers are 1.
class HEDModified : public BaseModel {
public:
  HEDModified(HEDModifiedOptions options,
              std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_HED_H
