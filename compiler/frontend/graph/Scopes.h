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
  /// Names that scopes were given by default.
  std::set<std::string> defaultNames;
  /// Values that were given a name.
  std::map<std::string, Id> values;
  /// Variables that scopes found and layers use, while a tower is open.
  std::optional<std::set<std::string>> used;

  /// The innermost scope; the root where none is open.
  Open current() const { return open.empty() ? Open() : open.back(); }

  void use(const Variable &variable) {
    if (used)
      used->insert(variable.name());
  }

  static Scopes &of(const Bodies &body);
};

/// The variable with the full name in `spec`, by a rule.
Variable findOrMake(const Bodies &body, const VariableSpec &spec,
                    const Initializer &initializer, Reuse reuse, Place where);

/// Gives a value a full name, or the name with a number where another has it.
/// Values of eager mode have none.
void nameValue(const Tensor &value, const std::string &name);
/// The value of a full name, with :0 or without.
std::optional<Id> findValue(const Bodies &body, const std::string &name);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_SCOPES_H
