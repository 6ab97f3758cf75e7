/// Classes of what several series of images show together, as TensorGraph has
/// it for series of magnetic resonance.
#ifndef TG_MODELS_HETERONET_H
#define TG_MODELS_HETERONET_H

#include "../nn/graph.h"

namespace tg::models {

/// Of three volumes [n, d, h, w, c] probabilities [r, 30] of classes: each goes
/// through the same four convolutions, and their channels together through
/// further ones, of which the last have windows as large as 4x320x320 places
/// leave them. So r is n for these; n · ceil(d / 4) · ceil(h / 320) · ceil(w /
/// 320) for others. Filters and biases begin by Glorot. Of one channel
/// 26,947,236 parameters.
class HeteroNet : public BaseModel {
public:
  HeteroNet(LayerOptions options = {},
            std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_HETERONET_H
