/// The affine registration of one volume to another. After Chee and Wu,
/// "AIRNet: Self-Supervised Affine Registration for 3D Medical Images Using
/// Neural Networks", 2018.
#ifndef TG_MODELS_AIRNET_H
#define TG_MODELS_AIRNET_H

#include "../nn/graph.h"

namespace tg::models {

/// Computes the affine map [n, 12], three rows of four, from one of two volumes
/// [n, d, h, w, c] to the other. Both volumes go through the same seven
/// convolutions of 8 to 512 channels, each with bias, batch normalization, ReLU
/// and maximum pooling, and then together through linear layers. The bias of
/// the last layer begins as the identity map. d, h and w are known and at least
/// 8, 128 and 128. Has 6,324,732 parameters for 8x160x160 places of one
/// channel.
class AIRNet : public BaseModel {
public:
  AIRNet(LayerOptions options = {},
         std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_AIRNET_H
