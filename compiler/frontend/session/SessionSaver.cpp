//===- SessionSaver.cpp - the variables of a session in files -------------===//
#include "compiler/frontend/dsl/SavedVariables.h"
#include "tg/saver.h"
#include "tg/session.h"

#include <cstring>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The values in a session.
class SessionValues : public VariableValues {
public:
  /// To be saved.
  SessionValues(const Session &session, Place where)
      : session(session), where(where) {}
  /// To be restored.
  SessionValues(Session &session, Place where)
      : session(session), changed(&session), where(where) {}

  bool has(const Variable &variable) const override {
    return session.isInitialized(variable);
  }
  SavedTensor get(const Variable &variable) const override {
    Array value = session.value(variable, where);
    const char *bytes = static_cast<const char *>(value.data());
    return {variable.type(), {bytes, bytes + value.byteCount()}};
  }
  void set(const Variable &variable, const SavedTensor &saved) override {
    std::vector<int64_t> shape;
    for (const Extent &extent : saved.type.shape)
      shape.push_back(extent.value);
    Array value(saved.type.dtype, std::move(shape));
    if (value.byteCount())
      std::memcpy(value.data(), saved.bytes.data(), value.byteCount());
    changed->setValue(variable, value, where);
  }

private:
  const Session &session;
  Session *changed = nullptr;
  Place where;
};
} // namespace

void Saver::save(const Session &session, const std::string &path,
                 std::source_location where) const {
  saveByName(SessionValues(session, where), variables, path, where);
}

void Saver::restore(Session &session, const std::string &path,
                    std::source_location where) const {
  SessionValues values(session, where);
  restoreByName(values, variables, path, where);
}

void Checkpoint::save(const Session &session, const std::string &path,
                      std::source_location where) const {
  saveByObject(SessionValues(session, where), variables, path, where);
}

void Checkpoint::restore(Session &session, const std::string &path,
                         std::source_location where) const {
  SessionValues values(session, where);
  restoreByObject(values, variables, path, where);
}
