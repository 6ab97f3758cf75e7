//===- OutputFile.h - Writes files as a whole or not at all -----*- C++ -* ===//
//
// A file appears under its name only after all of it is on disk.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H
#define TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tg {

/// The treatment of the temporary file if a signal ends the process.
enum class OnSignal {
  Keep,   ///< kept; for libraries, which install no signal handlers
  Remove, ///< removed by LLVM's signal handlers; for tools
};

/// Writes `pieces`, one after the other, to the file `path` with the
/// permissions `mode` less the umask.
///
/// The bytes go to a new file in the same directory, which is synced and
/// atomically renamed to `path`. On an error the new file is removed and the
/// old content of `path` remains; only if the final sync of the directory fails
/// is `path` already replaced. A symbolic link at `path` is replaced, not
/// followed. Devices and pipes are written in place, and `-` is the standard
/// output. Directories and files without write permission are refused.
///
/// May run on any thread. The error says which operation failed and why.
llvm::Error writeFileAtomically(llvm::StringRef path,
                                llvm::ArrayRef<llvm::StringRef> pieces,
                                unsigned mode,
                                OnSignal onSignal = OnSignal::Keep);

/// The permissions of data files, less the umask.
inline constexpr unsigned kDataMode = 0666;

/// Returns true if two paths name the same file, which need not exist.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H
