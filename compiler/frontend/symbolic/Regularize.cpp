//===- Regularize.cpp - penalties by names of variables -------------------===//
#include "compiler/frontend/symbolic/Call.h"

#include <regex>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

/// Returns the open tower, of any program. Throws GraphError if there is none.
static const TowerContext &openTower(const char *caller, Place where) {
  if (const TowerContext *tower = currentTowerContext())
    return *tower;
  throw GraphError(std::string("expected ") + caller +
                       " within a TowerContext, found none",
                   where);
}

/// Returns the sum of penalties as f32, or 0 if there are none.
static Tensor sumOf(const std::vector<Tensor> &penalties, const BodyPtr &body,
                    const std::string &name, Place where) {
  Tensor sum;
  for (const Tensor &penalty : penalties) {
    expectDefined(penalty, where);
    if (penalty.rank() != 0 || !isFloat(penalty.dtype()))
      raise("expected penalties that are scalars of floats, found " +
                toString(penalty.dtype()) + " " + toString(penalty.shape()),
            body, where);
    Tensor term = cast(penalty, f32);
    sum = sum.isDefined() ? sum + term : term;
  }
  if (!sum.isDefined())
    return scalar(body, 0, f32, where);
  nameValue(sum, joinPath(body->path(), name));
  return sum;
}

Tensor symbolic::regularizeCost(const std::string &regex,
                                const Regularizer &function,
                                const std::string &name,
                                std::source_location where) {
  const TowerContext &tower = openTower("regularizeCost", where);
  const BodyPtr &body = tower.program().body();
  std::regex pattern;
  try {
    pattern = std::regex(regex);
  } catch (const std::regex_error &error) {
    raise("expected a regular expression, found '" + regex + "'", body, where);
  }
  if (regex.empty() || !function)
    raise(std::string("expected a regular expression and a function of a "
                      "variable, found no ") +
              (regex.empty() ? "expression" : "function"),
          body, where);
  std::vector<Tensor> penalties;
  if (!tower.isTraining())
    return sumOf(penalties, body, name, where);
  Scope scope(body, "", where);
  for (const Variable &variable : tower.trainableVariables())
    if (std::regex_search(variable.name(), pattern))
      penalties.push_back(function(variable));
  return sumOf(penalties, body, name, where);
}

Tensor symbolic::regularizeCostFromCollection(const std::string &name,
                                              std::source_location where) {
  const TowerContext &tower = openTower("regularizeCostFromCollection", where);
  const BodyPtr &body = tower.program().body();
  std::vector<Tensor> penalties;
  if (!tower.isTraining())
    return sumOf(penalties, body, name, where);
  Scope scope(body, "", where);
  for (const Variable &variable : tower.trainableVariables())
    if (const Regularizer &function =
            body->findVariable(variable.name())->spec.regularizer) {
      penalties.push_back(function(variable));
      expectDefined(penalties.back(), where);
      body->addPenalty(variable.name(), penalties.back().id());
    }
  for (const Tensor &penalty : Collections::of(body).penalties)
    penalties.push_back(penalty);
  return sumOf(penalties, body, name, where);
}
