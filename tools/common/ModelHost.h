/// The functions that models call in tools, and the values that they print.
#ifndef TG_TOOLS_COMMON_MODELHOST_H
#define TG_TOOLS_COMMON_MODELHOST_H

#include "HostLibrary.h"
#include "tg/runtime.hpp"

#include <cstdio>
#include <deque>
#include <vector>

namespace tg {

/// Returns a host with the functions of libraries, which are added to
/// `libraries` and must outlive it. Values that a model prints go to stderr
/// unless a library handles them. Throws RuntimeError.
inline Host makeHost(const std::vector<std::string> &paths,
                     std::deque<HostLibrary> &libraries) {
  Host host;
  host.onPrint([](std::string_view label, const HostInput &value) {
    std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(label.size()),
                 label.data(), describe(value).c_str());
  });
  for (const std::string &path : paths) {
    std::string error;
    std::optional<HostLibrary> library = HostLibrary::open(path, error);
    if (!library)
      throw RuntimeError(TG_ERROR_LOAD, error);
    host.add(libraries.emplace_back(std::move(*library)).table());
  }
  return host;
}

} // namespace tg

#endif // TG_TOOLS_COMMON_MODELHOST_H
