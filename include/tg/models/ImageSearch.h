/// Volumes as points, near each other where the volumes are alike. After
/// Szegedy and others, "Going Deeper with Convolutions", 2014, and Schroff and
/// others, "FaceNet: A Unified Embedding for Face Recognition and Clustering",
/// 2015.
#ifndef TG_MODELS_IMAGESEARCH_H
#define TG_MODELS_IMAGESEARCH_H

#include "../nn/graph.h"

namespace tg::models {

struct ImageSearchModelOptions {
  /// Numbers per volume; at least 1.
  int64_t units = 128;
  /// Behind four of the five inception blocks and at the end.
  Operand rate = 0.5;
  std::string name = {};
};

/// Three convolutions and five inception blocks of volumes, each convolution
/// with bias, batch normalization and ReLU: [n, d, h, w, c] to [n, units]. d, h
/// and w are known and at least 17, 129 and 129. Of 24x160x160 places of five
/// channels and 128 units 7,404,304 parameters.
class ImageSearchModel : public BaseModel {
public:
  ImageSearchModel(
      ImageSearchModelOptions options = {},
      std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_IMAGESEARCH_H
