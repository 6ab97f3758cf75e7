//===- PrivateFiles.h - files that nobody else can change ----------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H
#define TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H

#include "compiler/library/link/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <sys/stat.h>

namespace tg {

/// Returns what is wrong with a file or directory whose content is trusted: it
/// belongs to the effective user or to root, and nobody else may write to it.
/// Returns "" if nothing is.
std::string describeExposure(const struct stat &status);

/// Opens an existing directory for operations relative to it. `exposure`
/// becomes the reason if somebody else could change what lies there, or what
/// the path means, else "": each directory on the path, with symbolic links and
/// without, must pass `describeExposure`, and each link must belong to the
/// effective user or to root. A sticky directory that others may write, as
/// /tmp, is allowed above it, but not as the directory itself. Each component
/// is checked after it was opened, so nobody can exchange one in between.
llvm::Expected<Descriptor> openPrivateDirectory(llvm::StringRef path,
                                                std::string &exposure);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H
