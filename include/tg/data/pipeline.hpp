/// Data sets of files, and data sets that a text in JSON describes.
#ifndef TG_DATA_PIPELINE_HPP
#define TG_DATA_PIPELINE_HPP

#include "dataset.hpp"

namespace tg::data {

/// A stage in a description.
struct StageDescription {
  /// Its object: {"library": "prep.so", "function": "augment"}.
  std::string json;
  /// Its place in the description, for messages: "map[1]".
  std::string path;
  /// The directory that relative paths begin at, or none.
  std::string directory;
  uint64_t seed = 0;
};

/// A kind of stages that a program adds to those of docs/data.md.
struct StageKind {
  /// The key that only objects of this kind have.
  std::string key;
  /// Appends the stage. Throws DataError.
  std::function<Dataset(const Dataset &data, const StageDescription &stage)>
      add;
};

struct SourceOptions {
  std::vector<StageKind> stages = {};
};

/// Opens a data set: a file of a known format, a file `*.json` with a
/// description, or a description itself, which begins with '{'. Throws
/// DataError.
///
///   {"files": ["a-*.tfrecord"],
///    "features": {"image": {"type": "png", "shape": [28, 28, 1]},
///                 "label": {"type": "i32"}},
///    "shuffle": true, "seed": 7,
///    "map": [{"random_crop": [24, 24]}, {"flip": "horizontal"}],
///    "batch": 32, "remainder": "drop"}
///
/// docs/data.md lists formats and keys. Paths in a file are relative to its
/// directory.
Dataset openSource(const std::string &source,
                   const SourceOptions &options = {});

/// Returns a text that is the same for sources that openSource() opens to equal
/// data sets: the keys in the order of their names, and files with their names
/// and sizes, wherever they lie. Parts are separated by " | ". Throws
/// DataError.
std::string describeSource(const std::string &source);

/// Opens the data set of a description in JSON. Paths are relative to
/// `directory`.
Dataset openDescription(const std::string &json,
                        const std::string &directory = "",
                        const SourceOptions &options = {});

/// Opens files of one format, without shuffling or batches.
Dataset openFiles(const std::vector<std::string> &paths);

} // namespace tg::data

#endif // TG_DATA_PIPELINE_HPP
