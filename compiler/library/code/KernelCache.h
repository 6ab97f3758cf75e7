//===- KernelCache.h - machine code of kernels on disk --------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_KERNELCACHE_H
#define TG_COMPILER_LIBRARY_CODE_KERNELCACHE_H

#include "compiler/library/link/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace tg {

/// A directory that keeps bytes by keys. Whatever lies there: what is found is
/// what was kept under that key, whole, or nothing is found. What others than
/// this user and root could have written is not read. Several threads and
/// processes may use a directory at once.
class KernelCache {
public:
  /// Keeps nothing.
  KernelCache() = default;

  /// Opens the cache in a directory, which is made with mode 0700 if need be.
  /// Fails where it is no directory and cannot become one. The cache of a
  /// directory that others may change keeps nothing, and `rejection` becomes
  /// the reason; else "".
  static llvm::Expected<KernelCache> open(llvm::StringRef directory,
                                          std::string &rejection);

  /// Reads what is not found from an archive, too: a directory that an
  /// installation brings, which is never written. It is left out where it is no
  /// directory, or where others may change it.
  void addArchive(llvm::StringRef directory);

  /// Returns true if it is a directory's.
  explicit operator bool() const { return bool(descriptor); }

  /// Returns the bytes that were kept under a key, a name of a file, or that
  /// the archive has. `rejection`, if any, becomes the reason if the directory
  /// has a file that others may change, or that is no regular file.
  std::optional<std::string> find(llvm::StringRef key,
                                  std::string *rejection = nullptr) const;

  /// Keeps bytes under a key, in place of those that lie there, in a file of
  /// mode 0600.
  std::error_code keep(llvm::StringRef key, llvm::StringRef bytes) const;

  /// Removes what nobody found for long, and the oldest of too much: at most
  /// once in a while, and nothing but what caches keep.
  void prune() const;

private:
  /// The path without symbolic links. Only this user and root can change what
  /// it means.
  std::string directory;
  std::shared_ptr<const Descriptor> descriptor, archive;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_KERNELCACHE_H
