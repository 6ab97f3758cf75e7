//===- SavedVariables.h - the tensors of a file that belong to variables --===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H
#define TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H

#include "compiler/frontend/body/SavedTensors.h"
#include "compiler/frontend/graph/Iterators.h"

namespace tg::dsl {

/// Variables by their names in a file.
using Named = std::map<std::string, Variable>;

/// Iterators by their names in a file.
using NamedIterators = std::map<std::string, std::shared_ptr<IteratorState>>;

/// The variables and iterators of a saver.
struct SavedObjects {
  const Named &variables;
  const NamedIterators &iterators;
};

/// The holder of the values of variables: an eager program or a session.
class VariableValues {
public:
  virtual ~VariableValues() = default;
  /// Returns true if a variable has a value.
  virtual bool has(const Variable &variable) const = 0;
  /// Returns the value of a variable; throws if it has none.
  virtual SavedTensor get(const Variable &variable) const = 0;
  /// Sets the value of a variable, which has the variable's type.
  virtual void set(const Variable &variable, const SavedTensor &value) = 0;
  /// Keeps the value in a file for a slot that does not exist yet.
  virtual void keep(const std::string & /*slot*/,
                    const SavedTensor & /*value*/) {}
  /// Returns the number of runs that took random samples, if it is counted
  /// separately from steps.
  virtual std::optional<int64_t> sampleCounter() const { return {}; }
  /// Sets the number of runs that took random samples.
  virtual void setSampleCounter(int64_t /*count*/) {}
  /// Returns the place of an iterator, which a restore replaces.
  virtual IteratorReading &readingOf(IteratorState &iterator) const = 0;
};

/// Save and restore variables and iterators in a file, by name or by object. A
/// file by object also has the names of the variables.
void saveByName(const VariableValues &values, const SavedObjects &objects,
                const std::string &path, Place where);
void saveByObject(const VariableValues &values, const SavedObjects &objects,
                  const std::string &path, Place where);
void restoreByName(VariableValues &values, const SavedObjects &objects,
                   const std::string &path, Place where);
void restoreByObject(VariableValues &values, const SavedObjects &objects,
                     const std::string &path, Place where);

/// Returns the value of a result; reports the error of a file at the user's
/// line.
template <typename T>
T takeFile(Result<T> result, const BodyPtr &body, Place where) {
  if (result.error)
    raise(result.error->message, body, where);
  return std::move(result.value);
}

/// Returns the body of the variables, which must all have the same one.
BodyPtr bodyOf(const Named &variables, Place where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H
