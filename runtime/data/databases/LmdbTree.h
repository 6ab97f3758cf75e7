/// The places of the records of an LMDB file.
#ifndef TG_RUNTIME_DATA_DATABASES_LMDBTREE_H
#define TG_RUNTIME_DATA_DATABASES_LMDBTREE_H

#include "LmdbPages.h"

namespace tg::data {

/// The pages with the records of a file, in the order of the keys.
class LmdbTree {
public:
  /// A page of records: its number, the number of records before it, and the
  /// index of its key that is no record.
  struct Leaf {
    static constexpr uint16_t noSkipped = 0xffff;
    uint64_t page, first;
    uint16_t skipped = noSkipped;
  };

  /// Reads all pages of keys. Throws DataError, with the number of the record
  /// before which it failed.
  explicit LmdbTree(const LmdbPages &pages);

  uint64_t count() const { return records; }
  /// Returns the page of a record, which is less than count().
  const Leaf &leafOf(uint64_t record) const;
  /// Returns the index of a record among the keys of its page.
  static size_t indexIn(const Leaf &leaf, uint64_t record);

private:
  /// Reads the page of keys, and those below it.
  void visit(uint64_t number, uint64_t depth);
  void addLeaf(const LmdbPage &page, uint64_t number);
  void expectAscending(std::string_view key);

  const LmdbPages &pages;
  std::vector<Leaf> leaves;
  uint64_t records = 0, entries = 0, visited = 0;
  std::string lastKey;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DATABASES_LMDBTREE_H
