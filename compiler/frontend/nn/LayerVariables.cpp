//===- LayerVariables.cpp - variables of layers and their updates ---------===//
#include "compiler/frontend/nn/LayerMistakes.h"
#include "compiler/frontend/nn/LayerState.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

bool dsl::differs(const TensorType &lhs, const TensorType &rhs) {
  bool same = lhs.dtype == rhs.dtype && lhs.rank() == rhs.rank();
  for (int64_t axis = 0; same && axis < lhs.rank(); ++axis)
    same = lhs.shape[axis].value == rhs.shape[axis].value;
  return !same;
}

void BaseLayer::State::applyLayerOptions(VariableSpec &spec, const Body &body,
                                         bool isWeight) {
  for (size_t i = body.openLayers.size(); i-- > 0;) {
    const VariableOptions &options =
        static_cast<State *>(body.openLayers[i])->variables;
    spec.trainable &= options.trainable;
    if (isWeight && !spec.regularizer)
      spec.regularizer = options.regularizer;
    if (isWeight && !spec.constraint)
      spec.constraint = options.constraint;
  }
}

Variable BaseLayer::variable(std::string_view name, const Shape &shape,
                             const Initializer &initializer,
                             const LayerVariableOptions &options) {
  TracedLayer *traced = state->current;
  BodyPtr body = traced ? traced->body.lock() : nullptr;
  if (!body)
    throw GraphError("expected variable '" + std::string(name) +
                         "' to be made while the layer is traced",
                     state->place.value_or(Place()));
  for (const auto &[known, variable] : traced->own) {
    if (known != name)
      continue;
    TensorType type{options.dtype, shape};
    if (differs(variable.type(), type)) {
      auto describe = [&](const TensorType &of) {
        return (variable.dtype() == options.dtype ? ""
                                                  : toString(of.dtype) + " ") +
               toString(of.shape);
      };
      raise("expected an input that fits '" + variable.name() + "' " +
                describe(variable.type()) +
                ", made for another input; this one needs " + describe(type),
            body, state->where);
    }
    return variable;
  }
  if (std::string message = floatInputError(traced->inputs);
      options.trainable && !isFloat(options.dtype) && !message.empty())
    raise(message, body, state->where);
  VariableSpec spec{traced->caller ? std::string(name)
                                   : traced->path + "/" + std::string(name),
                    {options.dtype, shape},
                    options.trainable,
                    "",
                    options.trainable ? "" : "statistic"};
  if (options.trainable) {
    spec.trainable = options.variable.trainable;
    spec.regularizer = options.variable.regularizer;
    spec.constraint = options.variable.constraint;
    State::applyLayerOptions(spec, *body, options.isWeight);
  }
  Variable made =
      traced->caller ? traced->caller->variable(spec, initializer, state->where)
                     : makeVariable(body, spec, initializer, state->where);
  traced->own.emplace_back(name, made);
  traced->add(made);
  std::vector<Id> &model = body->collections[GraphKeys::modelVariables];
  if (!options.trainable &&
      std::find(model.begin(), model.end(), made.id()) == model.end())
    model.push_back(made.id());
  return made;
}

Variable BaseLayer::use(const Variable &variable, std::source_location where) {
  expectDefined(variable, where);
  if (!state->current)
    throw GraphError("expected variable '" + variable.name() +
                         "' to be used while the layer is traced",
                     state->place.value_or(Place()));
  state->current->add(variable);
  return variable;
}

void BaseLayer::update(const Variable &variable, Operand value) {
  expectDefined(variable, value.where());
  if (!state->current || state->current->mode != Mode::train)
    raise("expected update() to be called only within train(), found a call "
          "in a layer that is " +
              std::string(state->current ? "traced for testing"
                                         : "not being traced"),
          variable.body(), value.where());
  Tensor assigned = value.isNumber() ? scalar(variable.body(), value.number(),
                                              variable.dtype(), value.where())
                                     : value.tensor();
  if (variable.body()->isEager()) {
    state->current->later.emplace_back(variable.name(), assigned);
    return;
  }
  state->current->effects.push_back(take(
      variable.body()->assign(variable.name(), assigned.id(), value.where())));
}
