//===- SessionHost.h - the host functions of a session --------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_SESSIONHOST_H
#define TG_COMPILER_FRONTEND_SESSION_SESSIONHOST_H

#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "tg/graph/session.h"
#include "tg/runtime.h"

#include <exception>
#include <map>
#include <memory>
#include <mutex>

namespace tg::session {

/// The host functions and the print handler of a session, for its contexts. The
/// contexts refer to the table, so it cannot be copied.
class SessionHost {
public:
  SessionHost();
  SessionHost(const SessionHost &) = delete;

  /// Adds a function, or replaces the function of this name. A function that
  /// was registered with the graph (`isFromGraph`) does not replace one that
  /// was registered with the session.
  void add(const std::string &name, ArrayFunction function,
           bool isFromGraph = false);
  /// Adds the functions that were registered with the graph since the last
  /// call.
  void addFunctionsOf(const dsl::HostFunctions &host);
  void setPrint(ArrayPrinter handler) { print = std::move(handler); }
  /// Throws the first exception of a print since the last call. An exception
  /// other than a GraphError becomes a GraphError at `where`.
  void rethrowPrint(dsl::Place where);
  /// Discards the exception of a print in a run that failed.
  void forgetPrint() { thrown = nullptr; }
  /// Returns the number of names.
  size_t size() const { return rows.size(); }
  /// Registers the functions with index >= `first` in `context`. Throws
  /// std::runtime_error if memory is exhausted.
  void registerWith(tg_context_t *context, size_t first) const;
  /// Makes `context` call the print handler of the session.
  void setPrintHandlerOf(tg_context_t *context);

private:
  struct Entry {
    ArrayFunction function;
    bool isFromGraph = false;
  };

  std::map<std::string, Entry> entries;
  /// The entries in order of registration. Elements of a map do not move.
  std::vector<std::pair<const std::string, Entry> *> rows;
  static void callPrint(void *user, const char *label,
                        const tg_tensor_t *value);

  /// The value of HostFunctions::changes at the last addFunctionsOf().
  size_t addedChanges = 0;
  ArrayPrinter print;
  /// Guards `thrown`, because devices print concurrently.
  std::mutex mutex;
  /// The first exception of a print.
  std::exception_ptr thrown;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_SESSIONHOST_H
