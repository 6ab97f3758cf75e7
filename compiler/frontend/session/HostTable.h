//===- HostTable.h - the functions that a session gives its graph ---------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
#define TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H

#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "tg/abi.h"
#include "tg/graph/session.h"

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

/// Functions and prints of the host, as abi.h has them. Stays where it is.
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
  const tg_host_t *get() const { return &table; }

private:
  struct Entry {
    ArrayFunction function;
    bool isGraphs = false;
    tg_host_function_t row = {};
  };

  std::map<std::string, std::unique_ptr<Entry>> entries;
  std::vector<const tg_host_function_t *> rows;
  static void callPrint(void *user, const char *label,
                        const tg_tensor_t *value);

  size_t seen = 0;
  ArrayPrinter print;
  /// Devices print at once.
  std::mutex mutex;
  std::exception_ptr thrown;
  tg_host_t table = {};
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
