/// Affine registration of volumes. After Chee and Wu, "AIRNet: Self-Supervised
/// Affine Registration for 3D Medical Images Using Neural Networks", 2018.
#ifndef TG_MODELS_AIRNET_H
#define TG_MODELS_AIRNET_H

#include "../nn/graph.h"

namespace tg::models {

/// A network that computes the affine map [n, 12], three rows of four, that
/// aligns two volumes [n, d, h, w, c]. Both volumes pass through the same seven
/// convolutions of 8 to 512 channels, each with bias, batch normalization, ReLU
/// and max pooling. Linear layers then process the features of both. The bias
/// of the last layer is initialized to the identity map. d, h and w must be
/// static and at least 8, 128 and 128. The network has 6,324,732 parameters for
/// 8x160x160 positions of one channel.
class AIRNet : public BaseModel {
public:
  AIRNet(LayerOptions options = {},
         std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_AIRNET_H
