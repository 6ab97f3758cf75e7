//===- KernelCache.h - machine code of kernels on disk --------------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_KERNELCACHE_H
#define TG_COMPILER_CODEGEN_LIBRARY_KERNELCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace tg {

/// A directory that keeps bytes by keys. Whatever lies there: what is found is
/// what was kept under that key, whole, or nothing is found. Several threads
/// and processes may use a directory at once.
class KernelCache {
public:
  /// Keeps nothing.
  KernelCache() = default;

  /// The cache in a directory, which is made if need be, for its owner alone.
  /// Fails where it is no directory and cannot become one.
  static llvm::Expected<KernelCache> open(llvm::StringRef directory);

  /// Whether it is a directory's.
  explicit operator bool() const { return !directory.empty(); }

  /// The bytes that were kept under a key, a name of a file.
  std::optional<std::string> find(llvm::StringRef key) const;

  /// Keeps bytes under a key, in place of those that lie there.
  std::error_code keep(llvm::StringRef key, llvm::StringRef bytes) const;

  /// Removes what nobody found for long, and the oldest of too much: at most
  /// once in a while, and nothing but what caches keep.
  void prune() const;

private:
  std::string pathOf(llvm::StringRef key) const;

  std::string directory;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_KERNELCACHE_H
