//===- SavedVariables.cpp - which tensors of a file variables are ---------===//
#include "compiler/frontend/dsl/SavedVariables.h"

using namespace tg;
using namespace tg::dsl;

Bodies dsl::bodyOf(const Named &variables, Place where) {
  std::vector<Operand> operands;
  for (const auto &[name, variable] : variables)
    operands.emplace_back(variable, where);
  return dsl::bodyOf(operands, where);
}

Named dsl::withSlots(const Named &variables, const Bodies &body) {
  Named all = variables;
  for (const VariableInfo &info : body->variables()) {
    if (info.spec.role == "step")
      all.emplace(info.spec.name, variableOf(body, info));
    for (const auto &[name, variable] : variables)
      if (info.spec.name.starts_with(variable.name() + "."))
        all.emplace(name + info.spec.name.substr(variable.name().size()),
                    variableOf(body, info));
  }
  return all;
}

static bool isSameType(const TensorType &lhs, const TensorType &rhs) {
  return lhs.dtype == rhs.dtype && toString(lhs.shape) == toString(rhs.shape);
}

static std::string describe(const TensorType &type) {
  return toString(type.dtype) + " " + toString(type.shape);
}

/// The tensor of a file that a variable gets; throws where there is none.
static const SavedTensor &find(const SavedTensors &file,
                               const std::string &name,
                               const Variable &variable,
                               const std::string &path, Place where) {
  auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    raise("expected a tensor '" + name + "' in '" + path + "', found none",
          variable.body(), where);
  if (!isSameType(found->second.type, variable.type()))
    raise("expected '" + name + "' in '" + path + "' to be " +
              describe(variable.type()) + ", found " +
              describe(found->second.type),
          variable.body(), where);
  return found->second;
}

std::vector<std::pair<Variable, const SavedTensor *>>
dsl::match(const SavedTensors &file, const Named &variables,
           const std::string &path, Place where) {
  std::vector<std::pair<Variable, const SavedTensor *>> found;
  for (const auto &[name, variable] : variables)
    found.emplace_back(variable, &find(file, name, variable, path, where));
  for (const auto &[name, variable] :
       withSlots(variables, bodyOf(variables, where)))
    if (!variables.count(name) && file.tensors.count(name))
      found.emplace_back(variable, &find(file, name, variable, path, where));
  return found;
}

void dsl::tell(const Bodies &body, const std::string &message, Place where) {
  if (body->onWarning)
    body->onWarning({message, where.file_name(), where.line(), where.column()});
}

SavedTensors dsl::readByName(const std::string &path, const Bodies &body,
                             Place where) {
  SavedTensors file = takeFile(readTensors(path), body, where);
  if (file.objects.empty())
    return file;
  tell(body,
       "restoring an object-based checkpoint using a name-based saver; this "
       "may be somewhat fragile, consider Checkpoint instead",
       where);
  SavedTensors named;
  for (const auto &[tensor, variable] : file.objects)
    if (file.tensors.count(tensor))
      named.tensors[variable] = file.tensors[tensor];
  return named;
}
