/// Layers that reduce along axes, by default along all of them.
#ifndef TG_NN_REDUCTIONS_H
#define TG_NN_REDUCTIONS_H

#include "layer.h"

namespace tg {

/// The options of a reduction layer: ReduceOptions and a name.
struct ReductionOptions {
  std::vector<int64_t> axes = {};
  bool keepDims = false;
  std::string name = {};
};

/// Declares a layer that applies the function of the same name.
#define TG_REDUCTION(LAYER)                                                    \
  class LAYER : public BaseLayer {                                             \
  public:                                                                      \
    LAYER(ReductionOptions chosen = {},                                        \
          std::source_location where = std::source_location::current())        \
        : BaseLayer(where, std::move(chosen.name)),                            \
          options{std::move(chosen.axes), chosen.keepDims} {}                  \
                                                                               \
  protected:                                                                   \
    Tensor train(Tensor input) override;                                       \
                                                                               \
  private:                                                                     \
    ReduceOptions options;                                                     \
  };

TG_REDUCTION(ReduceSum)
TG_REDUCTION(ReduceMax)
TG_REDUCTION(ReduceMean)

#undef TG_REDUCTION

} // namespace tg

#endif // TG_NN_REDUCTIONS_H
