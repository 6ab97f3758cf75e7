/// The pages of an LMDB file.
///
/// A page begins with its number (u64), 2 unused bytes, its kind (u16), and the
/// begin and end of its free space (u16 each), or, for a long value, the number
/// of its pages (u32). Offsets of nodes (u16) follow.
#ifndef TG_RUNTIME_DATA_DATABASES_LMDBPAGES_H
#define TG_RUNTIME_DATA_DATABASES_LMDBPAGES_H

#include "runtime/data/records/RecordFile.h"

#include <string_view>
#include <vector>

namespace tg::data {

/// The state of a database that a file begins with.
struct LmdbMeta {
  uint64_t pageBytes = 0, lastPage = 0;
  uint16_t flags = 0, depth = 0;
  /// The pages of keys, the number of entries, and the first page.
  uint64_t pages = 0, entries = 0, root = 0;
};

/// A node of a page of keys.
struct LmdbNode {
  std::string_view key;
  /// The number of a page below, or of the first page of a long value.
  uint64_t page = 0;
  /// The size of a value, and the value if it is in the page.
  uint64_t size = 0;
  const std::byte *value = nullptr;
  uint16_t flags = 0;
  /// The place of the node in its page.
  uint64_t offset = 0;
};

/// The bytes of a page of keys.
class LmdbPage {
public:
  LmdbPage(std::vector<std::byte> bytes, uint64_t number);

  bool isLeaf() const;
  size_t count() const;
  /// Returns a node, which is a view. Throws DataError if it is not in the
  /// page.
  LmdbNode node(size_t index) const;

private:
  std::vector<std::byte> contents;
  uint64_t number;
};

/// An open file. All functions throw DataError without its name.
class LmdbPages {
public:
  /// The number that stands for no page.
  static constexpr uint64_t none = ~uint64_t(0);
  /// The flag of a value that is a database.
  static constexpr uint16_t databaseFlag = 2, longFlag = 1, severalFlag = 4;

  explicit LmdbPages(const std::string &path);

  const RecordFile &file() const { return opened; }
  const LmdbMeta &meta() const { return begin; }
  /// Reads a page of keys.
  LmdbPage page(uint64_t number) const;
  /// Throws DataError if the pages of a long value cannot be in the file.
  void checkValue(const LmdbNode &node) const;
  /// Reads a value.
  std::shared_ptr<std::byte[]> value(const LmdbNode &node) const;

private:
  void read(void *into, uint64_t bytes, uint64_t offset) const;
  /// Reads one of both begins.
  LmdbMeta readMeta(uint64_t offset, uint64_t &transaction) const;

  RecordFile opened;
  LmdbMeta begin;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DATABASES_LMDBPAGES_H
