//===- PrivateFiles.h - files that no other user can change ---------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H
#define TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H

#include "compiler/library/link/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <sys/stat.h>

namespace tg {

/// Returns the reason why a file or directory is not trusted; "" if it is. It
/// is trusted if the effective user or root owns it and nobody else may write
/// to it.
std::string describeExposure(const struct stat &status);

/// Opens an existing directory for operations relative to it. If other users
/// could change its content or redirect the path, sets `exposure` to the
/// reason, otherwise to "". Each directory on the path, before and after
/// resolving symbolic links, must pass `describeExposure`, and the effective
/// user or root must own each link. A sticky directory that other users may
/// write, like /tmp, is allowed above the directory, but not as the directory
/// itself. Each component is checked after it was opened, so that nobody can
/// replace it between the check and its use.
llvm::Expected<Descriptor> openPrivateDirectory(llvm::StringRef path,
                                                std::string &exposure);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_PRIVATEFILES_H
