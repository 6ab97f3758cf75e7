//===- Tower.cpp - training towers and inference towers -------------------===//
#include "tg/symbolic/Tower.h"
#include "compiler/frontend/summaries/Summaries.h"
#include "compiler/frontend/symbolic/Call.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

static thread_local const TowerContext *openTower = nullptr;

const TowerContext *symbolic::currentTowerContext() { return openTower; }

const TowerContext &symbolic::towerFor(const std::string &layer,
                                       const BodyPtr &body, Place where) {
  if (!openTower)
    raise("expected " + layer + " within a TowerContext, found none", body,
          where);
  if (openTower->program().body() != body)
    raise("expected a TowerContext of program '" + body->name() +
              "', found that of '" + openTower->program().body()->name() + "'",
          body, where);
  return *openTower;
}

Collections &Collections::of(const BodyPtr &body) {
  return extensionOf<Collections>(body, "collections");
}

//===----------------------------------------------------------------------===//
// Towers
//===----------------------------------------------------------------------===//

static std::string describe(const std::string &name) {
  return "tower '" + name + "'";
}

static void checkTraining(const std::string &name, const TowerOptions &options,
                          const Scopes::Open &scope, const BodyPtr &body,
                          Place where) {
  if (options.index < 0 || options.index >= options.total)
    raise("expected the index of " + describe(name) + " in [0, " +
              std::to_string(options.total) + "), found " +
              std::to_string(options.index),
          body, where);
  if (!scope.path.empty())
    raise("expected " + describe(name) +
              ", which trains, at the root of the variable scopes, found '" +
              scope.path + "'",
          body, where);
}

TowerContext::TowerContext(const Program &program, std::string name,
                           const TowerOptions &chosen,
                           std::source_location where)
    : owner(program), called(std::move(name)), options(chosen) {
  const BodyPtr &body = owner.body();
  if (openTower)
    raise("expected towers that do not nest, found " + describe(called) +
              " within " + describe(openTower->called),
          body, where);
  Scopes::Open scope = Scopes::of(body).current();
  bool isTraining = options.isTraining;
  bool mayOwn =
      !isTraining || options.index == 0 || !options.variableScope.empty();
  ownVariables = mayOwn && scope.reuse != Reuse::yes;
  if (isTraining)
    checkTraining(called, options, scope, body, where);
  // A training tower without its own variables trains the existing ones.
  Reuse reuse = isTraining && !ownVariables ? Reuse::yes : scope.reuse;
  bool isReusing = reuse == Reuse::yes;
  variables = std::make_shared<VariableScope>(
      owner, options.variableScope, VariableScopeOptions{.reuse = reuse},
      where);
  // VariableScope also opened a component of the names of values. If it has the
  // name of the tower, that name must not appear twice.
  body->pushScope(called == options.variableScope ? "" : called, {});
  variablesBefore = body->variables().size();
  Scopes::of(body).used.emplace();
  reuserBefore = std::exchange(body->reuser, isReusing ? describe(called) : "");
  bool freezes = !isTraining;
  updatesWereFrozen =
      std::exchange(Collections::of(body).freezesUpdates, freezes);
  openTower = this;
}

TowerContext::~TowerContext() {
  const BodyPtr &body = owner.body();
  openTower = nullptr;
  Collections::of(body).freezesUpdates = updatesWereFrozen;
  Collections::of(body).penalties.clear();
  Scopes::of(body).used.reset();
  body->reuser = reuserBefore;
  body->popScope();
}

