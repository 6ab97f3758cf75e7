/// How one volume lies in another. After Chee and Wu, "AIRNet: Self-Supervised
/// Affine Registration for 3D Medical Images Using Neural Networks", 2018.
#ifndef TG_MODELS_AIRNET_H
#define TG_MODELS_AIRNET_H

#include "../nn/graph.h"

namespace tg::models {

/// Of two volumes [n, d, h, w, c] the affine map [n, 12] from one to the other,
/// three rows of four: both go through the same seven convolutions of 8 to 512
/// channels, each with bias, batch normalization, ReLU and maxima, and then
/// together through linear layers. The bias of the last one begins as the map
/// that changes nothing. d, h and w are known and at least 8, 128 and 128. Of
/// 8x160x160 places of one channel 6,324,732 parameters.
class AIRNet : public BaseModel {
public:
  AIRNet(LayerOptions options = {},
         std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_AIRNET_H
