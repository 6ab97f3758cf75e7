/// Variables by name: scopes of names, and whether what is asked for is made or
/// found.
#ifndef TG_GRAPH_VARIABLE_SCOPE_H
#define TG_GRAPH_VARIABLE_SCOPE_H

#include "program.h"

#include <optional>

namespace tg {

/// The treatment of a name that a variable has already.
enum class Reuse {
  /// A variable is made; one of the name is an error.
  no,
  /// The variable is found; no variable of the name is an error.
  yes,
  /// It is found, or else made. TensorFlow: AUTO_REUSE.
  automatic
};

struct VariableScopeOptions {
  /// None: as in the scope around; at the root Reuse::no.
  std::optional<Reuse> reuse = {};
  /// A name for a scope without one: that, or the first of it with a number,
  /// merge_1, which no scope here has.
  std::string defaultName = {};
  /// The name is the whole one, as VariableScope::name() says it, whatever
  /// scopes are open.
  bool isAbsolute = false;
};

/// A component of the names of the variables that getVariable() makes or finds
/// while it lives, and of the places of ops. With the name "" it is the scope
/// around it with another rule of reuse. Scopes close in the reverse order.
class VariableScope {
public:
  VariableScope(const Program &program, std::string name,
                const VariableScopeOptions &options = {},
                std::source_location where = std::source_location::current());
  ~VariableScope();
  VariableScope(const VariableScope &) = delete;
  VariableScope &operator=(const VariableScope &) = delete;

  /// The names of the open scopes and this one: net/conv0.
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

/// The variable <open scopes>/<name>, made or found as the innermost scope
/// says. Throws GraphError where that is not possible, or where the one found
/// has another shape or element type.
Variable
getVariable(const Program &program, const std::string &name, const Shape &shape,
            const GetVariableOptions &options = {},
            std::source_location where = std::source_location::current());

/// A function that makes its variables in its first call and finds them in all
/// others, wherever it is called: in a scope of its own, called as the template
/// is, or name_1. Copies are the same. TensorFlow: make_template.
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

/// The variables with the name, or whose names end in `/<name>`.
std::vector<Variable> variablesByName(const Program &program,
                                      const std::string &name);

} // namespace tg

#endif // TG_GRAPH_VARIABLE_SCOPE_H
