//===- LmdbPages.cpp - reads and checks the pages of LMDB files -----------===//
#include "LmdbPages.h"

using namespace tg;
using namespace tg::data;

static constexpr uint64_t pageHeader = 16, nodeHeader = 8;
static constexpr uint16_t branchKind = 1, leafKind = 2, longKind = 4,
                          metaKind = 8, dirtyKind = 16;

/// Returns the kind of a page, of which a flag for pages in memory is no part.
static uint16_t kindOf(const std::byte *page) {
  return static_cast<uint16_t>(loadNumber<uint16_t>(page + 10) & ~dirtyKind);
}

static std::string inPage(uint64_t number, const std::string &message) {
  return "page " + std::to_string(number) + ": " + message;
}

//===----------------------------------------------------------------------===//
// Pages of keys
//===----------------------------------------------------------------------===//

LmdbPage::LmdbPage(std::vector<std::byte> bytes, uint64_t page)
    : contents(std::move(bytes)), number(page) {
  const auto found = loadNumber<uint64_t>(contents.data());
  if (found != number)
    throw DataError(
        inPage(number, "expected its number, found " + std::to_string(found)));
  const uint16_t kind = kindOf(contents.data());
  if (kind != branchKind && kind != leafKind)
    throw DataError(inPage(number, "expected a page of keys, found the kind " +
                                       std::to_string(kind)));
  const auto lower = loadNumber<uint16_t>(contents.data() + 12);
  const auto upper = loadNumber<uint16_t>(contents.data() + 14);
  if (lower < pageHeader || lower % 2 || lower > upper ||
      upper > contents.size())
    throw DataError(inPage(number, "expected free space in the page, found "
                                   "bytes " +
                                       std::to_string(lower) + " to " +
                                       std::to_string(upper)));
}

bool LmdbPage::isLeaf() const { return kindOf(contents.data()) == leafKind; }

size_t LmdbPage::count() const {
  return (loadNumber<uint16_t>(contents.data() + 12) - pageHeader) / 2;
}

