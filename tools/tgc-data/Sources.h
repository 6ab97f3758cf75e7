/// Properties of sources, as the user names them.
#ifndef TG_TOOLS_TGCDATA_SOURCES_H
#define TG_TOOLS_TGCDATA_SOURCES_H

#include "tg/data/dataset.hpp"
#include "tg/data/records.hpp"

namespace tg {

/// Returns the encoding of a TFRecord file by its ending, or none for another
/// name.
std::optional<data::Compression> recordEncodingOf(const std::string &name);
inline bool isTFRecordName(const std::string &name) {
  return recordEncodingOf(name).has_value();
}
/// Returns true for the name of a tar archive.
bool isTarName(const std::string &name);
/// Returns true if the first record of a TFRecord file has features. Throws
/// DataError.
bool hasFeatures(const std::string &path);
/// Returns the number of records of a TFRecord file. Throws DataError.
uint64_t countRecords(const std::string &path);
/// Opens a source, whose stages may be functions of libraries. Throws
/// DataError.
data::Dataset openData(const std::string &source);
/// Returns true for a description, or for a file that has one.
bool isDescription(const std::string &source);

} // namespace tg

#endif // TG_TOOLS_TGCDATA_SOURCES_H
