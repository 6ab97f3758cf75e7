/// Files that are written completely or not at all.
#ifndef TG_TOOLS_COMMON_WHOLEFILE_H
#define TG_TOOLS_COMMON_WHOLEFILE_H

#include <span>
#include <string>

namespace tg {

/// Sets `error` to one sentence about a failed system call, with the path, the
/// failed action such as "cannot open", and the text of errno. Returns false.
bool failErrno(const std::string &path, const char *action, std::string &error);

/// Returns true if `path` is a device or a pipe, which is written in place.
bool isWrittenInPlace(const std::string &path);

/// Writes two blocks of memory to a temporary file and renames it to `path`;
/// writes to a device or a pipe in place. On failure returns false and sets
/// `error` to one sentence.
bool writeWholeFile(const std::string &path, std::span<const char> front,
                    std::span<const char> rest, std::string &error);

} // namespace tg

#endif // TG_TOOLS_COMMON_WHOLEFILE_H
