/// Layers that change the element type.
#ifndef TG_NN_CASTS_H
#define TG_NN_CASTS_H

#include "layer.h"

namespace tg {

/// A cast to f32.
class ToFloat : public BaseLayer {
public:
  ToFloat(LayerOptions options = {},
          std::source_location where = std::source_location::current())
      : BaseLayer(where, std::move(options.name)) {}

protected:
  Tensor train(Tensor input) override;
};

/// A cast to i32. Fractions are truncated, and values out of range saturate.
class ToInt32 : public BaseLayer {
public:
  ToInt32(LayerOptions options = {},
          std::source_location where = std::source_location::current())
      : BaseLayer(where, std::move(options.name)) {}

protected:
  Tensor train(Tensor input) override;
};

} // namespace tg

#endif // TG_NN_CASTS_H
