/// Classes of what several series of images show together, as TensorGraph has
/// it for series of magnetic resonance.
#ifndef TG_MODELS_HETERONET_H
#define TG_MODELS_HETERONET_H

#include "../nn/graph.h"

namespace tg::models {

/// Computes probabilities [r, 30] of classes from three volumes [n, d, h, w,
/// c]. Each volume goes through the same four convolutions, and their channels
/// together through further ones. The windows of the last convolutions cover
/// all places that a volume of 4x320x320 leaves, so r is n for such volumes and
/// n · ceil(d / 4) · ceil(h / 320) · ceil(w / 320) for others. Filters and
/// biases start from Glorot's initializer. Has 26,947,236 parameters for one
/// channel.
class HeteroNet : public BaseModel {
public:
  HeteroNet(LayerOptions options = {},
            std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_HETERONET_H
