//===- SavedVariables.h - which tensors of a file variables are -----------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H
#define TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H

#include "compiler/frontend/body/SavedTensors.h"
#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Variables by their names in a file.
using Named = std::map<std::string, Variable>;

/// The holder of variables' values: an eager program, or a session.
class VariableValues {
public:
  virtual ~VariableValues() = default;
  /// Returns true if a variable has a value.
  virtual bool has(const Variable &variable) const = 0;
  /// The value of one that has one, else throws.
  virtual SavedTensor get(const Variable &variable) const = 0;
  /// Gives a variable a value of its type.
  virtual void set(const Variable &variable, const SavedTensor &value) = 0;
  /// Takes what a file has for a slot that is not there.
  virtual void keep(const std::string & /*slot*/,
                    const SavedTensor & /*value*/) {}
  /// Returns the number of runs that drew samples, if that is counted apart
  /// from steps.
  virtual std::optional<int64_t> draws() const { return {}; }
  virtual void setDraws(int64_t /*count*/) {}
};

/// Saves and loads files wherever the values are: by name, and by object with
/// the names that the variables have.
void saveByName(const VariableValues &values, const Named &variables,
                const std::string &path, Place where);
void saveByObject(const VariableValues &values, const Named &variables,
                  const std::string &path, Place where);
void restoreByName(VariableValues &values, const Named &variables,
                   const std::string &path, Place where);
void restoreByObject(VariableValues &values, const Named &variables,
                     const std::string &path, Place where);

/// Reports a file's mistake at the user's line.
template <typename T>
T takeFile(Result<T> result, const Bodies &body, Place where) {
  if (result.error)
    raise(result.error->message, body, where);
  return std::move(result.value);
}

/// The one body of the variables.
Bodies bodyOf(const Named &variables, Place where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_SAVEDVARIABLES_H
