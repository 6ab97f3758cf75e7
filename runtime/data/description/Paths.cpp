//===- Paths.cpp - files that descriptions name ---------------------------===//
#include "Paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glob.h>

using namespace tg::data;
namespace fs = std::filesystem;

/// Returns the files that a pattern matches, in the order of their bytes.
static std::vector<std::string> matching(const std::string &pattern) {
  glob_t found = {};
  // Without a match the pattern is the name of a file, which does not exist.
  const int status = ::glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &found);
  std::vector<std::string> paths;
  if (status == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> tg::data::pathsOf(const Json &files,
                                           const std::string &directory) {
  std::vector<std::string> paths;
  for (const Json &file : files.is_array() ? files : Json::array({files})) {
    if (!file.is_string() || file.get<std::string>().empty())
      throw DataError("files: expected names of files, found " + textOf(files));
    const fs::path path(file.get<std::string>());
    for (std::string &found :
         matching(path.is_absolute() || directory.empty()
                      ? path.string()
                      : (fs::path(directory) / path).string()))
      paths.push_back(std::move(found));
  }
  return paths;
}

std::string tg::data::readText(const std::string &path) {
  constexpr size_t limit = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw DataError(path + ": expected a regular file, found " +
                    (fs::exists(path, error) ? "another one" : "none"));
  std::ifstream file(path, std::ios::binary);
  std::string text(limit + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open())
    throw DataError(path + ": the file cannot be read");
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > limit)
    throw DataError(path + ": expected at most " + std::to_string(limit) +
                    " bytes, found more");
  return text;
}
