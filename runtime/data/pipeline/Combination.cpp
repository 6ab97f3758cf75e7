//===- Combination.cpp - several data sets as one -------------------------===//
#include "Combination.h"

#include <algorithm>
#include <set>

using namespace tg::data;

std::string tg::data::describeAll(const std::string &name,
                                  const std::vector<NodePtr> &nodes) {
  std::string text;
  for (const NodePtr &node : nodes)
    text += (text.empty() ? "" : "; ") + node->description();
  return name + "(" + text + ")";
}

ExampleType tg::data::commonType(const std::vector<NodePtr> &nodes) {
  if (nodes.empty())
    throw DataError("expected at least one data set, found none");
  ExampleType common = nodes.front()->type();
  for (const NodePtr &node : nodes) {
    bool isAlike = node->type().size() == common.size();
    for (size_t i = 0; isAlike && i < common.size(); ++i) {
      const FeatureType &type = node->type()[i];
      FeatureType &joined = common[i];
      isAlike = type.name == joined.name &&
                type.dtype.code == joined.dtype.code &&
                type.dtype.bits == joined.dtype.bits &&
                type.shape.size() == joined.shape.size();
      for (size_t axis = 0; isAlike && axis < joined.shape.size(); ++axis)
        if (joined.shape[axis] != type.shape[axis])
          joined.shape[axis] = FeatureType::anyExtent;
    }
    if (!isAlike)
      throw DataError("expected data sets with the same features, found "
                      "different ones: " +
                      describeAll("", nodes));
  }
  return common;
}

uint64_t tg::data::greatestDepth(const std::vector<NodePtr> &nodes) {
  uint64_t depth = 0;
  for (const NodePtr &node : nodes)
    depth = std::max(depth, node->depth() + 1);
  return depth;
}

bool tg::data::allHaveRandomAccess(const std::vector<NodePtr> &nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const NodePtr &node) {
    return node->size().has_value();
  });
}

Example tg::data::asPartOf(Example example, size_t part) {
  if (part)
    example.id = hashCounters({part, example.id});
  return example;
}

//===----------------------------------------------------------------------===//
// Zip
//===----------------------------------------------------------------------===//

static ExampleType typeOfAll(const std::vector<NodePtr> &nodes) {
  ExampleType all;
  std::set<std::string> names;
  for (const NodePtr &node : nodes)
    for (const FeatureType &type : node->type()) {
      if (!names.insert(type.name).second)
        throw DataError("expected features of different names, found two '" +
                        type.name + "'");
      all.push_back(type);
    }
  if (nodes.empty())
    throw DataError("expected at least one data set, found none");
  return all;
}

/// Appends the features of an example to those of others.
static void append(Example &all, Example &&part) {
  for (Feature &feature : part.features)
    all.features.push_back(std::move(feature));
}

namespace {

class ZipNode : public Node {
public:
  explicit ZipNode(std::vector<NodePtr> zipped)
      : Node(typeOfAll(zipped), greatestDepth(zipped)),
        nodes(std::move(zipped)) {}

  std::optional<uint64_t> size() const override {
    if (!allHaveRandomAccess(nodes))
      return std::nullopt;
    uint64_t least = endless;
    for (const NodePtr &node : nodes)
      least = std::min(least, *node->size());
    return least;
  }
  Example read(uint64_t epoch, uint64_t index) const override {
    Example all = nodes.front()->read(epoch, index);
    for (size_t i = 1; i < nodes.size(); ++i)
      append(all, nodes[i]->read(epoch, index));
    return all;
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    std::vector<std::string> all;
    for (const NodePtr &node : nodes)
      for (std::string &place : node->places(epoch, index))
        all.push_back(std::move(place));
    return all;
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override { return describeAll("zip", nodes); }

private:
  std::vector<NodePtr> nodes;
};

class ZipCursor : public Cursor {
public:
  explicit ZipCursor(std::vector<CursorPtr> all) : cursors(std::move(all)) {}

  bool next(Deferred &work) override {
    std::vector<Deferred> parts(cursors.size());
    for (size_t i = 0; i < cursors.size(); ++i)
      if (!cursors[i]->next(parts[i]))
        return false;
    work = [parts = std::move(parts)] {
      Example all = parts.front()();
      for (size_t i = 1; i < parts.size(); ++i)
        append(all, parts[i]());
      return all;
    };
    return true;
  }
  void save(Numbers &numbers) const override {
    for (const CursorPtr &cursor : cursors)
      cursor->save(numbers);
  }
  void restore(NumberReader &numbers) override {
    for (CursorPtr &cursor : cursors)
      cursor->restore(numbers);
  }

private:
  std::vector<CursorPtr> cursors;
};

CursorPtr ZipNode::open(uint64_t epoch, Workers &workers) const {
  if (size())
    return Node::open(epoch, workers);
  std::vector<CursorPtr> cursors;
  for (const NodePtr &node : nodes)
    cursors.push_back(node->open(epoch, workers));
  return std::make_unique<ZipCursor>(std::move(cursors));
}

} // namespace

NodePtr tg::data::makeZip(std::vector<NodePtr> nodes) {
  return std::make_shared<ZipNode>(std::move(nodes));
}
