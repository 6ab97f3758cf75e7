/// Layers that move elements and change shapes. Negative axes count from the
/// end.
#ifndef TG_NN_SHAPES_H
#define TG_NN_SHAPES_H

#include "layer.h"

namespace tg {

/// Declares a layer that takes a list of numbers and applies the function of
/// the same name.
#define TG_SHAPE_LAYER(LAYER, ...)                                             \
  class LAYER : public BaseLayer {                                             \
  public:                                                                      \
    LAYER(std::vector<int64_t> list __VA_ARGS__, LayerOptions options = {},    \
          std::source_location where = std::source_location::current())        \
        : BaseLayer(where, std::move(options.name)),                           \
          numbers(std::move(list)) {}                                          \
                                                                               \
  protected:                                                                   \
    Tensor train(Tensor input) override;                                       \
                                                                               \
  private:                                                                     \
    std::vector<int64_t> numbers;                                              \
  };

/// Transpose({0, 2, 1}): output dimension i is input dimension numbers[i].
TG_SHAPE_LAYER(Transpose)
/// Reverse({1}): reverses the elements along these axes.
TG_SHAPE_LAYER(Reverse)
/// Reshape({-1, 4}): the same elements in row-major order. One extent may be -1
/// and is computed from the others.
TG_SHAPE_LAYER(Reshape)
/// SetShape({-1, 64}): checks extents at run time, so that they are static from
/// here on. A number below 1 leaves the extent unchanged.
TG_SHAPE_LAYER(SetShape)
/// Squeeze({1}): removes these dimensions of extent 1. An empty list removes
/// all dimensions of extent 1.
TG_SHAPE_LAYER(Squeeze, = {})

#undef TG_SHAPE_LAYER

struct ExpandDimsOptions {
  int64_t axis = -1;
  std::string name = {};
};

/// A layer that inserts a dimension of extent 1.
class ExpandDims : public BaseLayer {
public:
  ExpandDims(ExpandDimsOptions chosen = {},
             std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options(chosen) {}

protected:
  Tensor train(Tensor input) override;

private:
  ExpandDimsOptions options;
};

struct ZeroPadOptions {
  /// The numbers of rows above and below, and of columns on the left and on the
  /// right.
  std::array<int64_t, 2> height = {0, 0}, width = {0, 0};
  std::string name = {};
};

/// Zero padding of images: [n, h, w, c] to [n, h + rows, w + columns, c].
class ZeroPad : public BaseLayer {
public:
  ZeroPad(ZeroPadOptions chosen = {},
          std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

protected:
  Tensor train(Tensor input) override;

private:
  ZeroPadOptions options;
  std::source_location where;
};

/// [n, d1, ...] to [n, d1 · ...].
class Flatten : public BaseLayer {
public:
  Flatten(LayerOptions options = {},
          std::source_location where = std::source_location::current())
      : BaseLayer(where, std::move(options.name)) {}

protected:
  Tensor train(Tensor input) override;
};

} // namespace tg

#endif // TG_NN_SHAPES_H
