//===- Formats.cpp - formats of files, known by their endings -------------===//
#include "Formats.h"

#include "tg/data/arrays.hpp"
#include "tg/data/pipeline.hpp"

#include <cstring>
#include <filesystem>

using namespace tg::data;

/// Opens each file and appends them. Arrays have their features in the file.
template <Dataset (*open)(const std::string &path)>
static EncodedDataset openArrays(const std::vector<std::string> &paths,
                                 Object &description) {
  if (const Json *features = description.find("features"))
    throw DataError("features: expected none for files of arrays, found " +
                    textOf(*features));
  std::vector<Dataset> sets;
  for (const std::string &path : paths)
    sets.push_back(open(path));
  return sets.size() == 1 ? sets.front() : Dataset::concatenate(sets);
}

static const std::vector<Format> &formats() {
  static const std::vector<Format> all = {
      {"TFRecord",
       {".tfrecord", ".tfrecords", ".tfrecord.gz", ".tfrecords.gz",
        ".tfrecord.zlib", ".tfrecords.zlib"},
       openRecords},
      {"CSV", {".csv", ".tsv"}, openTables},
      {"SVMlight", {".svm", ".svmlight", ".libsvm"}, openSparseRows},
      {"directory of images", {"/"}, openImages},
      {"safetensors", {".safetensors"}, openArrays<openSafetensors>},
      {"NPY", {".npy"}, openArrays<openNpy>},
      {"NPZ", {".npz"}, openArrays<openNpz>},
      {"IDX", {"-ubyte", ".idx", "-ubyte.gz", ".idx.gz"}, openArrays<openIdx>},
      {"tar", {".tar", ".tar.gz", ".tgz"}, openArchives},
      {"LMDB", {".lmdb", "_lmdb", ".mdb", ".lmdb/", "_lmdb/"}, openDatabases},
      {"CIFAR", {".bin", ".bin.gz"}, openArrays<openCifar>},
  };
  return all;
}

const Format *tg::data::formatOf(const std::string &path) {
  std::error_code error;
  std::string name = path;
  if (std::filesystem::is_directory(path, error)) {
    // A database can be in a directory of any name.
    const std::filesystem::path database =
        std::filesystem::path(path) / "data.mdb";
    if (std::filesystem::exists(database, error))
      name = database.string();
    else if (!name.ends_with("/"))
      name += "/";
  }
  const Format *found = nullptr;
  size_t longest = 0;
  for (const Format &format : formats())
    for (const char *ending : format.endings)
      if (name.ends_with(ending) && std::strlen(ending) > longest) {
        found = &format;
        longest = std::strlen(ending);
      }
  return found;
}

EncodedDataset tg::data::openAll(const std::vector<std::string> &paths,
                                 Object &description) {
  const Format *format = nullptr;
  for (const std::string &path : paths) {
    const Format *next = formatOf(path);
    if (!next) {
      std::string all;
      for (const Format &known : formats())
        for (const char *ending : known.endings)
          all += (all.empty() ? "" : ", ") + std::string(ending);
      throw DataError(path + ": expected one of the endings " + all +
                      ", found another one");
    }
    if (format && next != format)
      throw DataError(path + ": expected a file of the format " + format->name +
                      " as before it, found " + next->name);
    format = next;
  }
  if (!format)
    throw DataError("files: expected at least one file, found none");
  return format->open(paths, description);
}

Dataset tg::data::openFiles(const std::vector<std::string> &paths) {
  static const Json none = Json::object();
  Object description(none, "");
  return openAll(paths, description).decoded();
}
