/// The dropout layer.
#ifndef TG_NN_DROPOUT_H
#define TG_NN_DROPOUT_H

#include "layer.h"

namespace tg {

/// The options of a Dropout layer: DropoutOptions and a name.
struct DropoutLayerOptions {
  Operand rate = 0.5;
  std::vector<int64_t> noiseShape = {};
  std::string name = {};
};

/// A layer that in training replaces elements by 0 with probability `rate`, at
/// random as by dropout(), and scales the others by 1 / (1 - rate). Inference
/// returns the input unchanged. The rate may be a tensor of the program. With a
/// noise shape, all elements along its dimensions of extent 1 share a random
/// sample: {-1, 1} drops whole rows of [n, d].
class Dropout : public BaseLayer {
public:
  Dropout(DropoutLayerOptions chosen = {},
          std::source_location where = std::source_location::current())
      : BaseLayer(where, std::move(chosen.name)),
        options{chosen.rate, std::move(chosen.noiseShape)} {}

protected:
  Tensor train(Tensor input) override;
  Tensor test(Tensor input) override { return input; }

private:
  DropoutOptions options;
};

} // namespace tg

#endif // TG_NN_DROPOUT_H
