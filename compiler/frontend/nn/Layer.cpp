//===- Layer.cpp - tracing of layers --------------------------------------===//
#include "tg/nn/layer.h"
#include "compiler/frontend/graph/Scopes.h"
#include "compiler/frontend/nn/LayerMistakes.h"
#include "compiler/frontend/nn/LayerState.h"
#include "compiler/frontend/training/Drops.h"

#include <cxxabi.h>
#include <typeinfo>

using namespace tg;
using namespace tg::dsl;

TracedLayer &BaseLayer::State::in(const BodyPtr &body) {
  for (const std::unique_ptr<TracedLayer> &program : programs)
    if (program->body.lock() == body)
      return *program;
  programs.push_back(std::make_unique<TracedLayer>());
  programs.back()->body = body;
  return *programs.back();
}

BaseLayer::BaseLayer() : state(std::make_shared<State>()) {}

BaseLayer::BaseLayer(std::source_location where, std::string name,
                     VariableOptions variables)
    : BaseLayer() {
  setVariableOptions(std::move(variables));
  state->place = where;
  state->givenName = std::move(name);
}

void BaseLayer::setVariableOptions(VariableOptions options) {
  state->variables = std::move(options);
}

void BaseLayer::setName(std::string name, std::source_location where) {
  if (state->outer || !state->programs.empty())
    throw GraphError("expected the name '" + name +
                         "' of a layer before it is put into a node or called",
                     where);
  state->givenName = std::move(name);
}

void BaseLayer::leaveLinesToLayers() { state->placesOps = false; }

std::optional<Place> BaseLayer::madeAt() const { return state->place; }

