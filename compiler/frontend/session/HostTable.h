//===- HostTable.h - the functions that a session gives its graph ---------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
#define TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H

#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "tg/graph/session.h"
#include "tg/runtime.h"

#include <exception>
#include <map>
#include <memory>
#include <mutex>

namespace tg::session {

/// The front's element type of one of abi.h; throws std::runtime_error where
/// the front has none.
DType dtypeOf(tg_dtype_t dtype);
/// The element type of abi.h of one of the front.
tg_dtype_t dtypeOf(DType dtype);

/// Host functions and the print handler, for contexts. Stays where it is.
class HostTable {
public:
  HostTable();
  HostTable(const HostTable &) = delete;

  /// Gives a function a name, or another function the name; a function of the
  /// graph's not that of a session's own.
  void add(const std::string &name, ArrayFunction function,
           bool isGraphs = false);
  /// Adds what was registered with the graph since it was last asked.
  void addThoseOf(const dsl::HostFunctions &host);
  void setPrint(ArrayPrinter handler) { print = std::move(handler); }
  /// Throws what a print threw since it was last asked, first of all: a
  /// GraphError, of others one at `where`.
  void rethrowPrint(dsl::Place where);
  /// Forgets what prints threw, in a run that failed.
  void forgetPrint() { thrown = nullptr; }
  /// Returns the number of names.
  size_t size() const { return rows.size(); }
  /// Registers the functions from number `first` on with a context. Throws
  /// std::runtime_error if there is no memory for them.
  void registerWith(tg_context_t *context, size_t first) const;
  /// Makes a context print by the handler.
  void printFrom(tg_context_t *context);

private:
  struct Entry {
    ArrayFunction function;
    bool isGraphs = false;
  };

  // Elements of a map do not move.
  std::map<std::string, Entry> entries;
  std::vector<std::pair<const std::string, Entry> *> rows;
  static void callPrint(void *user, const char *label,
                        const tg_tensor_t *value);

  size_t seen = 0;
  ArrayPrinter print;
  /// Devices print at once.
  std::mutex mutex;
  std::exception_ptr thrown;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
