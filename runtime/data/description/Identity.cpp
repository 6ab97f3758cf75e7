//===- Identity.cpp - descriptions as texts to compare --------------------===//
#include "Paths.h"
#include "runtime/data/arrays/FixedRecords.h"
#include "tg/data/pipeline.hpp"

#include <filesystem>

using namespace tg::data;
namespace fs = std::filesystem;

/// Objects whose keys are in the order of their bytes.
using Sorted = nlohmann::json;

/// Returns the names and sizes of files. A directory has no size.
static Sorted describeFiles(const std::vector<std::string> &paths) {
  Sorted files = Sorted::array();
  for (const std::string &path : paths) {
    std::error_code error;
    const fs::path name = fs::path(path).filename();
    const auto bytes = fs::is_regular_file(path, error)
                           ? Sorted(fs::file_size(path, error))
                           : Sorted();
    files.push_back({{"name", name.string()}, {"bytes", bytes}});
  }
  return files;
}

/// Returns the size and a checksum of a library, or of its variables, which
/// change without their names.
static Sorted describeContents(const std::string &name,
                               const std::string &directory) {
  const std::string path =
      directory.empty() ? name : (fs::path(directory) / name).string();
  const std::vector<std::byte> bytes = readContents(path);
  return {{"name", fs::path(name).filename().string()},
          {"bytes", bytes.size()},
          {"crc32c", crc32c(bytes.data(), bytes.size())}};
}

/// Returns a value with the names and sizes of its files in place of their
/// paths.
static Sorted resolve(const Json &value, const std::string &directory) {
  if (value.is_array()) {
    Sorted list = Sorted::array();
    for (const Json &element : value)
      list.push_back(resolve(element, directory));
    return list;
  }
  if (!value.is_object())
    return value;
  Sorted object = Sorted::object();
  for (const auto &[key, member] : value.items())
    object[key] =
        key == "files" ? describeFiles(pathsOf(member, directory))
        : (key == "library" || key == "variables") && member.is_string()
            ? describeContents(member.get<std::string>(), directory)
            : resolve(member, directory);
  return object;
}

std::string tg::data::describeSource(const std::string &source) {
  const bool isText = source.starts_with("{");
  Sorted object;
  if (isText || source.ends_with(".json")) {
    const Json json =
        parseJson(isText ? source : readText(source), "a description in JSON");
    if (!json.is_object())
      throw DataError(source + ": expected a description in JSON, found none");
    object =
        resolve(json, isText ? "" : fs::path(source).parent_path().string());
  } else {
    object = {{"files", describeFiles({source})}};
  }
  std::string text;
  for (const auto &[key, value] : object.items())
    text += (text.empty() ? "" : " | ") + key + " " +
            value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text;
}
