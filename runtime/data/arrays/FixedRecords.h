/// Records of equal size in files.
#ifndef TG_RUNTIME_DATA_ARRAYS_FIXEDRECORDS_H
#define TG_RUNTIME_DATA_ARRAYS_FIXEDRECORDS_H

#include "runtime/data/Messages.h"
#include "runtime/data/records/RecordFile.h"
#include "tg/data/dataset.hpp"

#include <algorithm>

namespace tg::data {

/// A feature of records of equal size.
struct FixedFeature {
  FeatureType type;
  /// The byte of its first record in the file, or in memory, and the number of
  /// bytes from one record to the next.
  uint64_t offset = 0, stride = 0;
  /// The bytes of the elements are in the order of large machines.
  bool isBigEndian = false;
};

/// The layout of a file of records of equal size.
struct FixedLayout {
  std::vector<FixedFeature> features;
  /// The number of records.
  uint64_t count = 0;
};

/// Returns the number of bytes of a feature.
uint64_t byteCount(const FeatureType &type);

/// Makes a data set of the records of a file that is read record by record, or
/// of one that is in memory. All records of the layout lie in the file.
Dataset openFixed(const std::string &path, const FixedLayout &layout);
Dataset openFixed(const std::string &path, const FixedLayout &layout,
                  std::shared_ptr<const std::vector<std::byte>> contents);

/// Reads a whole file, decompressed if it is compressed. Throws DataError if it
/// has more than contentsLimit() bytes.
std::vector<std::byte> readContents(const std::string &path);

/// Returns the upper bound of what a compressed file of this size may contain:
/// 128 MiB, or 32 times its size. A file of some kilobytes can contain
/// gigabytes of zeros.
constexpr uint64_t contentsLimit(uint64_t bytes) {
  return std::max(uint64_t(128) << 20, 32 * bytes);
}

/// Returns the name of a file without its directory and its endings ".gz" and
/// `ending`.
std::string stemOf(const std::string &path, const std::string &ending = "");

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARRAYS_FIXEDRECORDS_H
