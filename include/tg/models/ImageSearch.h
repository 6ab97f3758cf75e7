/// Embeddings of volumes for similarity search. After Szegedy et al., "Going
/// Deeper with Convolutions", 2014, and Schroff et al., "FaceNet: A Unified
/// Embedding for Face Recognition and Clustering", 2015.
#ifndef TG_MODELS_IMAGESEARCH_H
#define TG_MODELS_IMAGESEARCH_H

#include "../nn/graph.h"

namespace tg::models {

struct ImageSearchModelOptions {
  /// The length of an embedding; at least 1.
  int64_t units = 128;
  /// The rate of the dropout after four of the five inception blocks and at the
  /// end.
  Operand rate = 0.5;
  std::string name = {};
};

/// Three convolutions and five inception blocks for volumes, each convolution
/// with bias, batch normalization and ReLU: [n, d, h, w, c] to [n, units]. d, h
/// and w must be static and at least 17, 129 and 129. The network has 7,404,304
/// parameters for 24x160x160 positions of five channels and 128 units.
class ImageSearchModel : public BaseModel {
public:
  ImageSearchModel(
      ImageSearchModelOptions options = {},
      std::source_location where = std::source_location::current());
};

} // namespace tg::models

#endif // TG_MODELS_IMAGESEARCH_H
