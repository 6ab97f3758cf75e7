/// A shared library with functions that models call.
#ifndef TG_TOOLS_COMMON_HOSTLIBRARY_H
#define TG_TOOLS_COMMON_HOSTLIBRARY_H

#include "tg/abi.h"

#include <memory>
#include <optional>
#include <string>

namespace tg {

/// Loads the library that exports TG_HOST_SYMBOL and keeps it loaded. It is
/// code, and trusted as the program that asks for it.
class HostLibrary {
public:
  /// None where it cannot be loaded or its table is not whole: `error` says
  /// what is wrong.
  static std::optional<HostLibrary> open(const std::string &path,
                                         std::string &error);

  /// Lives as long as this object.
  const tg_host_t &table() const { return *made; }

private:
  struct Close {
    void operator()(void *handle) const;
  };
  explicit HostLibrary(void *handle) : handle(handle) {}
  std::string findTable();

  std::unique_ptr<void, Close> handle;
  const tg_host_t *made = nullptr;
};

} // namespace tg

#endif // TG_TOOLS_COMMON_HOSTLIBRARY_H
