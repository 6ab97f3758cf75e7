/// Layers for pooling and resizing of images.
#ifndef TG_NN_POOLING_H
#define TG_NN_POOLING_H

#include "../tensor/windows.h"
#include "layer.h"

namespace tg {

/// The options of a pooling layer: AvgPoolOptions and a name.
struct PoolingOptions {
  /// The window size: one element for sequences [n, w, c], two for images [n,
  /// h, w, c], three for volumes [n, d, h, w, c].
  std::vector<int64_t> window = {2, 2};
  /// The distance between windows, and the distance between the elements of a
  /// window: one number for all dimensions, or one per dimension. The windows
  /// do not overlap if the strides equal the window size.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// Divides means by the full window size also at the borders of an image,
  /// where a window includes padding.
  bool countPadding = false;
  std::string name = {};
};

/// The options of a pooling layer for volumes.
struct VolumePoolingOptions {
  std::vector<int64_t> window = {2, 2, 2}, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  bool countPadding = false;
  std::string name = {};
};

/// Declares a layer that applies the function `maxPool` or `avgPool`.
#define TG_POOLING(LAYER, OPTIONS)                                             \
  class LAYER : public BaseLayer {                                             \
  public:                                                                      \
    LAYER(OPTIONS chosen = {},                                                 \
          std::source_location where = std::source_location::current())        \
        : BaseLayer(where, chosen.name), options(std::move(chosen)) {}         \
                                                                               \
  protected:                                                                   \
    Tensor train(Tensor input) override;                                       \
                                                                               \
  private:                                                                     \
    OPTIONS options;                                                           \
  };

/// A layer that computes the maximum of each window.
TG_POOLING(MaxPooling, PoolingOptions)
TG_POOLING(MaxPooling3D, VolumePoolingOptions)
/// A layer that computes the mean of each window. By default it is the mean of
/// the elements inside the image, without padding.
TG_POOLING(AvgPooling, PoolingOptions)
TG_POOLING(AvgPooling3D, VolumePoolingOptions)

#undef TG_POOLING

/// Max pooling with two outputs: the maximum of each window, and its index
/// within the window. MaxUnpooling takes the indices.
class IndexedMaxPooling : public BaseLayer {
public:
  IndexedMaxPooling(
      PoolingOptions chosen = {},
      std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  PoolingOptions options;
  std::source_location where;
};

struct MaxUnpoolingOptions {
  /// As in the IndexedMaxPooling that computed the indices.
  std::vector<int64_t> window = {2, 2}, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// The spatial extents of the input of that IndexedMaxPooling.
  std::vector<int64_t> sizes;
  std::string name = {};
};

/// A layer of two inputs, values and indices, that puts the values at the
/// positions given by the indices, and zeros elsewhere.
class MaxUnpooling : public BaseLayer {
public:
  MaxUnpooling(MaxUnpoolingOptions chosen,
               std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  MaxUnpoolingOptions options;
  std::source_location where;
};

struct GlobalPoolingOptions {
  /// Keeps the spatial dimensions, with extent 1.
  bool keepDims = false;
  std::string name = {};
};

/// A layer that computes the maximum of each channel: [n, ..., c] to [n, c].
class GlobalMaxPooling : public BaseLayer {
public:
  GlobalMaxPooling(GlobalPoolingOptions chosen = {},
                   std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

protected:
  Tensor train(Tensor input) override;

private:
  GlobalPoolingOptions options;
  std::source_location where;
};

/// A layer that computes the mean of each channel: [n, ..., c] to [n, c].
class GlobalAvgPooling : public BaseLayer {
public:
  GlobalAvgPooling(GlobalPoolingOptions chosen = {},
                   std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

protected:
  Tensor train(Tensor input) override;

private:
  GlobalPoolingOptions options;
  std::source_location where;
};

/// The options of a FixedUnpooling layer: FixedUnpoolOptions and a name.
struct FixedUnpoolingOptions {
  std::array<int64_t, 2> shape = {2, 2};
  std::vector<double> matrix = {};
  std::string name = {};
};

/// A layer that computes the Kronecker product of each channel with a matrix:
/// [n, h, w, c] to [n, h · rows, w · columns, c]. The default matrix is 1 at
/// the first position and 0 elsewhere: it inserts zeros between the elements.
class FixedUnpooling : public BaseLayer {
public:
  FixedUnpooling(FixedUnpoolingOptions chosen = {},
                 std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options{chosen.shape,
                                               std::move(chosen.matrix)} {}

protected:
  Tensor train(Tensor input) override;

private:
  FixedUnpoolOptions options;
};

/// The options of an UpSampling layer: UpsampleOptions and a name.
struct UpSamplingOptions {
  /// The factor of each spatial extent.
  std::vector<int64_t> scale = {2, 2};
  ResizeMode mode = ResizeMode::nearest;
  Coordinates coordinates = Coordinates::halfPixel;
  std::string name = {};
};

/// A layer that resizes images by the given scale factors.
class UpSampling : public BaseLayer {
public:
  UpSampling(UpSamplingOptions chosen = {},
             std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options{std::move(chosen.scale),
                                               chosen.mode,
                                               chosen.coordinates} {}

protected:
  Tensor train(Tensor input) override;

private:
  UpsampleOptions options;
};

struct BlockOptions {
  /// The extent of a block along each spatial dimension.
  int64_t block = 2;
  std::string name = {};
};

/// Declares a layer that applies the function of the same name.
#define TG_BLOCKS(LAYER)                                                       \
  class LAYER : public BaseLayer {                                             \
  public:                                                                      \
    LAYER(BlockOptions chosen = {},                                            \
          std::source_location where = std::source_location::current())        \
        : BaseLayer(where, std::move(chosen.name)), block(chosen.block) {}     \
                                                                               \
  protected:                                                                   \
    Tensor train(Tensor input) override;                                       \
                                                                               \
  private:                                                                     \
    int64_t block;                                                             \
  };

/// [n, h, w, c] to [n, h / block, w / block, block² · c].
TG_BLOCKS(SpaceToDepth)
/// The inverse of SpaceToDepth.
TG_BLOCKS(DepthToSpace)

#undef TG_BLOCKS

} // namespace tg

#endif // TG_NN_POOLING_H
