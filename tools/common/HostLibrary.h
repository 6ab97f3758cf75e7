/// A shared library with host functions that models call.
#ifndef TG_TOOLS_COMMON_HOSTLIBRARY_H
#define TG_TOOLS_COMMON_HOSTLIBRARY_H

#include "tg/abi.h"

#include <memory>
#include <optional>
#include <string>

namespace tg {

/// A loaded library that exports TG_HOST_SYMBOL. It is code, and trusted like
/// the program that loads it.
class HostLibrary {
public:
  /// Loads the library. Returns none and sets `error` if it cannot be loaded or
  /// its table is incomplete.
  static std::optional<HostLibrary> open(const std::string &path,
                                         std::string &error);

  /// Returns the table of functions, which is valid as long as this object.
  const tg_host_t &table() const { return *hostTable; }

private:
  struct Close {
    void operator()(void *handle) const;
  };
  explicit HostLibrary(void *handle) : handle(handle) {}
  std::string findTable();

  std::unique_ptr<void, Close> handle;
  const tg_host_t *hostTable = nullptr;
};

} // namespace tg

#endif // TG_TOOLS_COMMON_HOSTLIBRARY_H