std::vector<Variable> TowerContext::trainableVariables() const {
  // A tower that is built again, as in each step of eager mode, counts the
  // variables that it uses as its own, since it created them before.
  const std::set<std::string> &used = *Scopes::of(owner.body()).used;
  std::vector<Variable> found;
  size_t number = 0;
  for (const VariableInfo &info : owner.body()->variables()) {
    bool isOwn = number++ >= variablesBefore || used.count(info.spec.name) != 0;
    bool isShared = !ownVariables && options.variableScope.empty();
    if (info.spec.trainable && (isOwn || isShared))
      found.push_back(variableOf(owner.body(), info));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Update operations
//===----------------------------------------------------------------------===//

Updates symbolic::updateOperations(const Program &program) {
  return Updates(program.body(), Collections::of(program.body()).updates);
}

void symbolic::trainFunction(Program &program, const std::string &name,
                             FunctionOptions options,
                             std::source_location where) {
  options.updates = options.updates + updateOperations(program);
  for (Output &summary : trainingOutputs(program.body()))
    if (std::ranges::find(options.outputs, summary.name, &Output::name) ==
        options.outputs.end())
      options.outputs.push_back(std::move(summary));
  program.function(name, options, where);
}

//===----------------------------------------------------------------------===//
// Functions that build towers
//===----------------------------------------------------------------------===//

Tensor TowerHandle::tensor(const std::string &name,
                           std::source_location where) const {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return given[i];
  const BodyPtr &body = result.body();
  const Scopes &scopes = Scopes::of(body);
  // The name scope of the tower is within that of its variables, unless both
  // have one name.
  std::string scope =
      called == variableScope ? called : joinPath(variableScope, called);
  for (const std::string &full : {joinPath(scope, name), name})
    if (auto found = scopes.values.find(full); found != scopes.values.end())
      return Tensor(body, found->second);
  for (const std::string &full : {joinPath(variableScope, name), name})
    if (const VariableInfo *found = body->findVariable(full))
      return variableOf(body, *found);
  std::vector<std::string> known = names;
  for (const auto &[full, value] : scopes.values)
    known.push_back(full);
  for (const VariableInfo &info : body->variables())
    known.push_back(info.spec.name);
  raise("expected the name of a value of " + describe(called) + ", found '" +
            name + "'" + suggestOf(name, known),
        body, where);
}

Variable TowerHandle::variable(const std::string &name,
                               std::source_location where) const {
  const BodyPtr &body = result.body();
  for (const std::string &full : {joinPath(variableScope, name), name})
    if (const VariableInfo *found = body->findVariable(full))
      return variableOf(body, *found);
  raise("expected the name of a variable of " + describe(called) + ", found '" +
            name + "'" + suggestVariable(body, name),
        body, where);
}

TowerFunction::TowerFunction(std::vector<std::string> inputNames,
                             Build function, std::source_location where)
    : names(std::move(inputNames)),
      build(required(std::move(function), "a function that builds towers",
                     where)) {}

Tensor TowerFunction::operator()(const std::vector<Tensor> &inputs,
                                 std::source_location where) {
  if (!openTower)
    throw GraphError("expected a tower to be built within a TowerContext, "
                     "found none",
                     where);
  if (inputs.size() != names.size())
    throw GraphError("expected " + std::to_string(names.size()) +
                         " inputs of a tower, found " +
                         std::to_string(inputs.size()),
                     where);
  TowerHandle handle;
  handle.called = openTower->name();
  handle.variableScope = openTower->variableScope();
  handle.trains = openTower->isTraining();
  handle.names = names;
  handle.given = inputs;
  handle.result = build(inputs);
  expectDefined(handle.result, where);
  built.push_back(std::move(handle));
  return built.back().result;
}

static std::vector<TowerHandle>
filterByMode(const std::vector<TowerHandle> &all, bool trains) {
  std::vector<TowerHandle> chosen;
  for (const TowerHandle &handle : all)
    if (handle.isTraining() == trains)
      chosen.push_back(handle);
  return chosen;
}

std::vector<TowerHandle> TowerFunction::training() const {
  return filterByMode(built, true);
}

std::vector<TowerHandle> TowerFunction::inference() const {
  return filterByMode(built, false);
}

const TowerHandle &TowerFunction::tower(const std::string &name,
                                        std::source_location where) const {
  for (size_t i = built.size(); i-- > 0;)
    if (built[i].called == name)
      return built[i];
  std::vector<std::string> known;
  for (const TowerHandle &handle : built)
    known.push_back(handle.called);
  throw GraphError("expected the name of a tower that was built, found '" +
                       name + "'" + suggestOf(name, known),
                   where);
}
