/// Assignments of variables.
#ifndef TG_GRAPH_UPDATES_H
#define TG_GRAPH_UPDATES_H

#include "initializer.h"
#include "variable.h"

namespace tg {

/// Assignments of variables, to be included in a function. Optimizers, averages
/// and assign() return them. An assignment that is in no function when the
/// program is written or compiled is an error.
class [[nodiscard]] Updates {
public:
  Updates() = default;
  /// Internal: assignments of a program's body, by id.
  Updates(std::shared_ptr<dsl::Body> body, std::vector<uint32_t> effects);

  /// Returns the updates of both, in the order in which the program made them.
  Updates operator+(const Updates &other) const;

  /// Internal.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  const std::vector<uint32_t> &effects() const { return numbers; }

private:
  std::shared_ptr<dsl::Body> owner;
  std::vector<uint32_t> numbers;
};

/// An assignment and its assigned value. A function that contains the value
/// contains the assignment.
class [[nodiscard]] Assignment : public Updates {
public:
  Assignment() = default;
  /// Internal.
  Assignment(Updates updates, Tensor given);

  /// The new value of the variable.
  const Tensor &value() const { return assigned; }
  operator Tensor() const { return assigned; }

private:
  Tensor assigned;
};

/// Assigns a whole variable in every function that contains the assignment.
/// Values that the function read before, including the variable's own handle,
/// do not change. In eager mode the assignment happens immediately. Values
/// computed before do not change, but all handles of the variable, including
/// copies such as `Tensor before = w;`, show its new value. The result of an op
/// such as `w
/// * 1.0` keeps the old value.
Assignment assign(const Variable &variable, Operand value);
/// Assigns the variable's value plus or minus another value.
Assignment assignAdd(const Variable &variable, Operand value);
Assignment assignSub(const Variable &variable, Operand value);
/// Returns the variable's value at this line, after all preceding assignments
/// that the function contains.
Tensor readValue(const Variable &variable,
                 std::source_location where = std::source_location::current());
/// Returns the same value. Within ControlDependencies, a variable gives its
/// value at this line.
Tensor identity(Operand input);

} // namespace tg

#endif // TG_GRAPH_UPDATES_H
