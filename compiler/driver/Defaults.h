//===- Defaults.h - what this machine and its user make of options --------===//
#ifndef TG_COMPILER_DRIVER_DEFAULTS_H
#define TG_COMPILER_DRIVER_DEFAULTS_H

#include <optional>
#include <string>

namespace tg {

/// Returns the highest x86-64 level that this CPU runs: 2, 3 or 4.
int nativeLevel();

/// Returns the directory that keeps the code of kernels where no option names
/// one: that of the variable TG_KERNEL_CACHE, where it is set, "" for none;
/// else tg in $XDG_CACHE_HOME or in ~/.cache, which is made if need be, ""
/// where nothing can be written there.
std::string defaultKernelCache();

/// Returns the directory that an installation or a build tree has with the code
/// of kernels of common networks, tg/kernels of its data, by the place of this
/// compiler's library or program. Returns "" where there is none, and where
/// `kernelCache`, an option if there is one, else the variable TG_KERNEL_CACHE,
/// is "": then all kernels are compiled.
std::string defaultKernelArchive(const std::optional<std::string> &kernelCache);

} // namespace tg

#endif // TG_COMPILER_DRIVER_DEFAULTS_H