LmdbNode LmdbPage::node(size_t index) const {
  LmdbNode node;
  node.offset = loadNumber<uint16_t>(contents.data() + pageHeader + 2 * index);
  const auto upper = loadNumber<uint16_t>(contents.data() + 14);
  const auto fail = [&] {
    throw DataError(inPage(number, "expected key " + std::to_string(index) +
                                       " in the page, found byte " +
                                       std::to_string(node.offset)));
  };
  if (node.offset < upper || node.offset + nodeHeader > contents.size())
    fail();
  const std::byte *at = contents.data() + node.offset;
  const uint64_t left = contents.size() - node.offset - nodeHeader;
  const auto low = loadNumber<uint32_t>(at);
  node.flags = loadNumber<uint16_t>(at + 4);
  const auto keyBytes = loadNumber<uint16_t>(at + 6);
  if (keyBytes > left)
    fail();
  node.key = {reinterpret_cast<const char *>(at + nodeHeader), keyBytes};
  if (!isLeaf()) {
    node.page = low | uint64_t(node.flags) << 32;
    return node;
  }
  node.size = low;
  const std::byte *value = at + nodeHeader + keyBytes;
  const bool isLong = node.flags & LmdbPages::longFlag;
  if ((isLong ? sizeof(uint64_t) : node.size) > left - keyBytes)
    fail();
  if (isLong)
    node.page = loadNumber<uint64_t>(value);
  else
    node.value = value;
  return node;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

LmdbPages::LmdbPages(const std::string &path) : opened(path) {
  uint64_t transactions[2];
  begin = readMeta(0, transactions[0]);
  const LmdbMeta second = readMeta(begin.pageBytes, transactions[1]);
  if (second.pageBytes != begin.pageBytes)
    throw DataError("expected pages of " + std::to_string(begin.pageBytes) +
                    " bytes in both begins of the file, found " +
                    std::to_string(second.pageBytes));
  if (transactions[1] > transactions[0])
    begin = second;
}

void LmdbPages::read(void *into, uint64_t bytes, uint64_t offset) const {
  if (offset > opened.size() || bytes > opened.size() - offset)
    throw DataError("expected " + std::to_string(bytes) + " bytes at byte " +
                    std::to_string(offset) +
                    ", found the end of the file at "
                    "byte " +
                    std::to_string(opened.size()));
  opened.read(into, bytes, offset, {opened.path(), 0, offset});
}

LmdbMeta LmdbPages::readMeta(uint64_t offset, uint64_t &transaction) const {
  constexpr uint32_t magic = 0xbeefc0de, version = 1;
  constexpr uint64_t metaBytes = 136, mainDatabase = 72;
  std::byte page[pageHeader + metaBytes];
  read(page, sizeof(page), offset);
  const std::byte *meta = page + pageHeader;
  if (kindOf(page) != metaKind || loadNumber<uint32_t>(meta) != magic ||
      loadNumber<uint32_t>(meta + 4) != version)
    throw DataError("expected an LMDB database of version 1 at byte " +
                    std::to_string(offset) + ", found another file");
  LmdbMeta read;
  read.pageBytes = loadNumber<uint32_t>(meta + 24);
  const std::byte *main = meta + mainDatabase;
  read.flags = loadNumber<uint16_t>(main + 4);
  read.depth = loadNumber<uint16_t>(main + 6);
  const auto branches = loadNumber<uint64_t>(main + 8);
  const auto leaves = loadNumber<uint64_t>(main + 16);
  read.entries = loadNumber<uint64_t>(main + 32);
  read.root = loadNumber<uint64_t>(main + 40);
  read.lastPage = loadNumber<uint64_t>(meta + 120);
  transaction = loadNumber<uint64_t>(meta + 128);
  constexpr uint64_t least = 256, most = 32768;
  if (read.pageBytes < least || read.pageBytes > most ||
      (read.pageBytes & (read.pageBytes - 1)))
    throw DataError("expected pages of a power of two from " +
                    std::to_string(least) + " to " + std::to_string(most) +
                    " bytes, found " + std::to_string(read.pageBytes));
  const uint64_t all = opened.size() / read.pageBytes;
  if (branches > all || leaves > all || read.depth > 32)
    throw DataError("expected a tree of pages that the file can contain, "
                    "found a depth of " +
                    std::to_string(read.depth) + " and " +
                    std::to_string(branches) + " + " + std::to_string(leaves) +
                    " pages");
  read.pages = branches + leaves;
  return read;
}

LmdbPage LmdbPages::page(uint64_t number) const {
  if (number < 2 || number > begin.lastPage ||
      number >= opened.size() / begin.pageBytes)
    throw DataError("expected a page less than " +
                    std::to_string(opened.size() / begin.pageBytes) +
                    ", found " + std::to_string(number));
  std::vector<std::byte> bytes(begin.pageBytes);
  read(bytes.data(), bytes.size(), number * begin.pageBytes);
  return {std::move(bytes), number};
}

void LmdbPages::checkValue(const LmdbNode &node) const {
  if (node.value)
    return;
  const uint64_t all = opened.size() / begin.pageBytes;
  if (node.page >= 2 && node.page < all &&
      node.size <= (all - node.page) * begin.pageBytes - pageHeader)
    return;
  throw DataError("expected " + std::to_string(node.size) +
                  " bytes of a value at page " + std::to_string(node.page) +
                  ", found a file of " + std::to_string(all) + " pages");
}

std::shared_ptr<std::byte[]> LmdbPages::value(const LmdbNode &node) const {
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(node.size);
  if (node.value) {
    std::memcpy(bytes.get(), node.value, node.size);
    return bytes;
  }
  checkValue(node);
  const uint64_t offset = node.page * begin.pageBytes;
  std::byte header[pageHeader];
  read(header, sizeof(header), offset);
  const uint64_t pages = loadNumber<uint32_t>(header + 12);
  if (loadNumber<uint64_t>(header) != node.page || kindOf(header) != longKind ||
      pages * begin.pageBytes < pageHeader + node.size)
    throw DataError(inPage(node.page, "expected a value of " +
                                          std::to_string(node.size) +
                                          " bytes, found another page"));
  read(bytes.get(), node.size, offset + pageHeader);
  return bytes;
}
