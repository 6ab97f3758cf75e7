//===- HostTable.h - the functions that a session gives its graph ---------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
#define TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H

#include "tg/abi.h"
#include "tg/session.h"

#include <map>
#include <memory>

namespace tg::session {

/// The front's element type of one of abi.h; throws std::runtime_error where
/// the front has none.
DType dtypeOf(tg_dtype_t dtype);

/// Functions and prints of the host, as abi.h has them. Stays where it is.
class HostTable {
public:
  HostTable();
  HostTable(const HostTable &) = delete;

  /// Gives a function a name, or another function the name.
  void add(const std::string &name, ArrayFunction function);
  void setPrint(ArrayPrinter handler) { print = std::move(handler); }
  const tg_host_t *get() const { return &table; }

private:
  struct Entry {
    ArrayFunction function;
    tg_host_function_t row = {};
  };

  std::map<std::string, std::unique_ptr<Entry>> entries;
  std::vector<const tg_host_function_t *> rows;
  ArrayPrinter print;
  tg_host_t table = {};
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_HOSTTABLE_H
