/// Edges, and what they surround, at several scales. After Xie and Tu,
/// "Holistically-Nested Edge Detection", 2015.
#ifndef TG_MODELS_HED_H
#define TG_MODELS_HED_H

#include "../nn/graph.h"

namespace tg::models {

struct HEDModifiedOptions {
  /// The number of channels of the first of five stages; each stage has twice
  /// the channels of the one before it. At least 1.
  int64_t channels = 0;
  /// The number of channels of the side output of each stage; at least 1.
  int64_t sideChannels = 0;
  /// Channels of the result; at least 1.
  int64_t outputs = 3;
  /// The rate of the dropout before each stage but the first.
  Operand rate = 0.03;
  std::string name = {};
};

/// HED of volumes: convolutions with bias, batch normalization and ELU, after
/// each stage half the height and width and after two also half the depth. What
/// the stages say, brought back to all places by transposed convolutions, is
/// joined by a convolution 1x1x1. Two outputs, the logits and their sigmoid:
/// [n, d, h, w, c] to [n, d, h, w, outputs]. 4 divides d and 16 divides h and
/// w, which are known. Of one channel everywhere 32,684 parameters.
class HEDModified : public BaseModel {
public:
  HEDModified(HEDModifiedOptions options,
              std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_HED_H
