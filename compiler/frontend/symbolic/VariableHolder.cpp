//===- VariableHolder.cpp - the variables of a layer's call ---------------===//
#include "tg/symbolic/Registry.h"

using namespace tg;
using namespace tg::symbolic;

void VariableHolder::add(const std::string &name, const Variable &variable) {
  members.emplace_back(name, variable);
  for (const auto &[field, place] : fields())
    if (name == field)
      *place = variable;
}

std::vector<std::pair<const char *, Variable *>> VariableHolder::fields() {
  return {{"W", &W},
          {"b", &b},
          {"beta", &beta},
          {"gamma", &gamma},
          {"alpha", &alpha},
          {"mean/EMA", &mean},
          {"variance/EMA", &variance}};
}

std::string VariableHolder::names() const {
  std::string names;
  for (const auto &[name, variable] : members)
    names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

void VariableHolder::setLayer(const std::string &name) {
  layer = name;
  for (const auto &[field, place] : fields())
    if (!place->isDefined())
      *place = Variable(Tensor::missing("expected layer '" + layer +
                                        "' to have a variable '" + field +
                                        "', found " + names()),
                        "", false);
}

const Variable &VariableHolder::at(const std::string &name,
                                   std::source_location where) const {
  for (const auto &[known, variable] : members)
    if (known == name)
      return variable;
  throw GraphError("expected layer '" + layer + "' to have a variable '" +
                       name + "', found " + names(),
                   where);
}

std::vector<Variable> VariableHolder::all() const {
  std::vector<Variable> variables;
  for (const auto &[name, variable] : members)
    variables.push_back(variable);
  return variables;
}
