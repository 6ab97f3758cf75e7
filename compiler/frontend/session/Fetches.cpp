//===- Fetches.cpp - trees of fetches and of their values -----------------===//
#include "tg/graph/fetches.h"

#include <algorithm>

using namespace tg;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ArrayTree::ArrayTree(const Array &array) : isLeaf(true), value(array) {}

const Array &ArrayTree::array(Place where) const {
  if (!isLeaf)
    throw GraphError("expected the value of one fetch, found " +
                         std::string(keys.empty() ? "a list" : "a map") +
                         " of " + std::to_string(items.size()),
                     where);
  return value;
}

const ArrayTree &ArrayTree::at(size_t index, Place where) const {
  if (index >= items.size())
    throw GraphError("expected an index below " + std::to_string(items.size()) +
                         ", found " + std::to_string(index),
                     where);
  return items[index];
}

const ArrayTree &ArrayTree::at(const std::string &name, Place where) const {
  auto found = std::find(keys.begin(), keys.end(), name);
  if (found != keys.end())
    return items[static_cast<size_t>(found - keys.begin())];
  std::string known;
  for (const std::string &key : keys)
    known += (known.empty() ? "" : ", ") + key;
  throw GraphError("expected one of the names that were fetched (" + known +
                       "), found '" + name + "'",
                   where);
}

//===----------------------------------------------------------------------===//
// Fetches
//===----------------------------------------------------------------------===//

void dsl::addTo(std::vector<Fetch> &fetches, const Fetch &fetch) {
  fetches.push_back(fetch);
}

FetchTree FetchTree::list(std::vector<FetchTree> items) {
  FetchTree tree;
  tree.items = std::move(items);
  return tree;
}

FetchTree FetchTree::map(const std::map<std::string, FetchTree> &items) {
  FetchTree tree;
  for (const auto &[key, item] : items) {
    tree.keys.push_back(key);
    tree.items.push_back(item);
  }
  return tree;
}

void FetchTree::addTo(std::vector<Fetch> &fetches) const {
  fetches.insert(fetches.end(), leaf.begin(), leaf.end());
  for (const FetchTree &item : items)
    item.addTo(fetches);
}

ArrayTree FetchTree::take(const Array *&next) const {
  if (!leaf.empty())
    return ArrayTree(*next++);
  ArrayTree tree;
  tree.keys = keys;
  for (const FetchTree &item : items)
    tree.items.push_back(item.take(next));
  return tree;
}
