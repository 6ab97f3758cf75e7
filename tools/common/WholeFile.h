/// Files that are whole or not there.
#ifndef TG_TOOLS_COMMON_WHOLEFILE_H
#define TG_TOOLS_COMMON_WHOLEFILE_H

#include <span>
#include <string>

namespace tg {

/// Makes one sentence of a failed system call and returns false.
bool failErrno(const std::string &path, const char *what, std::string &error);

/// Writes two pieces of memory aside and puts the file in place; a device or a
/// pipe is written in place. False with one sentence in `error`.
bool writeWholeFile(const std::string &path, std::span<const char> front,
                    std::span<const char> rest, std::string &error);

} // namespace tg

#endif // TG_TOOLS_COMMON_WHOLEFILE_H