/// Returns the class name without scopes and template arguments.
static std::string classNameOf(const BaseLayer &layer) {
  int status = 0;
  char *demangled =
      abi::__cxa_demangle(typeid(layer).name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : "Layer";
  std::free(demangled);
  name = name.substr(0, name.find('<'));
  return name.substr(name.rfind(':') + 1);
}

bool BaseLayer::isBuilt() const { return state->current != nullptr; }

std::vector<Variable> BaseLayer::variables() const {
  return state->current ? state->current->all : std::vector<Variable>();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void BaseLayer::State::joinInside(State &other, const std::string &node,
                                  Place where) {
  if (outer || !programs.empty())
    return;
  name = other.names.give(node, givenName, className, place.value_or(where));
  inside = joinPath(node, name);
  outer = other.shared_from_this();
}

void BaseLayer::State::join(const BodyPtr &body, const std::string &node,
                            Place where) {
  if (!body->openLayers.empty())
    joinInside(*static_cast<State *>(body->openLayers.back()), node, where);
  TracedLayer &traced = in(body);
  if (!traced.path.empty())
    return;
  if (outer) {
    outer->join(body, "", where);
    traced.name = name;
    traced.path = joinPath(outer->in(body).path, inside);
    return;
  }
  traced.name =
      body->names.give(node, givenName, className, place.value_or(where));
  traced.path = joinPath(joinPath(body->name(), node), traced.name);
}

void BaseLayer::join(const BodyPtr &body, const std::string &node,
                     const std::vector<Layer> &layers, Place where) {
  if (!node.empty())
    (body->openLayers.empty()
         ? body->names
         : static_cast<State *>(body->openLayers.back())->names)
        .give("", node, "", where);
  for (const Layer &layer : layers) {
    layer->state->className = classNameOf(*layer);
    layer->state->join(body, node, where);
  }
}

void BaseLayer::adopt(const std::string &node, const std::vector<Layer> &layers,
                      Place where) {
  if (state->className.empty())
    state->className = classNameOf(*this);
  if (!node.empty())
    state->names.give("", node, "", where);
  for (const Layer &layer : layers) {
    layer->state->className = classNameOf(*layer);
    layer->state->joinInside(*state, node, where);
  }
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

namespace {
/// A scope in which a layer is being traced.
class OpenLayer {
public:
  OpenLayer(BodyPtr body, void *state) : body(std::move(body)) {
    this->body->openLayers.push_back(state);
  }
  ~OpenLayer() { body->openLayers.pop_back(); }
  OpenLayer(const OpenLayer &) = delete;

private:
  BodyPtr body;
};
} // namespace

/// Throws GraphError unless a layer returned tensors with values.
static void expectOutputs(const std::vector<Tensor> &outputs, Place where) {
  const std::string expected = "expected the layer to return a tensor with a "
                               "value, found ";
  if (outputs.empty())
    throw GraphError(expected + "none", where);
  for (const Tensor &output : outputs) {
    if (!output.whyMissing() && !output.isDefined())
      throw GraphError(expected + "one that is only declared", where);
    expectDefined(output, where);
  }
}

std::vector<Tensor> BaseLayer::fprop(std::vector<Tensor> inputs, Mode mode,
                                     std::source_location where) {
  if (inputs.empty())
    throw GraphError("expected at least one input of layer '" +
                         classNameOf(*this) + "', found none",
                     where);
  std::vector<Operand> operands;
  for (const Tensor &input : inputs)
    operands.emplace_back(input, where);
  BodyPtr body = bodyOf(operands);
  state->className = classNameOf(*this);
  state->where = where;
  LayerCaller *caller = std::exchange(body->layerCaller, nullptr);
  if (!caller)
    state->join(body, "", where);
  TracedLayer &traced = state->in(body);
  traced.caller = caller;
  state->current = &traced;
  traced.mode = mode;
  traced.inputs.clear();
  for (const Tensor &input : inputs)
    traced.inputs.push_back(input.type());
  std::vector<Tensor> outputs;
  const std::optional<Place> made =
      state->placesOps ? state->place : std::nullopt;
  // Inside a layer or composite of the library all errors are at its line.
  const bool isInside = body->effectivePlace(Place()).line() != 0;
  {
    const char *fprop = mode == Mode::train ? "train_fprop" : "test_fprop";
    Scope scope(body, traced.name, made, caller ? "" : fprop);
    OpenLayer open(body, state.get());
    traced.effects.clear();
    traced.later.clear();
    try {
      outputs = link(std::move(inputs), mode);
      expectOutputs(outputs, state->place.value_or(where));
    } catch (const GraphError &error) {
      const GraphError named = nameLayer(error, body, traced.inputs);
      throw isInside ? named : placeInCall(named, made, where);
    }
  }
  if (!caller || !caller->dropsUpdates())
    for (const auto &[variable, value] : traced.later)
      take(body->assign(variable, value.id(), where));
  traced.later.clear();
  bool carries = !traced.effects.empty() &&
                 !(caller && caller->takeUpdates(traced.effects));
  // If a LayerCaller does not take the updates, they become effects of the
  // outputs.
  for (Tensor &output : outputs)
    if (carries)
      output = Tensor(
          body, caller ? body->withEffects(output.id(), traced.effects)
                       : body->withLayerUpdates(output.id(), traced.effects));
  if (carries && !caller)
    body->layerUpdates.insert(body->layerUpdates.end(), traced.effects.begin(),
                              traced.effects.end());
  for (void *outer : body->openLayers)
    for (const Variable &variable : traced.all)
      static_cast<State *>(outer)->current->add(variable);
  for (const Variable &variable : traced.all)
    Scopes::of(body).use(variable);
  return outputs;
}

Mode BaseLayer::State::modeInside(const Body &body) {
  return body.openLayers.empty()
             ? Mode::train
             : static_cast<State *>(body.openLayers.back())->current->mode;
}

std::vector<Tensor> BaseLayer::trace(std::vector<Tensor> inputs,
                                     std::source_location where,
                                     std::optional<Mode> mode, size_t outputs) {
  BodyPtr body = inputs.front().body();
  bool isChosen = mode || !body->openLayers.empty() || body->layerCaller;
  size_t drops = Drops::of(body).count();
  std::vector<Tensor> found =
      fprop(std::move(inputs), mode ? *mode : State::modeInside(*body), where);
  if (!isChosen)
    Drops::of(body).markUnchosen(drops);
  if (found.size() != outputs)
    raise("expected layer '" + state->current->name + "' to give " +
              std::to_string(outputs) + " output" + (outputs == 1 ? "" : "s") +
              ", found " + std::to_string(found.size()),
          body, where);
  return found;
}

std::vector<Tensor> BaseLayer::link(std::vector<Tensor> inputs, Mode mode) {
  const BodyPtr &body = inputs.front().body();
  if (inputs.size() != 1)
    raise("expected one input of layer '" + state->current->name + "', found " +
              std::to_string(inputs.size()),
          body, state->where);
  // Each copy of a layer has its own C++ members, and builds them itself.
  // build() gives all copies the same variables, and reports an input that does
  // not fit these.
  TensorType type = inputs.front().type();
  if (builtIn.lock() != body || differs(builtFor, type)) {
    build(type);
    builtIn = body;
    builtFor = type;
  }
  Tensor output =
      mode == Mode::train ? train(inputs.front()) : test(inputs.front());
  return {output};
}

Tensor BaseLayer::train(Tensor input) {
  raise("expected layer '" + state->current->name +
            "' to override train() or link(), found neither",
        input.body(), state->where);
}
