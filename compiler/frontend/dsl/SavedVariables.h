//===- SavedVariables.h - which tensors of a file variables are -----------===//
#ifndef TG_COMPILER_FRONTEND_DSL_SAVEDVARIABLES_H
#define TG_COMPILER_FRONTEND_DSL_SAVEDVARIABLES_H

#include "compiler/frontend/dsl/Build.h"
#include "compiler/frontend/dsl/SavedTensors.h"

namespace tg::dsl {

/// Variables by their names in a file.
using Named = std::map<std::string, Variable>;

/// Reports a file's mistake at the user's line.
template <typename T>
T takeFile(Result<T> result, const Bodies &body, Place where) {
  if (result.error)
    raise(result.error->message, body, where);
  return std::move(result.value);
}

/// The one body of the variables.
Bodies bodyOf(const Named &variables, Place where);

/// The variables with their slots, and the count of steps.
Named withSlots(const Named &variables, const Bodies &body);

/// What each variable gets from a file: all of them, and those of their slots
/// that the file has. Throws where one is missing or of another type.
std::vector<std::pair<Variable, const SavedTensor *>>
match(const SavedTensors &file, const Named &variables, const std::string &path,
      Place where);

/// Tells whoever hears the warnings of the program.
void tell(const Bodies &body, const std::string &message, Place where);

/// A file by names; of an object-based one by those of its variables, with a
/// warning.
SavedTensors readByName(const std::string &path, const Bodies &body,
                        Place where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_DSL_SAVEDVARIABLES_H
