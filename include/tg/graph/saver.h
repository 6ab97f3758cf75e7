/// Variables in files: safetensors by the names of variables, which compiled
/// libraries (Context::load), sessions and eager programs read. A name is the
/// variable's in every mode.
#ifndef TG_GRAPH_SAVER_H
#define TG_GRAPH_SAVER_H

#include "program.h"

#include <map>

namespace tg {

class Session;

/// The base class of savers.
class BaseSaver {
public:
  /// Writes the file aside and renames it. A variable without value in the
  /// session is an error, a slot without one is left out.
  void save(const std::string &path,
            std::source_location where = std::source_location::current()) const;
  void save(const Session &session, const std::string &path,
            std::source_location where = std::source_location::current()) const;
  /// Gives the variables the values of the file, or, where one is missing in
  /// it or of another type or shape, throws GraphError and changes none. Slots
  /// that are not there yet get theirs when an optimizer makes them; in a
  /// session, those of the graph. A file of the other kind of saver is read,
  /// with a warning, by the names that its variables had or have.
  void
  restore(const std::string &path,
          std::source_location where = std::source_location::current()) const;
  void
  restore(Session &session, const std::string &path,
          std::source_location where = std::source_location::current()) const;

protected:
  /// The names in a file: those of variables, or of objects.
  enum class Names { ofVariables, ofObjects };

  /// `variables` are by the names of the file.
  BaseSaver(std::map<std::string, Variable> variables, Names names,
            std::source_location where);

private:
  std::map<std::string, Variable> variables;
  Names names;
};

/// Saves and restores variables by name: in eager mode the program's, else the
/// values in a session. Beside each go what optimizers and averages keep for it
/// (`<name>.adam_m`), the count of steps and what random draws follow from, so
/// that training goes on as if it had not been interrupted: a session that
/// restores draws what the one that saved would have drawn next. Files without
/// these leave them as they are; Session::setDraws begins others.
class Saver : public BaseSaver {
public:
  /// One variable, several, or several under other names.
  Saver(const Variable &variable,
        std::source_location where = std::source_location::current());
  Saver(const std::vector<Variable> &variables,
        std::source_location where = std::source_location::current());
  Saver(std::initializer_list<Variable> list,
        std::source_location where = std::source_location::current());
  Saver(std::map<std::string, Variable> variables,
        std::source_location where = std::source_location::current());
  /// All variables of a graph. An error in eager mode, where the variables must
  /// be listed.
  explicit Saver(const Program &program,
                 std::source_location where = std::source_location::current());
};

/// Saves and restores objects: lists of variables under names of one's own,
/// whatever the variables are called. In the file they are numbered: model/0.
///
///   Checkpoint({{"model", model.variables()}}).save("model.safetensors");
class Checkpoint : public BaseSaver {
public:
  Checkpoint(std::map<std::string, std::vector<Variable>> objects,
             std::source_location where = std::source_location::current());
};

} // namespace tg

#endif // TG_GRAPH_SAVER_H
