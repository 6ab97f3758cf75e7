//===- Saver.cpp - variables in files -------------------------------------===//
#include "tg/graph/saver.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/SavedVariables.h"

using namespace tg;
using namespace tg::dsl;

namespace {
/// The values of an eager program.
class EagerValues : public VariableValues {
public:
  /// Throws if the program has a graph, which holds no values.
  EagerValues(const Named &variables, const char *what, Place where)
      : body(bodyOf(variables, where)), where(where) {
    if (!body->isEager())
      raise(std::string("expected a session or eager mode to ") + what +
                " variables, which have no values in a graph, found neither",
            body, where);
  }

  bool has(const Variable &) const override { return true; }
  SavedTensor get(const Variable &variable) const override {
    std::span<const char> bytes = *body->bytesOf(variable.id());
    return {variable.type(), {bytes.begin(), bytes.end()}};
  }
  void set(const Variable &variable, const SavedTensor &value) override {
    Tensor made(body, take(body->fromBytes(value.type, value.bytes, where)));
    take(body->assign(variable.name(), made.id(), where));
  }
  void keep(const std::string &slot, const SavedTensor &value) override {
    body->restored[slot] = value;
  }
  IteratorReading &readingOf(IteratorState &iterator) const override {
    return iterator.reading;
  }

private:
  BodyPtr body;
  Place where;
};
} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

BaseSaver::BaseSaver(std::map<std::string, Variable> named, Names names,
                     std::source_location where)
    : variables(std::move(named)), names(names) {
  if (variables.empty())
    throw GraphError("expected at least one variable to save, found none",
                     where);
  bodyOf(variables, where);
}

BaseSaver &BaseSaver::add(const std::string &name, const Iterator &iterator,
                          std::source_location where) {
  const BodyPtr &body = variables.begin()->second.body();
  if (iterator.state->program.body() != body)
    raise("expected an iterator of the program of the variables, found one of "
          "'" +
              iterator.state->program.body()->name() + "'",
          body, where);
  if (iterator.state->iterator->handle)
    raise("expected an iterator with a dataset of its own to save, found one "
          "that follows handles",
          body, where);
  if (!iterators.emplace(name, iterator.state).second)
    raise("expected iterators with different names to save, found two with "
          "the name '" +
              name + "'",
          body, where);
  return *this;
}

void BaseSaver::save(const std::string &path,
                     std::source_location where) const {
  auto *saveThem = names == Names::ofObjects ? saveByObject : saveByName;
  saveThem(EagerValues(variables, "save", where), {variables, iterators}, path,
           where);
}

void BaseSaver::restore(const std::string &path,
                        std::source_location where) const {
  auto *restoreThem =
      names == Names::ofObjects ? restoreByObject : restoreByName;
  EagerValues values(variables, "restore", where);
  restoreThem(values, {variables, iterators}, path, where);
}

//===----------------------------------------------------------------------===//
// Selection of variables
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

Saver::Saver(std::initializer_list<Variable> list, std::source_location where)
    : Saver(std::vector<Variable>(list), where) {}

Saver::Saver(std::map<std::string, Variable> named, std::source_location where)
    : BaseSaver(std::move(named), Names::ofVariables, where) {}

/// Returns the variables of a graph. Throws for an eager program, which has no
/// complete list.
static std::vector<Variable> listOf(const Program &program, Place where) {
  if (program.isEager())
    throw GraphError("expected a variable, or a list or map of variables, to "
                     "save in eager execution, found a program",
                     where);
  return program.variables();
}

Saver::Saver(const Program &program, std::source_location where)
    : Saver(listOf(program, where), where) {}

static Named
byObject(const std::map<std::string, std::vector<Variable>> &objects) {
  Named named;
  for (const auto &[name, list] : objects)
    for (size_t i = 0; i < list.size(); ++i)
      named.emplace(name + "/" + std::to_string(i), list[i]);
  return named;
}

Checkpoint::Checkpoint(std::map<std::string, std::vector<Variable>> objects,
                       std::source_location where)
    : BaseSaver(byObject(objects), Names::ofObjects, where) {}
