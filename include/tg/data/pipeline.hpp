/// Data sets of files, and data sets that a text in JSON describes.
#ifndef TG_DATA_PIPELINE_HPP
#define TG_DATA_PIPELINE_HPP

#include "dataset.hpp"

namespace tg::data {

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
Dataset openSource(const std::string &source);

/// Returns a text that is the same for sources that openSource() opens to equal
/// data sets: the keys in the order of their names, and files with their names
/// and sizes, wherever they lie. Parts are separated by " | ". Throws
/// DataError.
std::string describeSource(const std::string &source);

/// Opens the data set of a description in JSON. Paths are relative to
/// `directory`.
Dataset openDescription(const std::string &json,
                        const std::string &directory = "");

/// Opens files of one format, without shuffling or batches.
Dataset openFiles(const std::vector<std::string> &paths);

} // namespace tg::data

#endif // TG_DATA_PIPELINE_HPP
