/// The host services of a context for its runs: functions by name, and prints.
#ifndef TG_RUNTIME_CORE_HOSTSERVICES_H
#define TG_RUNTIME_CORE_HOSTSERVICES_H

#include "tg/runtime.h"

#include <list>
#include <string>
#include <vector>

namespace tg {

/// The host functions that were registered with a context, in the form that a
/// run needs.
class HostTable {
public:
  /// See tg_context_register_host. Throws std::bad_alloc, and then changes
  /// nothing.
  void add(const char *name, tg_host_fn *call, void *user);
  void setPrint(tg_print_fn *print, void *user);

  /// Returns the table for one run. Without a handler, prints go to the
  /// module's log.
  tg_host_t make(const tg_module_t &module) const;

private:
  struct Entry {
    std::string name;
    tg_host_function_t function;
  };
  std::list<Entry> entries; // a list, so that entries do not move
  std::vector<const tg_host_function_t *> functions;
  tg_print_fn *print = nullptr;
  void *user = nullptr;
};

} // namespace tg

#endif // TG_RUNTIME_CORE_HOSTSERVICES_H
