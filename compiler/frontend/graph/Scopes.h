//===- Scopes.h - the variable scopes and the names of a program ----------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_SCOPES_H
#define TG_COMPILER_FRONTEND_GRAPH_SCOPES_H

#include "compiler/frontend/graph/Build.h"
#include "tg/graph/variable_scope.h"

namespace tg::dsl {

/// The variable scopes of a program.
struct Scopes {
  struct Open {
    std::string path;
    Reuse reuse = Reuse::no;
  };
  std::vector<Open> open;
  /// Names that scopes received by default.
  std::set<std::string> defaultNames;
  /// Values that have a user-defined name.
  std::map<std::string, Id> values;
  /// The variables that scopes found and layers use, while a tower is open.
  std::optional<std::set<std::string>> used;

  /// Returns the innermost scope, or the root.
  Open current() const { return open.empty() ? Open() : open.back(); }

  void use(const Variable &variable) {
    if (used)
      used->insert(variable.name());
  }

  static Scopes &of(const BodyPtr &body);
};

/// Returns the variable with the full name in `spec`, found or declared as
/// `reuse` demands.
Variable findOrMake(const BodyPtr &body, const VariableSpec &spec,
                    const Initializer &initializer, Reuse reuse, Place where);

/// Sets the full name of a value, with a numeric suffix if it is taken. Does
/// nothing in eager mode.
void nameValue(const Tensor &value, const std::string &name);
/// Returns the value with a full name, with or without ":0".
std::optional<Id> findValue(const BodyPtr &body, const std::string &name);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_SCOPES_H
