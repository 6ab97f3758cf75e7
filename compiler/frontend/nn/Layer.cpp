//===- Layer.cpp - tracing of layers and their variables ------------------===//
#include "tg/nn/layer.h"
#include "compiler/frontend/graph/Scopes.h"
#include "compiler/frontend/nn/LayerMistakes.h"

#include <algorithm>
#include <cxxabi.h>
#include <typeinfo>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The data of a layer in one program.
struct Traced {
  std::weak_ptr<Body> body;
  /// The path of the layer's variables and its last component; "" until the
  /// layer has a path.
  std::string path, name;
  /// The layer's own variables by name, and all variables including those of
  /// inner layers.
  std::vector<std::pair<std::string, Variable>> own;
  std::vector<Variable> all;
  Mode mode = Mode::train;
  /// The types of the inputs of the call that is being traced.
  std::vector<TensorType> inputs;
  /// The caller of the call that is being traced, or null for a call through
  /// the layer's own interface.
  LayerCaller *caller = nullptr;
  /// The updates since the trace began: effects, or in eager mode variables
  /// with the values that are assigned when the call ends.
  std::vector<Id> effects;
  std::vector<std::pair<std::string, Tensor>> later;

  void add(const Variable &variable) {
    for (const Variable &known : all)
      if (known.name() == variable.name())
        return;
    all.push_back(variable);
  }
};
} // namespace

/// The state that copies of a layer share.
struct BaseLayer::State : std::enable_shared_from_this<State> {
  std::string givenName, className;
  std::optional<Place> place;
  /// True if ops carry `place`, unless an outer layer sets their location.
  bool placesOps = true;
  VariableOptions variables;
  /// For an inner layer: the outer layer, the path from it, and the last
  /// component of that path.
  std::shared_ptr<State> outer;
  std::string inside, name;
  /// The names of the inner layers.
  Names names;
  /// The programs in which the layer was traced. The last one is `current`.
  std::vector<std::unique_ptr<Traced>> programs;
  Traced *current = nullptr;
  Place where;

  Traced &in(const Bodies &body);
  /// Adds the training options of the open layers to a variable. Inner layers
  /// take precedence.
  static void train(VariableSpec &spec, const Body &body, bool isWeight);
  /// Returns the mode of the layer that is being traced.
  static Mode modeInside(const Body &body);
  /// Makes this layer an inner layer of another one, unless it is one or was
  /// traced.
  void joinInside(State &other, const std::string &node, Place where);
  /// Gives the layer a path in a program, unless it has one: at the top level,
  /// or inside the layer that is being traced.
  void join(const Bodies &body, const std::string &node, Place where);
};

Traced &BaseLayer::State::in(const Bodies &body) {
  for (const std::unique_ptr<Traced> &program : programs)
    if (program->body.lock() == body)
      return *program;
  programs.push_back(std::make_unique<Traced>());
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

void BaseLayer::State::join(const Bodies &body, const std::string &node,
                            Place where) {
  if (!body->openLayers.empty())
    joinInside(*static_cast<State *>(body->openLayers.back()), node, where);
  Traced &traced = in(body);
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

void BaseLayer::join(const Bodies &body, const std::string &node,
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
  OpenLayer(Bodies body, void *state) : body(std::move(body)) {
    this->body->openLayers.push_back(state);
  }
  ~OpenLayer() { body->openLayers.pop_back(); }
  OpenLayer(const OpenLayer &) = delete;

private:
  Bodies body;
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
  Bodies body = bodyOf(operands);
  state->className = classNameOf(*this);
  state->where = where;
  LayerCaller *caller = std::exchange(body->layerCaller, nullptr);
  if (!caller)
    state->join(body, "", where);
  Traced &traced = state->in(body);
  traced.caller = caller;
  state->current = &traced;
  traced.mode = mode;
  traced.inputs.clear();
  for (const Tensor &input : inputs)
    traced.inputs.push_back(input.type());
  std::vector<Tensor> outputs;
  {
    const char *fprop = mode == Mode::train ? "train_fprop" : "test_fprop";
    Scope scope(body, traced.name,
                state->placesOps ? state->place : std::nullopt,
                caller ? "" : fprop);
    OpenLayer open(body, state.get());
    traced.effects.clear();
    traced.later.clear();
    try {
      outputs = link(std::move(inputs), mode);
      expectOutputs(outputs, state->place.value_or(where));
    } catch (const GraphError &error) {
      throw nameLayer(error, body, traced.inputs);
    }
  }
  if (!caller || !caller->dropsUpdates())
    for (const auto &[variable, value] : traced.later)
      take(body->assign(variable, value.id(), where));
  traced.later.clear();
  bool carries = !traced.effects.empty() &&
                 !(caller && caller->takeUpdates(traced.effects));
  // A LayerCaller that does not take the updates gets them as effects of the
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
  Bodies body = inputs.front().body();
  std::vector<Tensor> found =
      fprop(std::move(inputs), mode ? *mode : State::modeInside(*body), where);
  if (found.size() != outputs)
    raise("expected layer '" + state->current->name + "' to give " +
              std::to_string(outputs) + " output" + (outputs == 1 ? "" : "s") +
              ", found " + std::to_string(found.size()),
          body, where);
  return found;
}

/// Returns true if two types differ.
static bool differs(const TensorType &lhs, const TensorType &rhs) {
  bool same = lhs.dtype == rhs.dtype && lhs.rank() == rhs.rank();
  for (int64_t axis = 0; same && axis < lhs.rank(); ++axis)
    same = lhs.shape[axis].value == rhs.shape[axis].value;
  return !same;
}

std::vector<Tensor> BaseLayer::link(std::vector<Tensor> inputs, Mode mode) {
  const Bodies &body = inputs.front().body();
  if (inputs.size() != 1)
    raise("expected one input of layer '" + state->current->name + "', found " +
              std::to_string(inputs.size()),
          body, state->where);
  // Copies have their own C++ members. build() gives them the same variables,
  // and reports an input that does not match these.
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

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void BaseLayer::State::train(VariableSpec &spec, const Body &body,
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
  Traced *traced = state->current;
  Bodies body = traced ? traced->body.lock() : nullptr;
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
  if (std::string integers = findIntegers(traced->inputs);
      options.trainable && !isFloat(options.dtype) && !integers.empty())
    raise(body->path() + ": " + integers, body, state->where);
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
    State::train(spec, *body, options.isWeight);
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
    raise("expected update() in train() alone, found it in a layer that is " +
              std::string(state->current ? "traced to test" : "not traced"),
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
