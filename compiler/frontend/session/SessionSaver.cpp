//===- SessionSaver.cpp - the variables of a session in files -------------===//
#include "compiler/frontend/graph/SavedVariables.h"
#include "compiler/frontend/session/SessionState.h"
#include "tg/graph/saver.h"

#include <cstring>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The values of variables in a session.
class SessionValues : public VariableValues {
public:
  using Readings = std::map<const GraphIterator *, IteratorReading>;

  /// Reads values to save them.
  SessionValues(const Session &session, Readings &readings, Place where)
      : session(session), readings(readings), where(where) {}
  /// Changes values to restore them.
  SessionValues(Session &session, Readings &readings, Place where)
      : session(session), writable(&session), readings(readings), where(where) {
  }

  bool has(const Variable &variable) const override {
    return isSeed(variable) || session.isInitialized(variable);
  }
  SavedTensor get(const Variable &variable) const override {
    if (isSeed(variable)) {
      SavedTensor seed{variable.type(), std::vector<char>(sizeof(int64_t))};
      int64_t value = session.draws().seed;
      std::memcpy(seed.bytes.data(), &value, sizeof(value));
      return seed;
    }
    Array value = session.value(variable, where);
    const char *bytes = static_cast<const char *>(value.data());
    return {variable.type(), {bytes, bytes + value.byteCount()}};
  }
  void set(const Variable &variable, const SavedTensor &saved) override {
    if (isSeed(variable)) {
      SampleState state = session.draws();
      std::memcpy(&state.seed, saved.bytes.data(), sizeof(state.seed));
      return writable->setSamples(state);
    }
    std::vector<int64_t> shape;
    for (const Extent &extent : saved.type.shape)
      shape.push_back(extent.value);
    Array value(saved.type.dtype, std::move(shape));
    if (value.byteCount())
      std::memcpy(value.data(), saved.bytes.data(), value.byteCount());
    writable->setValue(variable, value, where);
  }
  std::optional<int64_t> sampleCounter() const override {
    return session.draws().runs;
  }
  void setSampleCounter(int64_t count) override {
    writable->setSamples({session.draws().seed, count});
  }

  IteratorReading &readingOf(IteratorState &iterator) const override {
    return readings[iterator.iterator.get()];
  }

private:
  /// Returns true for the variable that holds the seed of random samples. The
  /// session stores the seed itself, so get() and set() access the session's
  /// seed instead of the variable.
  static bool isSeed(const Variable &variable) {
    return variable.body()->findVariable(variable.name())->spec.role ==
           "random";
  }

  const Session &session;
  Session *writable = nullptr;
  Readings &readings;
  Place where;
};
} // namespace

void BaseSaver::save(const Session &session, const std::string &path,
                     std::source_location where) const {
  auto *saveThem = names == Names::ofObjects ? saveByObject : saveByName;
  saveThem(SessionValues(session, session.state->readings, where),
           {variables, iterators}, path, where);
}

void BaseSaver::restore(Session &session, const std::string &path,
                        std::source_location where) const {
  auto *restoreThem =
      names == Names::ofObjects ? restoreByObject : restoreByName;
  session.state->expectIdle("restore()", where);
  SessionValues values(session, session.state->readings, where);
  restoreThem(values, {variables, iterators}, path, where);
}
