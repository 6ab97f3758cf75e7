//===- Defaults.h - the default directories of compiled kernels -----------===//
#ifndef TG_COMPILER_DRIVER_DEFAULTS_H
#define TG_COMPILER_DRIVER_DEFAULTS_H

#include <optional>
#include <string>

namespace tg {

/// Returns the directory of the kernel cache if no option names one. If the
/// environment variable TG_KERNEL_CACHE is set, it is the directory, or
/// disables the cache if it is "". Otherwise it is tg in $XDG_CACHE_HOME or in
/// ~/.cache, which is created if it does not exist. Returns "" if there is no
/// cache or its directory is not writable.
std::string defaultKernelCache();

/// Returns the directory with compiled kernels of common networks that an
/// installation or a build tree contains: share/tg/kernels, relative to this
/// compiler's library or program. Returns "" if there is none. Also returns ""
/// if the kernel cache is disabled, because then all kernels are compiled: if
/// `kernelCache` is "", or if it is not set and the environment variable
/// TG_KERNEL_CACHE is "".
std::string defaultKernelArchive(const std::optional<std::string> &kernelCache);

} // namespace tg

#endif // TG_COMPILER_DRIVER_DEFAULTS_H
