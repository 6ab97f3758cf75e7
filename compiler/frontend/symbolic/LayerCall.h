//===- LayerCall.h - the layers of tg/nn as symbolic layers ---------------===//
#ifndef TG_COMPILER_FRONTEND_SYMBOLIC_LAYERCALL_H
#define TG_COMPILER_FRONTEND_SYMBOLIC_LAYERCALL_H

#include "compiler/frontend/nn/LayerCaller.h"
#include "compiler/frontend/symbolic/Call.h"

namespace tg::symbolic {

/// A call of a layer of tg/nn, whose variables get the names of symbolic layers
/// in the open variable scope.
class LayerCall : public dsl::LayerCaller {
public:
  LayerCall(const Tensor &input, const Arguments &arguments)
      : body(input.body()), arguments(arguments) {}

  Variable variable(dsl::VariableSpec spec, const Initializer &initializer,
                    dsl::Place where) override;
  bool takeUpdates(std::span<const dsl::Id> effects) override;
  bool dropsUpdates() const override;

  /// Runs the layer and returns its result. Transposes images so that the layer
  /// gets channels last for either data format.
  Tensor run(BaseLayer &&layer, const Tensor &input, Mode mode = Mode::train);
  Tensor run(BaseLayer &&layer, const Tensor &input, DataFormat format,
             Mode mode = Mode::train);

  /// The regularizers of variables, by their names in the layer.
  std::map<std::string, Regularizer> regularizers;
  EmaUpdate emaUpdate = EmaUpdate::collection;
  VariableHolder variables;

private:
  dsl::BodyPtr body;
  const Arguments &arguments;
};

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_LAYERCALL_H
