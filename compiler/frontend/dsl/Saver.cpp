//===- Saver.cpp - variables in files -------------------------------------===//
#include "tg/saver.h"
#include "compiler/frontend/dsl/Build.h"
#include "compiler/frontend/dsl/SavedVariables.h"
#include "tg/eager.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

static SavedTensor valueOf(const Variable &variable) {
  std::span<const char> bytes = *variable.body()->bytesOf(variable.id());
  return {variable.type(), {bytes.begin(), bytes.end()}};
}

static void expectEager(const Bodies &body, const char *what, Place where) {
  if (!body->isEager())
    raise(std::string("expected eager mode to ") + what +
              " variables without a session or a context, which have the "
              "values of graphs",
          body, where);
}

/// Keeps what a file has of slots that are not there yet.
static void keepForLater(const SavedTensors &file, const Named &variables,
                         const Bodies &body) {
  for (const auto &[key, tensor] : file.tensors) {
    if (key == "step" && !body->findVariable(key))
      body->restored[key] = tensor;
    for (const auto &[name, variable] : variables) {
      if (!key.starts_with(name + "."))
        continue;
      std::string slot = variable.name() + key.substr(name.size());
      if (!body->findVariable(slot))
        body->restored[slot] = tensor;
    }
  }
}

/// Gives the variables what the file has; all or none.
static void restoreFrom(const SavedTensors &file, const Named &variables,
                        const std::string &path, Place where) {
  Bodies body = bodyOf(variables, where);
  for (const auto &[variable, tensor] : match(file, variables, path, where)) {
    Tensor value(body,
                 take(body->fromBytes(tensor->type, tensor->bytes, where)));
    take(body->assign(variable.name(), value.id(), where));
  }
  keepForLater(file, variables, body);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

Saver::Saver(const Variable &variable, std::source_location where)
    : Saver(std::vector<Variable>{variable}, where) {}

static Named byName(const std::vector<Variable> &variables) {
  Named named;
  for (const Variable &variable : variables)
    named.emplace(variable.name(), variable);
  return named;
}

Saver::Saver(const std::vector<Variable> &list, std::source_location where)
    : Saver(byName(list), where) {}

Saver::Saver(std::map<std::string, Variable> named, std::source_location where)
    : variables(std::move(named)) {
  if (variables.empty())
    throw GraphError("expected at least one variable to save, found none",
                     where);
  bodyOf(variables, where);
}

/// The variables of a graph; eager programs do not say which are meant.
static std::vector<Variable> listOf(const Program &program, Place where) {
  if (program.isEager())
    throw GraphError("When eager execution is enabled, `var_list` must specify "
                     "a list or dict of variables to save",
                     where);
  return program.variables();
}

Saver::Saver(const Program &program, std::source_location where)
    : Saver(listOf(program, where), where) {}

void Saver::save(const std::string &path, std::source_location where) const {
  Bodies body = bodyOf(variables, where);
  expectEager(body, "save", where);
  SavedTensors content;
  for (const auto &[name, variable] : withSlots(variables, body))
    content.tensors[name] = valueOf(variable);
  takeFile(writeTensors(path, body->name(), content), body, where);
}

void Saver::restore(const std::string &path, std::source_location where) const {
  Bodies body = bodyOf(variables, where);
  expectEager(body, "restore", where);
  SavedTensors file = readByName(path, body, where);
  restoreFrom(file, variables, path, where);
}

//===----------------------------------------------------------------------===//
// By object
//===----------------------------------------------------------------------===//

Checkpoint::Checkpoint(std::map<std::string, std::vector<Variable>> objects,
                       std::source_location where) {
  for (const auto &[name, list] : objects)
    for (size_t i = 0; i < list.size(); ++i)
      variables.emplace(name + "/" + std::to_string(i), list[i]);
  if (variables.empty())
    throw GraphError("expected at least one variable to save, found none",
                     where);
  bodyOf(variables, where);
}

void Checkpoint::save(const std::string &path,
                      std::source_location where) const {
  Bodies body = bodyOf(variables, where);
  expectEager(body, "save", where);
  SavedTensors content;
  for (const auto &[name, variable] : withSlots(variables, body)) {
    content.tensors[name] = valueOf(variable);
    content.objects[name] = variable.name();
  }
  takeFile(writeTensors(path, body->name(), content), body, where);
}

void Checkpoint::restore(const std::string &path,
                         std::source_location where) const {
  Bodies body = bodyOf(variables, where);
  expectEager(body, "restore", where);
  SavedTensors file = takeFile(readTensors(path), body, where);
  Named wanted = variables;
  if (file.objects.empty()) {
    tell(body,
         "restoring a name-based checkpoint using an object-based one; "
         "variables get the values of their names",
         where);
    wanted.clear();
    for (const auto &[key, variable] : variables)
      wanted.emplace(variable.name(), variable);
  }
  restoreFrom(file, wanted, path, where);
}
