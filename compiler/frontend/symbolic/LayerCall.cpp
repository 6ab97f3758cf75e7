//===- LayerCall.cpp - the layers of tg/nn as symbolic layers -------------===//
#include "compiler/frontend/symbolic/LayerCall.h"

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

/// Returns the symbolic layers' name of a variable of a layer of tg/nn.
static std::string renamed(const std::string &name) {
  static constexpr const char *names[][2] = {
      {"filter", "W"},
      {"weight", "W"},
      {"bias", "b"},
      {"slope", "alpha"},
      {"moving_mean", "mean/EMA"},
      {"moving_variance", "variance/EMA"}};
  for (const auto &[from, to] : names)
    if (name == from)
      return to;
  return name;
}

Variable LayerCall::variable(VariableSpec spec, const Initializer &initializer,
                             Place where) {
  Scopes::Open scope = Scopes::of(body).current();
  std::string name = renamed(spec.name);
  spec.name = joinPath(scope.path, name);
  if (auto found = regularizers.find(name); found != regularizers.end())
    spec.regularizer = found->second;
  Variable made = findOrMake(body, spec, initializer, scope.reuse, where);
  variables.add(name, made);
  return made;
}

bool LayerCall::dropsUpdates() const {
  return emaUpdate == EmaUpdate::skip || (emaUpdate == EmaUpdate::collection &&
                                          Collections::of(body).freezesUpdates);
}

bool LayerCall::takeUpdates(std::span<const Id> effects) {
  if (emaUpdate == EmaUpdate::internal)
    return false;
  body->addLayerEffects(effects);
  std::vector<Id> &updates = Collections::of(body).updates;
  if (dropsUpdates())
    return true;
  for (std::vector<Id> *list : {&updates, &body->layerUpdates})
    list->insert(list->end(), effects.begin(), effects.end());
  return true;
}

Tensor LayerCall::run(BaseLayer &&layer, const Tensor &input, Mode mode) {
  body->layerCaller = this;
  return layer.fprop({input}, mode, arguments.where).front();
}

Tensor LayerCall::run(BaseLayer &&layer, const Tensor &input, DataFormat format,
                      Mode mode) {
  if (format == NHWC)
    return run(std::move(layer), input, mode);
  if (input.rank() != 4)
    throw GraphError("expected an input [n, c, h, w] of data format NCHW, "
                     "found " +
                         toString(input.shape()),
                     arguments.where);
  Tensor output = run(std::move(layer), transpose(input, {0, 2, 3, 1}), mode);
  return output.rank() == 4 ? transpose(output, {0, 3, 1, 2}) : output;
}
