//===- SavedVariables.cpp - the tensors of a file for variables -----------===//
#include "compiler/frontend/graph/SavedVariables.h"

using namespace tg;
using namespace tg::dsl;

BodyPtr dsl::bodyOf(const Named &variables, Place where) {
  std::vector<Operand> operands;
  for (const auto &[name, variable] : variables)
    operands.emplace_back(variable, where);
  return dsl::bodyOf(operands, where);
}

/// Returns the variables, their slots, and the hidden variables of step and
/// seed.
static Named withSlots(const Named &variables, const BodyPtr &body) {
  Named all = variables;
  for (const VariableInfo &info : body->variables()) {
    if (isHidden(info))
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

/// Returns the tensor of a file for a variable; throws if there is none.
static const SavedTensor &find(const SavedTensors &file,
                               const std::string &name,
                               const Variable &variable,
                               const std::string &path, Place where) {
  auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    raise("expected a tensor '" + name + "' in '" + path + "', found none" +
              suggestKey(name, file.tensors),
          variable.body(), where);
  if (!isSameType(found->second.type, variable.type()))
    raise("expected '" + name + "' in '" + path + "' to be " +
              describe(variable.type()) + ", found " +
              describe(found->second.type),
          variable.body(), where);
  return found->second;
}

/// Returns the tensors of a file for the variables, and for those of their
/// slots that the file has. Throws if the tensor of a variable is missing or
/// has another type.
static std::vector<std::pair<Variable, const SavedTensor *>>
match(const SavedTensors &file, const Named &variables, const std::string &path,
      Place where) {
  std::vector<std::pair<Variable, const SavedTensor *>> found;
  for (const auto &[name, variable] : variables)
    found.emplace_back(variable, &find(file, name, variable, path, where));
  for (const auto &[name, variable] :
       withSlots(variables, bodyOf(variables, where)))
    if (!variables.count(name) && file.tensors.count(name))
      found.emplace_back(variable, &find(file, name, variable, path, where));
  return found;
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// Returns the values of the variables and their slots. Throws if a variable
/// has no value; skips slots without one.
static SavedTensors collect(const VariableValues &values,
                            const SavedObjects &objects, const Named &all) {
  SavedTensors content;
  for (const auto &[name, variable] : all)
    if (objects.variables.count(name) || values.has(variable))
      content.tensors[name] = values.get(variable);
  content.sampleCounter = values.sampleCounter();
  for (const auto &[name, iterator] : objects.iterators)
    content.iterators[name] =
        values.readingOf(*iterator).place(iterator->iterator->data);
  return content;
}

void dsl::saveByName(const VariableValues &values, const SavedObjects &objects,
                     const std::string &path, Place where) {
  BodyPtr body = bodyOf(objects.variables, where);
  SavedTensors content =
      collect(values, objects, withSlots(objects.variables, body));
  takeFile(writeTensors(path, body->name(), content), body, where);
}

void dsl::saveByObject(const VariableValues &values,
                       const SavedObjects &objects, const std::string &path,
                       Place where) {
  BodyPtr body = bodyOf(objects.variables, where);
  Named all = withSlots(objects.variables, body);
  SavedTensors content = collect(values, objects, all);
  for (const auto &[name, variable] : all)
    if (content.tensors.count(name))
      content.objects[name] = variable.name();
  takeFile(writeTensors(path, body->name(), content), body, where);
}

//===----------------------------------------------------------------------===//
// Restoring
//===----------------------------------------------------------------------===//

/// Reports a warning of the program.
static void warn(const BodyPtr &body, const std::string &message, Place where) {
  if (body->onWarning)
    body->onWarning({message, where.file_name(), where.line(), where.column()});
}

/// Reads a file with tensors by name. In an object-based file the names are
/// those of the variables; this gives a warning.
static SavedTensors readByName(const std::string &path, const BodyPtr &body,
                               Place where) {
  SavedTensors file = takeFile(readTensors(path), body, where);
  if (file.objects.empty())
    return file;
  warn(body,
       "restoring an object-based checkpoint using a name-based saver; this "
       "may be somewhat fragile, consider Checkpoint instead",
       where);
  SavedTensors named;
  named.sampleCounter = file.sampleCounter;
  named.iterators = file.iterators;
  for (const auto &[tensor, variable] : file.objects)
    if (file.tensors.count(tensor))
      named.tensors[variable] = file.tensors[tensor];
  return named;
}

/// Keeps the values of slots that do not exist yet.
static void keepForLater(VariableValues &values, const SavedTensors &file,
                         const Named &variables, const BodyPtr &body) {
  for (const auto &[key, tensor] : file.tensors) {
    if ((key == kStepVariable || key == kSeedVariable) &&
        !body->findVariable(key))
      values.keep(key, tensor);
    for (const auto &[name, variable] : variables) {
      if (!key.starts_with(name + "."))
        continue;
      std::string slot = variable.name() + key.substr(name.size());
      if (!body->findVariable(slot))
        values.keep(slot, tensor);
    }
  }
}

/// Returns the places of iterators in a file, with the ones that they replace.
/// Throws if one is missing or is a place in another data set.
static std::vector<std::pair<IteratorReading *, IteratorReading>>
matchIterators(const VariableValues &values, const SavedTensors &file,
               const SavedObjects &objects, const std::string &path,
               Place where) {
  std::vector<std::pair<IteratorReading *, IteratorReading>> found;
  for (const auto &[name, iterator] : objects.iterators) {
    auto place = file.iterators.find(name);
    if (place == file.iterators.end())
      raise("expected an iterator '" + name + "' in '" + path +
                "', found none" + suggestKey(name, file.iterators),
            iterator->program.body(), where);
    IteratorReading &now = values.readingOf(*iterator);
    found.emplace_back(&now,
                       IteratorReading::at(
                           place->second,
                           now.reader ? now.data : iterator->iterator->data,
                           "iterator '" + name + "' in '" + path + "'", where));
  }
  return found;
}

/// Sets the variables and iterators to the values in a file. Sets none if one
/// is missing.
static void restoreFrom(VariableValues &values, const SavedTensors &file,
                        const SavedObjects &objects, const std::string &path,
                        Place where) {
  const Named &variables = objects.variables;
  const auto matched = match(file, variables, path, where);
  for (auto &[into, place] : matchIterators(values, file, objects, path, where))
    *into = std::move(place);
  for (const auto &[variable, tensor] : matched)
    values.set(variable, *tensor);
  if (file.sampleCounter)
    values.setSampleCounter(*file.sampleCounter);
  keepForLater(values, file, variables, bodyOf(variables, where));
}

void dsl::restoreByName(VariableValues &values, const SavedObjects &objects,
                        const std::string &path, Place where) {
  SavedTensors file = readByName(path, bodyOf(objects.variables, where), where);
  restoreFrom(values, file, objects, path, where);
}

void dsl::restoreByObject(VariableValues &values, const SavedObjects &objects,
                          const std::string &path, Place where) {
  const Named &variables = objects.variables;
  BodyPtr body = bodyOf(variables, where);
  SavedTensors file = takeFile(readTensors(path), body, where);
  Named byName = variables;
  if (file.objects.empty()) {
    warn(body,
         "restoring a name-based checkpoint using an object-based one; "
         "variables get the values of their names",
         where);
    byName.clear();
    for (const auto &[key, variable] : variables)
      byName.emplace(variable.name(), variable);
  }
  restoreFrom(values, file, {byName, objects.iterators}, path, where);
}
