/// Variables in safetensors files by name, which compiled libraries
/// (Context::load), sessions and eager programs read. A variable has the same
/// name in every mode.
#ifndef TG_GRAPH_SAVER_H
#define TG_GRAPH_SAVER_H

#include "program.h"

#include <map>

namespace tg {

class Iterator;
class Session;

namespace dsl {
struct IteratorState;
} // namespace dsl

/// The common part of all savers.
class BaseSaver {
public:
  /// Adds an iterator with a dataset. Its place is saved and restored, too, so
  /// that it continues with the element after the last one that it gave,
  /// whatever is shuffled, mapped or read ahead. `name` is its name in files,
  /// which is independent of the names of variables. If the iterator has begun
  /// a pass over a dataset that differs from that of the file, restore() throws
  /// GraphError and changes nothing.
  ///
  ///   Saver saver(program);
  ///   saver.add("batches", iterator).save(session, "net.safetensors");
  BaseSaver &add(const std::string &name, const Iterator &iterator,
                 std::source_location where = std::source_location::current());

  /// Writes a temporary file and renames it to `path`. A variable without a
  /// value in the session is an error; a slot without a value is omitted.
  void save(const std::string &path,
            std::source_location where = std::source_location::current()) const;
  void save(const Session &session, const std::string &path,
            std::source_location where = std::source_location::current()) const;
  /// Restores the variables from the file. If one is missing in the file or has
  /// another type or shape, throws GraphError and changes nothing. Slots that
  /// do not exist yet are restored when an optimizer creates them; a session
  /// restores the slots of its graph. A file of the other kind of saver is
  /// accepted with a warning, and read by the names that its variables had or
  /// have.
  void
  restore(const std::string &path,
          std::source_location where = std::source_location::current()) const;
  void
  restore(Session &session, const std::string &path,
          std::source_location where = std::source_location::current()) const;

protected:
  /// The meaning of names in a file: names of variables, or of objects.
  enum class Names { ofVariables, ofObjects };

  /// `variables` maps the names in the file to variables.
  BaseSaver(std::map<std::string, Variable> variables, Names names,
            std::source_location where);

private:
  std::map<std::string, Variable> variables;
  std::map<std::string, std::shared_ptr<dsl::IteratorState>> iterators;
  Names names;
};

/// Saves and restores variables by name: in eager mode the program's variables,
/// otherwise their values in a session. The file also has the state of
/// optimizers and averages for each variable (`<name>.adam_m`), the step count
/// and the state of random sampling, so that training continues as if it had
/// not been interrupted. A session that restores generates the random samples
/// that the saving session would have generated next. A file without these
/// leaves them unchanged; Session::setSamples sets the random state.
class Saver : public BaseSaver {
public:
  /// Saves one variable, several, or several under other names.
  Saver(const Variable &variable,
        std::source_location where = std::source_location::current());
  Saver(const std::vector<Variable> &variables,
        std::source_location where = std::source_location::current());
  Saver(std::initializer_list<Variable> list,
        std::source_location where = std::source_location::current());
  Saver(std::map<std::string, Variable> variables,
        std::source_location where = std::source_location::current());
  /// Saves all variables of a graph. Throws in eager mode, in which the
  /// variables must be listed.
  explicit Saver(const Program &program,
                 std::source_location where = std::source_location::current());
};

/// Saves and restores objects: lists of variables under user-defined names,
/// independent of the names of the variables. The file numbers the variables of
/// an object: model/0.
///
///   Checkpoint({{"model", model.variables()}}).save("model.safetensors");
class Checkpoint : public BaseSaver {
public:
  Checkpoint(std::map<std::string, std::vector<Variable>> objects,
             std::source_location where = std::source_location::current());
};

} // namespace tg

#endif // TG_GRAPH_SAVER_H
