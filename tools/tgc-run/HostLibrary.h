/// A shared library with functions that models call.
#ifndef TG_TOOLS_TGCRUN_HOSTLIBRARY_H
#define TG_TOOLS_TGCRUN_HOSTLIBRARY_H

#include "tg/runtime.hpp"

#include <memory>
#include <string>

namespace tg {

/// Loads the library that exports TG_HOST_SYMBOL and keeps it loaded. It is
/// code, and trusted as the program that asks for it.
class HostLibrary {
public:
  /// Throws RuntimeError: TG_ERROR_LOAD, TG_ERROR_ABI, TG_ERROR_STRUCT.
  explicit HostLibrary(const std::string &path);

  /// Lives as long as this object.
  const tg_host_t &table() const { return *made; }

private:
  struct Close {
    void operator()(void *handle) const;
  };
  std::unique_ptr<void, Close> handle;
  const tg_host_t *made = nullptr;
};

} // namespace tg

#endif // TG_TOOLS_TGCRUN_HOSTLIBRARY_H
