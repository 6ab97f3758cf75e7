/// The services of a context for a run beside memory: functions by name,
/// prints.
#ifndef TG_RUNTIME_CORE_HOSTSERVICES_H
#define TG_RUNTIME_CORE_HOSTSERVICES_H

#include "tg/runtime.h"

#include <list>
#include <string>
#include <vector>

namespace tg {

/// The functions that were registered with a context, as a run wants them.
class HostTable {
public:
  /// See tg_context_register_host; throws std::bad_alloc and changes nothing
  /// then.
  void add(const char *name, tg_host_fn *call, void *user);
  void setPrint(tg_print_fn *print, void *user);

  /// The table for one run. Prints without a place go to the module's log.
  tg_host_t make(const tg_module_t &module) const;

private:
  struct Entry {
    std::string name;
    tg_host_function_t function;
  };
  std::list<Entry> entries; // which do not move
  std::vector<const tg_host_function_t *> functions;
  tg_print_fn *print = nullptr;
  void *user = nullptr;
};

} // namespace tg

#endif // TG_RUNTIME_CORE_HOSTSERVICES_H
