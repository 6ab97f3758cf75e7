/// Layers of windows over images, and of images of other extents.
#ifndef TG_NN_POOLING_H
#define TG_NN_POOLING_H

#include "../tensor/windows.h"
#include "layer.h"

namespace tg {

/// The options of a pooling layer: AvgPoolOptions and a name.
struct PoolingOptions {
  /// The extents of a window: one entry for rows [n, w, c], two for images
  /// [n, h, w, c], three for volumes [n, d, h, w, c].
  std::vector<int64_t> window = {2, 2};
  /// From window to window, and from position to position of one; one number
  /// for all dimensions, or one each. With strides like the window no two
  /// windows overlap.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// For means: divides by the extents of the window at the ends of an image,
  /// too.
  bool countPadding = false;
  std::string name = {};
};

/// The same with windows of volumes.
struct VolumePoolingOptions {
  std::vector<int64_t> window = {2, 2, 2}, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  bool countPadding = false;
  std::string name = {};
};

/// Declares a layer that is the function `maxPool` or `avgPool`.
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

/// The greatest element of each window.
TG_POOLING(MaxPooling, PoolingOptions)
TG_POOLING(MaxPooling3D, VolumePoolingOptions)
/// The mean of each window, of its elements that lie in the image.
TG_POOLING(AvgPooling, PoolingOptions)
TG_POOLING(AvgPooling3D, VolumePoolingOptions)

#undef TG_POOLING

/// The greatest element of each window and its place there: two outputs, of
/// which the second goes to a MaxUnpooling.
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
  /// As of the IndexedMaxPooling whose indices it gets.
  std::vector<int64_t> window = {2, 2}, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// The spatial extents that the windows slid over.
  std::vector<int64_t> sizes;
  std::string name = {};
};

/// Values where their indices say, zeros elsewhere; two inputs.
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
  /// The spatial dimensions stay, with extent 1.
  bool keepDims = false;
  std::string name = {};
};

/// The greatest element of each channel: [n, ..., c] to [n, c].
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

/// The mean of each channel: [n, ..., c] to [n, c].
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

/// Every element as a matrix times it: [n, h, w, c] to [n, h · rows, w ·
/// columns, c]; without a matrix the element and zeros.
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

/// Images of extents so many times those of the input.
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
  /// Elements on each side of a block.
  int64_t block = 2;
  std::string name = {};
};

/// Declares a layer that is the function of the same name.
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
/// The reverse.
TG_BLOCKS(DepthToSpace)

#undef TG_BLOCKS

} // namespace tg

#endif // TG_NN_POOLING_H
