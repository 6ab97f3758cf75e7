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

/// A directory that stores bytes by key. A lookup returns either exactly the
/// bytes that were stored under the key, or nothing, whatever the directory
/// contains. Files that a user other than this one and root could have written
/// are not read. Several threads and processes may use a directory at the same
/// time.
class KernelCache {
public:
  /// Creates a cache that stores nothing.
  KernelCache() = default;

  /// Opens the cache in a directory, which is created with mode 0700 if it does
  /// not exist. Fails if the path is not a directory and none can be created
  /// there. If other users may change the directory, returns a cache that
  /// stores nothing, and sets `rejection` to the reason. Otherwise sets
  /// `rejection` to "".
  static llvm::Expected<KernelCache> open(llvm::StringRef directory,
                                          std::string &rejection);

  /// Adds a read-only directory, such as one of an installation, that is
  /// searched for keys that the cache does not have. It is ignored if it is not
  /// a directory or if other users may change it.
  void addArchive(llvm::StringRef directory);

  /// Returns true if the cache has a directory.
  explicit operator bool() const { return bool(descriptor); }

  /// Returns the bytes that the cache or the archive has for a key, which is a
  /// file name. If the directory has a file of that name that other users may
  /// change, or that is no regular file, sets `rejection` (if not null) to the
  /// reason.
  std::optional<std::string> find(llvm::StringRef key,
                                  std::string *rejection = nullptr) const;

  /// Stores bytes under a key in a file of mode 0600, replacing a previous
  /// entry.
  std::error_code store(llvm::StringRef key, llvm::StringRef bytes) const;

  /// Removes entries that find() has not returned for a long time, and the
  /// oldest ones if the cache is too large. Does nothing if the last pruning
  /// was recent. Removes only files that a cache wrote.
  void prune() const;

private:
  /// The path without symbolic links. Only this user and root can change the
  /// directory that it refers to.
  std::string directory;
  std::shared_ptr<const Descriptor> descriptor, archive;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_KERNELCACHE_H
