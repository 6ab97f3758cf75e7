//===- OutputFile.h - Writes files as a whole or not at all -----*- C++ -*-===//
//
// Output appears under its name only when all of it is on disk.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H
#define TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tg {

/// The treatment of the unfinished file when a signal ends the process.
enum class OnSignal {
  Keep,   ///< it stays; for use inside a library, which sets no handlers
  Remove, ///< it is removed by LLVM's signal handlers; for tools
};

/// Writes `pieces`, one after the other, to the file `path`, whose permissions
/// are `mode` less the umask.
///
/// The bytes go to a new file in the same directory, are synced, and take the
/// name `path` in one step; on an error that file is removed and whatever was
/// at `path` stays as it was. A symbolic link at `path` is replaced, not
/// followed. Devices and pipes are written in place, and `-` is the standard
/// output. Directories and files without write permission are refused.
///
/// May run on any thread. The error says what could not be done and why.
llvm::Error writeFileAtomically(llvm::StringRef path,
                                llvm::ArrayRef<llvm::StringRef> pieces,
                                unsigned mode,
                                OnSignal onSignal = OnSignal::Keep);

/// The permissions of a file that is read, less the umask.
inline constexpr unsigned kDataMode = 0666;

/// Returns true if two paths name one file, which need not be there yet.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_OUTPUTFILE_H
