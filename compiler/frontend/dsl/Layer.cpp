//===- Layer.cpp - tracing of layers and their variables ------------------===//
#include "tg/layer.h"
#include "compiler/frontend/dsl/Build.h"

#include <algorithm>
#include <cxxabi.h>
#include <typeinfo>

using namespace tg;
using namespace tg::dsl;

namespace {
/// What a layer has in one program.
struct Traced {
  std::weak_ptr<Body> body;
  /// The last component of its path, and the path of its variables.
  std::string name, path;
  /// Its own variables by name, and those of inner layers too.
  std::vector<std::pair<std::string, Variable>> own;
  std::vector<Variable> all;
  Mode mode = Mode::train;
  /// What update() was asked for since the trace began.
  std::vector<Id> effects;

  void add(const Variable &variable) {
    for (const Variable &known : all)
      if (known.name() == variable.name())
        return;
    all.push_back(variable);
  }
};
} // namespace

/// What copies of a layer share.
struct BaseLayer::State {
  std::string givenName;
  std::optional<Place> place;
  /// The programs it was traced in; the last one traced is `current`.
  std::vector<std::unique_ptr<Traced>> programs;
  Traced *current = nullptr;
  Place where;

  Traced &in(const Bodies &body);
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

BaseLayer::BaseLayer(std::source_location where) : BaseLayer() {
  state->place = where;
}

void BaseLayer::setName(std::string name) {
  state->givenName = std::move(name);
}

/// The class's name without scopes and template arguments.
static std::string classNameOf(const BaseLayer &layer) {
  int status = 0;
  char *demangled =
      abi::__cxa_demangle(typeid(layer).name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : "Layer";
  std::free(demangled);
  name = name.substr(0, name.find('<'));
  return name.substr(name.rfind(':') + 1);
}

std::vector<Variable> BaseLayer::variables() const {
  return state->current ? state->current->all : std::vector<Variable>();
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

namespace {
/// Marks a layer as being traced, while it lives.
class OpenLayer {
public:
  OpenLayer(Bodies body, Traced &traced) : body(std::move(body)) {
    this->body->openLayers.push_back(&traced);
  }
  ~OpenLayer() { body->openLayers.pop_back(); }
  OpenLayer(const OpenLayer &) = delete;

private:
  Bodies body;
};
} // namespace

std::vector<Tensor> BaseLayer::fprop(std::vector<Tensor> inputs, Mode mode) {
  if (inputs.empty())
    throw GraphError("expected at least one input of layer '" +
                         classNameOf(*this) + "'",
                     state->place.value_or(Place()));
  Bodies body = inputs.front().body();
  Traced &traced = state->in(body);
  if (traced.path.empty()) {
    traced.name = state->givenName.empty()
                      ? body->uniqueName(classNameOf(*this))
                      : state->givenName;
    std::string scopes = body->scopePath();
    traced.path =
        body->name() + "/" + (scopes.empty() ? "" : scopes + "/") + traced.name;
  }
  state->current = &traced;
  traced.mode = mode;
  std::vector<Tensor> outputs;
  {
    Scope scope(body, traced.name, state->place);
    OpenLayer open(body, traced);
    traced.effects.clear();
    outputs = link(std::move(inputs), mode);
  }
  for (const Tensor &output : outputs)
    for (Id effect : traced.effects)
      body->attach(output.id(), effect);
  for (void *outer : body->openLayers)
    for (const Variable &variable : traced.all)
      static_cast<Traced *>(outer)->add(variable);
  return outputs;
}

/// The mode of the layer that is being traced.
static Mode modeInside(const Body &body) {
  return body.openLayers.empty()
             ? Mode::train
             : static_cast<Traced *>(body.openLayers.back())->mode;
}

std::vector<Tensor> BaseLayer::trace(std::vector<Tensor> inputs,
                                     std::source_location where,
                                     std::optional<Mode> mode, size_t outputs) {
  state->where = where;
  Bodies body = inputs.front().body();
  std::vector<Tensor> found =
      fprop(std::move(inputs), mode ? *mode : modeInside(*body));
  if (found.size() != outputs)
    raise("expected layer '" + state->current->name + "' to give " +
              std::to_string(outputs) + " output" + (outputs == 1 ? "" : "s") +
              ", found " + std::to_string(found.size()),
          body, where);
  return found;
}

/// True where two types differ in what is known of both.
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
  // Copies have members of their own; build() gives them the same variables,
  // and says where another input does not fit these.
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
            "' to override train() or link()",
        input.body(), state->where);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

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
    if (differs(variable.type(), type))
      raise("expected an input that fits '" + variable.name() + "' " +
                toString(variable.shape()) +
                ", made for another input; this one needs " + toString(shape),
            body, state->where);
    return variable;
  }
  VariableSpec spec{traced->path + "/" + std::string(name),
                    {options.dtype, shape},
                    options.trainable,
                    "",
                    options.trainable ? "" : "statistic"};
  Variable made = makeVariable(body, spec, initializer, state->where);
  traced->own.emplace_back(name, made);
  traced->add(made);
  return made;
}

Variable BaseLayer::use(const Variable &variable) {
  if (!state->current)
    throw GraphError("expected variable '" + variable.name() +
                         "' to be used while the layer is traced",
                     state->place.value_or(Place()));
  state->current->add(variable);
  return variable;
}

void BaseLayer::update(const Variable &variable, Operand value) {
  if (state->current->mode != Mode::train)
    raise("expected update() in train() alone", variable.body(), value.where());
  Tensor assigned = value.isNumber() ? scalar(variable.body(), value.number(),
                                              variable.dtype(), value.where())
                                     : value.tensor();
  state->current->effects.push_back(take(
      variable.body()->assign(variable.name(), assigned.id(), value.where())));
}
