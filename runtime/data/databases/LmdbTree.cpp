//===- LmdbTree.cpp - one pass over the keys of an LMDB file --------------===//
#include "LmdbTree.h"

#include "runtime/data/records/ExampleFormat.h"

#include <algorithm>

using namespace tg;
using namespace tg::data;

LmdbTree::LmdbTree(const LmdbPages &file) : pages(file) {
  const LmdbMeta &meta = pages.meta();
  constexpr uint16_t severalValues = 4;
  if (meta.flags & severalValues)
    throw DataError("expected one value of each key, found a database of "
                    "several");
  if (meta.root != LmdbPages::none)
    visit(meta.root, 1);
  if (entries != meta.entries)
    throw DataError("expected " + std::to_string(meta.entries) +
                    " keys, found " + std::to_string(entries));
  leaves.shrink_to_fit();
  lastKey.clear();
}

void LmdbTree::visit(uint64_t number, uint64_t depth) {
  const LmdbMeta &meta = pages.meta();
  if (++visited > meta.pages)
    throw DataError("expected " + std::to_string(meta.pages) +
                    " pages of keys, found more");
  const LmdbPage page = pages.page(number);
  if (page.isLeaf() != (depth == meta.depth))
    throw DataError("expected a tree of depth " + std::to_string(meta.depth) +
                    ", found page " + std::to_string(number) + " at depth " +
                    std::to_string(depth));
  if (page.isLeaf())
    return addLeaf(page, number);
  for (size_t i = 0; i < page.count(); ++i)
    visit(page.node(i).page, depth + 1);
}

void LmdbTree::addLeaf(const LmdbPage &page, uint64_t number) {
  Leaf leaf{number, records};
  for (size_t i = 0; i < page.count(); ++i) {
    const LmdbNode node = page.node(i);
    expectAscending(node.key);
    ++entries;
    if (node.flags & (LmdbPages::databaseFlag | LmdbPages::severalFlag))
      throw DataError("expected values of keys, found the database " +
                      quoteName(node.key));
    pages.checkValue(node);
    if (node.key == "__keys__")
      leaf.skipped = static_cast<uint16_t>(i);
    else
      ++records;
  }
  leaves.push_back(leaf);
}

void LmdbTree::expectAscending(std::string_view key) {
  // The orders of integers and of reversed keys differ.
  constexpr uint16_t otherOrders = 0x02 | 0x08;
  if (pages.meta().flags & otherOrders)
    return;
  if (entries && key <= lastKey)
    throw DataError("expected keys in ascending order, found " +
                    quoteName(key) + " after " + quoteName(lastKey));
  lastKey = key;
}

const LmdbTree::Leaf &LmdbTree::leafOf(uint64_t record) const {
  const auto next = std::upper_bound(
      leaves.begin(), leaves.end(), record,
      [](uint64_t at, const Leaf &leaf) { return at < leaf.first; });
  return *std::prev(next);
}

size_t LmdbTree::indexIn(const Leaf &leaf, uint64_t record) {
  const uint64_t index = record - leaf.first;
  return index + (index >= leaf.skipped);
}
