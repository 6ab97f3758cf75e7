/// Files that descriptions name, and files of descriptions.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_PATHS_H
#define TG_RUNTIME_DATA_DESCRIPTION_PATHS_H

#include "Json.h"

namespace tg::data {

/// Returns the paths of the value of "files": a name, a pattern, or a list of
/// them. The files of a pattern are in the order of their bytes. Throws
/// DataError.
std::vector<std::string> pathsOf(const Json &files,
                                 const std::string &directory);

/// Reads a description, which is short. Throws DataError.
std::string readText(const std::string &path);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_PATHS_H
