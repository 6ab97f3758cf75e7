//===- Program.cpp - inputs, variables, functions, files ------------------===//
#include "tg/graph/program.h"
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/eager/TapeList.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/training/Drops.h"
#include "tg/graph/eager.h"

#include <algorithm>
#include <iostream>
#include <set>

using namespace tg;
using namespace tg::dsl;

Program::Program(std::string name, std::source_location where)
    : owner(executingEagerly()
                ? createEagerBody(std::move(name),
                                  executionMode() == ExecutionMode::exact,
                                  where)
                : Body::create(std::move(name), where)) {
  onWarning([](const Warning &warning) { std::cerr << warning.text() + "\n"; });
}

void Program::onWarning(std::function<void(const Warning &)> handler) {
  owner->onWarning = std::move(handler);
}

void dsl::reportWarnings(Body &body, Place where) {
  for (const Error &found : body.takeWarnings()) {
    Warning warning{found.message, found.file, found.line, found.column};
    if (found.line == 0)
      warning = {found.message, where.file_name(), where.line(),
                 where.column()};
    if (body.reported.insert(warning.text()).second && body.onWarning)
      body.onWarning(warning);
  }
}

Program Program::of(const Tensor &tensor, std::source_location where) {
  expectDefined(tensor, where);
  return Program(tensor.body());
}

bool Program::isEager() const { return owner->isEager(); }

void Program::setSeed(int64_t seed) {
  if (!isEager())
    return;
  dsl::setSeed(*owner, seed);
  owner->restartStreams();
  if (!owner->findVariable(kSeedVariable))
    return; // the first random sample creates the variable
  RecordingPause pause;
  std::span bytes(reinterpret_cast<const char *>(&seed), sizeof(seed));
  Tensor value(owner, take(owner->fromBytes({i64, {}}, bytes, Place())));
  take(owner->assign(kSeedVariable, value.id(), Place()));
}

void Program::checkNumerics(bool checks) {
  if (isEager())
    setChecksNumerics(*owner, checks);
}

size_t Program::liveTensorCount() const {
  return isEager() ? sizeOf(*owner).values : 0;
}

size_t Program::recordedOperationCount() const {
  return isEager() ? sizeOf(*owner).recordedOps : 0;
}

Tensor Program::input(std::string name, DType dtype, Shape shape,
                      std::source_location where) {
  Tensor made(owner, take(owner->addInput(name, {dtype, shape}, where)));
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (!shape[axis].isKnown() && !shape[axis].name.empty())
      owner->namedExtents.try_emplace(shape[axis].name, made.id(),
                                      static_cast<int64_t>(axis));
  return made;
}

Tensor Program::constant(double value, DType dtype, const Shape &shape,
                         std::source_location where) {
  return constant(std::vector<double>{value}, dtype, shape, where);
}

Tensor Program::constant(std::vector<double> elements, DType dtype,
                         const Shape &shape, std::source_location where) {
  return Tensor(owner, take(owner->constant({dtype, shape}, elements, where)));
}

Variable Program::variable(std::string name, DType dtype, const Shape &shape,
                           const Initializer &initializer,
                           const VariableOptions &options,
                           std::source_location where) {
  return makeVariable(owner,
                      {std::move(name),
                       {dtype, shape},
                       options.trainable,
                       "",
                       "",
                       options.regularizer,
                       options.constraint},
                      initializer, where);
}

/// Returns the id of a tensor; throws unless it belongs to the program.
static Id idOf(const BodyPtr &body, const Tensor &tensor,
               const std::string &what, Place where) {
  if (tensor.body() == body)
    return tensor.id();
  if (!tensor.isDefined())
    raise("expected " + what +
              " to have a value, found a tensor that is only "
              "declared",
          body, where);
  raise("expected " + what + " to be a tensor of program '" + body->name() +
            "', found " + describeOwner(tensor, where),
        body, where);
}

void Program::function(const std::string &name, const FunctionOptions &options,
                       std::source_location where) {
  FunctionSpec spec;
  spec.name = name;
  for (const Tensor &input : options.inputs)
    spec.inputs.push_back(idOf(owner, input,
                               "input " + std::to_string(spec.inputs.size()) +
                                   " of function '" + name + "'",
                               where));
  if (name.empty())
    raise("expected a name of the function, found ''", owner, where);
  std::set<std::string> names;
  for (const Output &output : options.outputs) {
    if (output.name.empty())
      raise("expected names of the outputs of function '" + name +
                "', found ''",
            owner, where);
    if (!names.insert(output.name).second)
      raise("expected output names of function '" + name +
                "' to be unique, found '" + output.name + "' twice",
            owner, where);
    spec.outputs.emplace_back(
        output.name,
        idOf(owner, output.value,
             "output '" + output.name + "' of function '" + name + "'", where));
  }
  const std::vector<uint32_t> &effects = options.updates.effects();
  if (!effects.empty() && options.updates.body() != owner)
    raise("expected updates of program '" + owner->name() + "' for function '" +
              name + "', found those of '" + options.updates.body()->name() +
              "'",
          owner, where);
  spec.effects = effects;
  take(owner->addFunction(spec, where));
  Drops::of(owner).check(*owner, spec, where);
}

std::vector<Variable> Program::variables() const {
  std::vector<Variable> variables;
  for (const VariableInfo &info : owner->variables())
    if (!isHidden(info))
      variables.push_back(variableOf(owner, info));
  return variables;
}

int64_t Program::parameterCount() const {
  int64_t count = 0;
  for (const Variable &variable : variables())
    if (variable.isTrainable())
      count += variable.size();
  return count;
}

std::string Program::text() const {
  std::string text = take(owner->text());
  reportWarnings(*owner, Place());
  return text;
}

std::string Program::summary() const { return take(owner->summary()); }

void Program::write(const std::string &path, std::source_location where) const {
  take(owner->write(path), where);
  reportWarnings(*owner, where);
}

void Program::compile(const std::string &path, const ModelOptions &options,
                      std::source_location where) const {
  take(owner->compile(path, options), where);
  reportWarnings(*owner, where);
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

Updates::Updates(std::shared_ptr<dsl::Body> body, std::vector<uint32_t> effects)
    : owner(std::move(body)), numbers(std::move(effects)) {}

Assignment::Assignment(Updates updates, Tensor given)
    : Updates(std::move(updates)), assigned(std::move(given)) {}

Dependency::Dependency(const Tensor &given) : tensor(given) {}
Dependency::Dependency(const Updates &given) : updates(given) {}
Dependency::Dependency(const Assignment &given) : updates(given) {}

Updates Updates::operator+(const Updates &other) const {
  if (numbers.empty())
    return other;
  if (!other.numbers.empty() && other.owner != owner)
    // An operator does not receive the user's line.
    throw GraphError("expected updates of one program, found those of '" +
                         owner->name() + "' and '" + other.owner->name() + "'",
                     "", 0, 0);
  std::vector<uint32_t> both = numbers;
  both.insert(both.end(), other.numbers.begin(), other.numbers.end());
  return Updates(owner, std::move(both));
}
