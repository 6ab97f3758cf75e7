/// A layer that applies a function.
#ifndef TG_NN_LAMBDA_H
#define TG_NN_LAMBDA_H

#include "layer.h"

namespace tg {

/// Any function of one tensor that builds ops, used in training and in
/// inference: Lambda(exp), Lambda([](Tensor x) { return x * x; }).
class Lambda : public BaseLayer {
public:
  Lambda(Activation callable, LayerOptions options = {},
         std::source_location where = std::source_location::current())
      : BaseLayer(where, std::move(options.name)),
        function(dsl::required(std::move(callable), "a function", where)) {}

protected:
  Tensor train(Tensor input) override { return function(std::move(input)); }

private:
  Activation function;
};

} // namespace tg

#endif // TG_NN_LAMBDA_H
