/// The rows of a table as text.
#ifndef TG_RUNTIME_DATA_TABLES_ROWINDEX_H
#define TG_RUNTIME_DATA_TABLES_ROWINDEX_H

#include "runtime/data/records/RecordFile.h"

namespace tg::data {

/// Finds the rows of a file: lines that are not empty, where line ends in
/// quotes do not count if there can be quotes. Keeps the begin of one row in
/// each 2 KB, so that a file of 10 GB needs 80 MB. Thread-safe after its
/// construction.
class RowIndex {
public:
  /// Reads the file once. Throws DataError, as do the functions below.
  RowIndex(const std::string &path, bool hasQuotes);

  const std::string &path() const { return name; }
  /// Returns the number of rows.
  uint64_t size() const { return count; }
  /// A row, without the end of its line.
  struct Row {
    std::string text;
    /// The byte of the file at which the row begins.
    uint64_t offset;
  };
  Row read(uint64_t index) const;
  /// Reads the row of a record, which messages name after the file.
  Row readRecord(uint64_t index, uint64_t record) const;

private:
  /// Throws DataError for a row that is too long.
  static void expectShort(uint64_t bytes);

  /// A row whose begin is kept.
  struct Begin {
    uint64_t offset, row;
  };
  /// The smallest distance of rows whose begins are kept.
  static constexpr uint64_t stride = 2048;
  /// The upper bound of the bytes of a row, which is in memory at once.
  static constexpr uint64_t rowLimit = uint64_t(16) << 20;

  std::string name;
  bool hasQuotes;
  FileIdentity identity;
  Descriptor file;
  uint64_t count = 0;
  std::vector<Begin> begins;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_TABLES_ROWINDEX_H
