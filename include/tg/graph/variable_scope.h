/// Variables by name: scopes of names, and rules for creating or reusing a
/// variable.
#ifndef TG_GRAPH_VARIABLE_SCOPE_H
#define TG_GRAPH_VARIABLE_SCOPE_H

#include "program.h"

#include <optional>

namespace tg {

/// The rule of a scope for getVariable().
enum class Reuse {
  /// Creates a variable. An existing variable of the name is an error.
  no,
  /// Finds an existing variable. If there is none of the name, it is an error.
  yes,
  /// Finds the variable, or creates it. TensorFlow: AUTO_REUSE.
  automatic
};

struct VariableScopeOptions {
  /// The rule of the scope. None: the rule of the enclosing scope, or Reuse::no
  /// at the root.
  std::optional<Reuse> reuse = {};
  /// The default for a scope without a name. If a scope here has this name
  /// already, _1, _2 … is appended: merge_1.
  std::string defaultName = {};
  /// Makes the name the full path, as VariableScope::name() returns it,
  /// regardless of the open scopes.
  bool isAbsolute = false;
};

/// A component of the names of the variables that getVariable() creates or
/// finds during its lifetime, and of the names of ops. The name "" stands for
/// the enclosing scope, with another rule of reuse. Scopes must close in
/// reverse order.
class VariableScope {
public:
  VariableScope(const Program &program, std::string name,
                const VariableScopeOptions &options = {},
                std::source_location where = std::source_location::current());
  ~VariableScope();
  VariableScope(const VariableScope &) = delete;
  VariableScope &operator=(const VariableScope &) = delete;

  /// Returns the names of the open scopes and of this one: net/conv0.
  const std::string &name() const { return path; }
  Reuse reuse() const { return rule; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::string path;
  Reuse rule = Reuse::no;
};

struct GetVariableOptions {
  DType dtype = f32;
  Initializer initializer = glorotUniform();
  VariableOptions variable = {};
};

/// Returns the variable <open scopes>/<name>, created or found by the rule of
/// the innermost scope. Throws GraphError if the rule is violated, or if the
/// found variable has another shape or element type.
Variable
getVariable(const Program &program, const std::string &name, const Shape &shape,
            const GetVariableOptions &options = {},
            std::source_location where = std::source_location::current());

/// A function that creates its variables in its first call and reuses them in
/// all later calls, in any scope. The variables are in a scope of their own
/// with the name of the template, or name_1. Copies share the variables.
/// TensorFlow: make_template.
///
///   auto dense = makeTemplate(program, "dense", [&](Tensor x) { … });
///   Tensor loss = dense(x) - dense(y);
template <typename Function> class VariableTemplate {
public:
  VariableTemplate(const Program &owner, const std::string &name,
                   Function called, std::source_location where)
      : program(owner),
        function(dsl::required(std::move(called), "a function to call", where)),
        path(VariableScope(owner, "", {.defaultName = name}, where).name()),
        wasCalled(std::make_shared<bool>(false)) {}

  template <typename... Arguments>
  decltype(auto) operator()(Arguments &&...arguments) const {
    Reuse rule = *wasCalled ? Reuse::yes : Reuse::no;
    *wasCalled = true;
    VariableScope scope(program, path, {.reuse = rule, .isAbsolute = true});
    return function(std::forward<Arguments>(arguments)...);
  }

private:
  Program program;
  Function function;
  std::string path;
  std::shared_ptr<bool> wasCalled;
};

template <typename Function>
VariableTemplate<Function>
makeTemplate(const Program &program, const std::string &name, Function function,
             std::source_location where = std::source_location::current()) {
  return {program, name, std::move(function), where};
}

/// Returns the variables whose name is `name` or ends in `/<name>`.
std::vector<Variable> variablesByName(const Program &program,
                                      const std::string &name);

} // namespace tg

#endif // TG_GRAPH_VARIABLE_SCOPE_H
