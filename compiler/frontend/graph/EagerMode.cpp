//===- EagerMode.cpp - the mode of programs, values of tensors, tapes -----===//
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/eager.h"

#include <algorithm>
#include <atomic>
#include <map>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// The mode
//===----------------------------------------------------------------------===//

static std::atomic<ExecutionMode> enabled = ExecutionMode::graph;

/// The mode set by an ExecutionScope as a number; -1 for none.
static thread_local int chosen = -1;

static ExecutionMode modeFor(EagerOptions options) {
  return options.exact ? ExecutionMode::exact : ExecutionMode::eager;
}

void tg::enableEagerExecution(EagerOptions options) {
  enabled = modeFor(options);
}

ExecutionMode dsl::executionMode() {
  return chosen < 0 ? enabled.load() : ExecutionMode(chosen);
}

bool tg::executingEagerly() { return executionMode() != ExecutionMode::graph; }

ExecutionScope::ExecutionScope(bool eagerly, EagerOptions options)
    : before(chosen) {
  chosen = int(eagerly ? modeFor(options) : ExecutionMode::graph);
}

ExecutionScope::~ExecutionScope() { chosen = before; }

Variable tg::referenceVariable(Program program, std::string name, DType dtype,
                               const Shape &shape,
                               const Initializer &initializer,
                               const VariableOptions &options,
                               std::source_location where) {
  if (program.isEager())
    throw GraphError("tf.Variable not supported when eager execution is "
                     "enabled: expected Program::variable for '" +
                         name + "'",
                     where);
  return program.variable(std::move(name), dtype, shape, initializer, options,
                          where);
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

struct GradientTape::State {
  std::shared_ptr<TapeState> tape = std::make_shared<TapeState>();
  GradientTapeOptions options;
  bool isUsed = false;
};

GradientTape::GradientTape(GradientTapeOptions options)
    : state(std::make_shared<State>()) {
  static std::atomic<uint64_t> made = 0;
  state->options = options;
  state->tape->number = ++made;
  state->tape->watchesVariables = options.watchVariables;
  openTapes().push_back(state->tape);
}

GradientTape::~GradientTape() {
  std::erase(openTapes(), state->tape);
  for (const std::weak_ptr<Body> &body : state->tape->bodies)
    if (BodyPtr known = body.lock())
      closeTape(*known, *state->tape);
}

void GradientTape::stop() { state->tape->records = false; }

void GradientTape::watch(const Tensor &tensor, std::source_location where) {
  expectDefined(tensor, where);
  if (!isFloat(tensor.dtype()))
    raise("expected a tensor of floats to watch, found " +
              toString(tensor.dtype()),
          tensor.body(), where);
  if (tensor.body()->isEager())
    dsl::watch(*tensor.body(), *state->tape, tensor.id());
}

namespace {
/// A guard that stops the recording of a tape while it lives.
class RecordingGuard {
public:
  explicit RecordingGuard(TapeState &tape) : tape(tape), before(tape.records) {
    tape.records = false;
  }
  ~RecordingGuard() { tape.records = before; }
  RecordingGuard(const RecordingGuard &) = delete;

private:
  TapeState &tape;
  bool before;
};
} // namespace

/// Returns the tensor that represents a missing gradient.
static Tensor missingGradient(const std::string &source) {
  return Tensor::missing("expected a gradient of " + source +
                         ", found none: the target does not depend on it, or "
                         "the tape did not record how");
}

/// Builds the gradients of a program in graph mode.
static std::vector<Tensor> symbolicGradient(const Tensor &target,
                                            const std::vector<Tensor> &sources,
                                            Place where) {
  const BodyPtr &body = target.body();
  std::vector<Id> ids;
  for (const Tensor &source : sources)
    ids.push_back(source.id());
  std::vector<bool> isReached = body->reaches(target.id(), ids);
  // Body::gradient() takes values before variables, without duplicates, and
  // returns their gradients in this order.
  std::map<Id, std::string> variables;
  for (const VariableInfo &info : body->variables())
    variables[info.read] = info.spec.name;
  std::vector<Id> order, values;
  std::vector<std::string> names;
  for (bool isVariable : {false, true})
    for (size_t i = 0; i < ids.size(); ++i) {
      bool isNew = std::find(order.begin(), order.end(), ids[i]) == order.end();
      if (!isReached[i] || !isNew || variables.count(ids[i]) != isVariable)
        continue;
      order.push_back(ids[i]);
      if (isVariable)
        names.push_back(variables[ids[i]]);
      else
        values.push_back(ids[i]);
    }
  std::vector<Tensor> result(sources.size(), missingGradient("a source"));
  if (order.empty())
    return result;
  Tensor total = target.rank() == 0 ? target : reduceSum({target, where});
  std::vector<Id> found =
      take(body->gradient(total.id(), values, names, where));
  for (size_t i = 0; i < ids.size(); ++i)
    if (isReached[i])
      result[i] = Tensor(
          body,
          found[std::find(order.begin(), order.end(), ids[i]) - order.begin()]);
  return result;
}

std::vector<Tensor> GradientTape::gradient(const Tensor &target,
                                           const std::vector<Tensor> &sources,
                                           std::source_location where) {
  std::vector<Operand> all = {{target, where}};
  for (const Tensor &source : sources)
    all.emplace_back(source, where);
  BodyPtr body = bodyOf(all, where);
  if (!isFloat(target.dtype()))
    raise("expected a target of floats, found " + toString(target.dtype()),
          body, where);
  if (state->isUsed && !state->options.persistent)
    raise("expected one call of gradient() of a tape that is not persistent, "
          "found a second: GradientTape({.persistent = true}) gives several",
          body, where);
  state->isUsed = true;
  if (!body->isEager())
    return symbolicGradient(target, sources, where);
  RecordingGuard guard(*state->tape);
  std::vector<Id> ids;
  for (const Tensor &source : sources)
    ids.push_back(source.id());
  std::vector<Tensor> result;
  for (const std::optional<Id> &id :
       take(tapeGradient(*body, *state->tape, target.id(), ids, where)))
    result.push_back(id ? Tensor(body, *id) : missingGradient("a source"));
  if (!state->options.persistent)
    stop();
  return result;
}

std::vector<Tensor> GradientTape::gradient(const Tensor &target,
                                           const std::vector<Variable> &sources,
                                           std::source_location where) {
  std::vector<Tensor> found = gradient(
      target, std::vector<Tensor>(sources.begin(), sources.end()), where);
  for (size_t i = 0; i < found.size(); ++i)
    if (!found[i].isDefined())
      found[i] = missingGradient("'" + sources[i].name() + "'");
  return found;
}
