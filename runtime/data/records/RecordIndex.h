/// The places of the records of a plain file.
#ifndef TG_RUNTIME_DATA_RECORDS_RECORDINDEX_H
#define TG_RUNTIME_DATA_RECORDS_RECORDINDEX_H

#include "RecordFile.h"

#include <limits>
#include <optional>

namespace tg::data {

/// The lengths of the records of a file, of which offsets are sums. It needs
/// little more than 4 bytes for each record.
class RecordIndex {
public:
  /// The maximum length of a record.
  static constexpr uint64_t maxLength = std::numeric_limits<uint32_t>::max();

  /// Finds the records of a file by their headers, without reading their data.
  /// Throws DataError for the first wrong header, or if the file does not end
  /// with a record.
  static RecordIndex scan(const RecordFile &file);
  /// Reads the index that save() wrote beside a file. Returns none if there is
  /// none that fits to the file as it is.
  static std::optional<RecordIndex> load(const RecordFile &file);
  /// Writes the index beside the file, if the directory permits it.
  void save(const RecordFile &file) const;

  uint64_t count() const { return lengths.size(); }
  uint64_t length(uint64_t record) const { return lengths[record]; }
  /// Returns the byte at which the header of a record begins.
  uint64_t offset(uint64_t record) const;

private:
  /// The number of records for which one offset is stored.
  static constexpr uint64_t blockRecords = 32;

  /// Computes `offsets`. Returns the size of a file of these records.
  uint64_t addOffsets();

  std::vector<uint32_t> lengths;
  std::vector<uint64_t> offsets; // of the first record of each block
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_RECORDINDEX_H
