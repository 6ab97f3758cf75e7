/// Down to few places and back up. After Ronneberger and others, "U-Net:
/// Convolutional Networks for Biomedical Image Segmentation", 2015.
#ifndef TG_MODELS_UNET_H
#define TG_MODELS_UNET_H

#include "../graph.h"

namespace tg {

/// Convolutions with bias, ELU and batch normalization: four levels of 64 to
/// 512 channels down to 1024 and back up, each level beside what went down
/// there: [n, h, w, c] to [n, h, w, 16]. 16 divides h and w, which are known.
class UNet : public BaseModel {
public:
  UNet(LayerOptions options = {},
       std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  std::string name;
  std::source_location where;
};

} // namespace tg

#endif // TG_MODELS_UNET_H
