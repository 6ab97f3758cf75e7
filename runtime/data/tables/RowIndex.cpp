//===- RowIndex.cpp - the rows of a table as text -------------------------===//
#include "RowIndex.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::data;

namespace {
/// Finds the ends of rows in the bytes of a file.
class RowScanner {
public:
  explicit RowScanner(bool quotes) : hasQuotes(quotes) {}

  /// Calls begins(offset) at the first byte of each row, and ends(offset) at
  /// the end of its line, if that is in these bytes. Stops if `ends` returns
  /// false.
  template <typename Begins, typename Ends>
  bool scan(std::span<const char> bytes, Begins begins, Ends ends) {
    for (size_t i = 0; i < bytes.size();) {
      const char byte = bytes[i];
      if (!isInRow && byte != '\n' && byte != '\r') {
        isInRow = true;
        begins(position + i);
      }
      if (!isInRow) {
        ++i;
        continue;
      }
      const size_t special = findSpecial(bytes, i);
      if (special == bytes.size())
        break;
      i = special + 1;
      if (bytes[special] != '\n') {
        isQuoted = !isQuoted;
      } else if (!isQuoted) {
        isInRow = false;
        if (!ends(position + special))
          return false;
      }
    }
    position += bytes.size();
    return true;
  }
  bool isInside() const { return isInRow; }
  bool isInsideQuotes() const { return isQuoted; }
  void begin(uint64_t offset) { position = offset; }

private:
  /// Returns the index of the next quote, or end of a line if outside of
  /// quotes. Looks at some bytes at a time for both, so that many quotes do not
  /// make it read the rest of the line many times.
  size_t findSpecial(std::span<const char> bytes, size_t from) const {
    constexpr size_t some = 256;
    for (; from < bytes.size(); from += some) {
      size_t count = std::min(some, bytes.size() - from);
      const char *first = bytes.data() + from, *found = nullptr;
      if (!isQuoted)
        found = find(first, '\n', count);
      if (found)
        count = static_cast<size_t>(found - first);
      if (const char *quote = hasQuotes ? find(first, '"', count) : nullptr)
        found = quote;
      if (found)
        return static_cast<size_t>(found - bytes.data());
    }
    return bytes.size();
  }
  static const char *find(const char *first, char byte, size_t count) {
    return static_cast<const char *>(std::memchr(first, byte, count));
  }

  bool hasQuotes;
  uint64_t position = 0;
  bool isInRow = false, isQuoted = false;
};
} // namespace

RowIndex::RowIndex(const std::string &path, bool quotes)
    : name(path), hasQuotes(quotes), file(openRegular(path, identity)) {
  std::vector<char> buffer(std::min<uint64_t>(identity.size, 1 << 20));
  RowScanner scanner(hasQuotes);
  uint64_t last = 0; // the begin of the row that was read last
  for (uint64_t offset = 0; offset < identity.size;) {
    const uint64_t bytes =
        std::min<uint64_t>(buffer.size(), identity.size - offset);
    readBytes(file, identity.size, buffer.data(), bytes, offset);
    scanner.scan(
        {buffer.data(), bytes},
        [&](uint64_t begin) {
          last = begin;
          if (begins.empty() || begin - begins.back().offset >= stride)
            begins.push_back({begin, count});
          ++count;
        },
        [](uint64_t) { return true; });
    offset += bytes;
    if (scanner.isInside())
      expectShort(offset - last);
  }
  expectUnchanged(file, identity);
  if (scanner.isInsideQuotes())
    throw DataError("expected a quote at the end of a field, found the end of "
                    "the file");
}

void RowIndex::expectShort(uint64_t bytes) {
  if (bytes > rowLimit)
    throw DataError("expected a row of at most " + std::to_string(rowLimit) +
                    " bytes, found a longer one");
}

RowIndex::Row RowIndex::read(uint64_t index) const {
  Row row{{}, 0};
  const auto next = std::upper_bound(
      begins.begin(), begins.end(), index,
      [](uint64_t wanted, const Begin &begin) { return wanted < begin.row; });
  uint64_t left = index - std::prev(next)->row;
  uint64_t offset = std::prev(next)->offset;
  const uint64_t last = next == begins.end() ? identity.size : next->offset;
  RowScanner scanner(hasQuotes);
  scanner.begin(offset);
  bool isFound = false, isWanted = false;
  std::vector<char> buffer(std::min<uint64_t>(2 * stride, last - offset));
  while (!isFound && offset < last) {
    const uint64_t bytes = std::min<uint64_t>(buffer.size(), last - offset);
    readBytes(file, identity.size, buffer.data(), bytes, offset);
    uint64_t from = offset, to = offset + bytes;
    scanner.scan(
        {buffer.data(), bytes},
        [&](uint64_t begin) {
          isWanted = left == 0;
          if (isWanted)
            row.offset = from = begin;
        },
        [&](uint64_t end) {
          isFound = left-- == 0;
          to = isFound ? end : to;
          return !isFound;
        });
    if (isWanted)
      row.text.append(buffer.data() + (from - offset), to - from);
    expectShort(row.text.size());
    offset += bytes;
    buffer.resize(std::min<size_t>(buffer.size() * 4, 1 << 20));
  }
  expectUnchanged(file, identity);
  if (row.text.ends_with('\r'))
    row.text.pop_back();
  return row;
}

RowIndex::Row RowIndex::readRecord(uint64_t index, uint64_t record) const {
  try {
    return read(index);
  } catch (const DataError &error) {
    throw DataError(name + ": record " + std::to_string(record) + ": " +
                    error.what());
  }
}
