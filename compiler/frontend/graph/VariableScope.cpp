//===- VariableScope.cpp - variables and values by name -------------------===//
#include "compiler/frontend/graph/Scopes.h"

using namespace tg;
using namespace tg::dsl;

Scopes &Scopes::of(const BodyPtr &body) {
  return extensionOf<Scopes>(body, "scopes");
}

/// Returns the name, or the first of name_1, name_2, … that is not in `used`.
template <typename Names>
static std::string unusedName(const Names &used, const std::string &name) {
  std::string unused = name;
  for (unsigned number = 1; used.count(unused) != 0; ++number)
    unused = name + "_" + std::to_string(number);
  return unused;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

VariableScope::VariableScope(const Program &program, std::string name,
                             const VariableScopeOptions &options,
                             std::source_location where)
    : owner(program.body()) {
  Scopes &scopes = Scopes::of(owner);
  Scopes::Open outer = scopes.current();
  if (name.empty() && !options.defaultName.empty()) {
    std::string full = unusedName(scopes.defaultNames,
                                  joinPath(outer.path, options.defaultName));
    scopes.defaultNames.insert(full);
    name = outer.path.empty() ? full : full.substr(outer.path.size() + 1);
  }
  if (name.starts_with('/') || name.ends_with('/'))
    raise("expected a name of a scope that neither begins nor ends with '/', "
          "found '" +
              name + "'",
          owner, where);
  path = options.isAbsolute ? name : joinPath(outer.path, name);
  rule = options.reuse.value_or(outer.reuse);
  scopes.open.push_back({path, rule});
  owner->pushScope(name, {});
}

VariableScope::~VariableScope() {
  owner->popScope();
  Scopes::of(owner).open.pop_back();
}

/// Throws unless a variable that was found has the requested type.
static void checkFound(const BodyPtr &body, const VariableInfo &found,
                       const TensorType &requested, Place where) {
  const TensorType &type = found.spec.type;
  bool isSame = type.dtype == requested.dtype &&
                toString(type.shape) == toString(requested.shape);
  if (!isSame)
    raise("expected variable '" + found.spec.name + "' to be " +
              toString(requested.dtype) + " " + toString(requested.shape) +
              ", found " + toString(type.dtype) + " " + toString(type.shape) +
              " of " + describeLine(found.where, where),
          body, where);
}

Variable dsl::findOrMake(const BodyPtr &body, const VariableSpec &spec,
                         const Initializer &initializer, Reuse reuse,
                         Place where) {
  const VariableInfo *found = body->findVariable(spec.name);
  if (!found && reuse == Reuse::yes)
    raise("expected variable '" + spec.name +
              "' to exist in a scope that reuses variables, found none" +
              suggestVariable(body, spec.name),
          body, where);
  if (!found)
    return makeVariable(body, spec, initializer, where);
  if (reuse == Reuse::no)
    raise("expected a new name for a variable, found '" + spec.name +
              "', which " + describeLine(found->where, where) +
              " made: a scope with Reuse::yes finds it",
          body, where);
  checkFound(body, *found, spec.type, where);
  Variable variable = variableOf(body, *found);
  Scopes::of(body).use(variable);
  return variable;
}

Variable tg::getVariable(const Program &program, const std::string &name,
                         const Shape &shape, const GetVariableOptions &options,
                         std::source_location where) {
  if (name.empty())
    raise("expected a name of a variable, found ''", program.body(), where);
  Scopes::Open scope = Scopes::of(program.body()).current();
  VariableSpec spec{.name = joinPath(scope.path, name),
                    .type = {options.dtype, shape},
                    .trainable = options.variable.trainable,
                    .regularizer = options.variable.regularizer,
                    .constraint = options.variable.constraint};
  return findOrMake(program.body(), spec, options.initializer, scope.reuse,
                    where);
}

std::vector<Variable> tg::variablesByName(const Program &program,
                                          const std::string &name) {
  std::vector<Variable> found;
  for (const Variable &variable : program.variables())
    if (variable.name() == name || variable.name().ends_with("/" + name))
      found.push_back(variable);
  return found;
}

//===----------------------------------------------------------------------===//
// Names of values
//===----------------------------------------------------------------------===//

void dsl::nameValue(const Tensor &value, const std::string &name) {
  if (value.body()->isEager()) // a value may die before its name
    return;
  Scopes &scopes = Scopes::of(value.body());
  scopes.values[unusedName(scopes.values, name)] = value.id();
}

std::optional<Id> dsl::findValue(const BodyPtr &body, const std::string &name) {
  const std::map<std::string, Id> &values = Scopes::of(body).values;
  bool hasSuffix = name.ends_with(":0");
  auto found = values.find(name.substr(0, name.size() - (hasSuffix ? 2 : 0)));
  return found == values.end() ? std::nullopt : std::optional(found->second);
}
