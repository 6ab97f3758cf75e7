/// Classification of several series of images together, as in TensorGraph for
/// series of magnetic resonance images.
#ifndef TG_MODELS_HETERONET_H
#define TG_MODELS_HETERONET_H

#include "../nn/graph.h"

namespace tg::models {

/// A network that computes probabilities [r, 30] of classes from three volumes
/// [n, d, h, w, c]. Each volume passes through the same four convolutions, and
/// further convolutions process the concatenated channels. The windows of the
/// last convolutions cover all positions that remain of a volume of 4x320x320.
/// r therefore is n for such volumes and n · ceil(d / 4) · ceil(h / 320) ·
/// ceil(w / 320) for others. Filters and biases use glorotUniform(). The
/// network has 26,947,236 parameters for one channel.
class HeteroNet : public BaseModel {
public:
  HeteroNet(LayerOptions options = {},
            std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_HETERONET_H
