//===- Dataset.cpp - the interface of data sets ---------------------------===//
#include "Node.h"

using namespace tg::data;

/// The rows of arrays.
namespace {
class ArraySource : public Source {
public:
  ArraySource(const std::vector<std::string> &names,
              std::vector<Feature> rowsOfAll)
      : arrays(std::move(rowsOfAll)) {
    if (names.size() != arrays.size() || arrays.empty())
      throw DataError(
          "expected at least one array and a name for each, found " +
          std::to_string(arrays.size()) + " arrays and " +
          std::to_string(names.size()) + " names");
    for (size_t i = 0; i < arrays.size(); ++i)
      add(names[i], arrays[i]);
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override {
    return static_cast<uint64_t>(arrays.front().shape()[0]);
  }
  std::vector<Feature> read(uint64_t index) const override {
    std::vector<Feature> rows;
    for (const Feature &array : arrays)
      rows.push_back(array.row(static_cast<int64_t>(index)));
    return rows;
  }
  std::string place(uint64_t index) const override {
    return types.front().name + ":" + std::to_string(index);
  }

private:
  void add(const std::string &name, const Feature &array) {
    if (!array.isDefined() || array.shape().empty())
      throw DataError("array '" + name +
                      "': expected rank 1 or more, found one without rows");
    if (array.shape()[0] != arrays.front().shape()[0])
      throw DataError("array '" + name + "': expected " +
                      std::to_string(arrays.front().shape()[0]) +
                      " rows, found " + std::to_string(array.shape()[0]));
    types.push_back({name,
                     array.dtype(),
                     {array.shape().begin() + 1, array.shape().end()}});
  }

  std::vector<Feature> arrays;
  ExampleType types;
};
} // namespace

Dataset::Dataset(NodePtr made) : node(std::move(made)) {}
//===----------------------------------------------------------------------===//
// Sources and combinations
//===----------------------------------------------------------------------===//

Dataset Dataset::from(std::shared_ptr<const Source> source) {
  return Dataset(makeSource(std::move(source)));
}

Dataset Dataset::from(std::shared_ptr<const Stream> stream) {
  return Dataset(makeStream(std::move(stream)));
}

Dataset Dataset::fromArrays(std::vector<std::string> names,
                            std::vector<Feature> arrays) {
  return from(std::make_shared<ArraySource>(names, std::move(arrays)));
}

std::vector<NodePtr> Dataset::nodesOf(const std::vector<Dataset> &sets) {
  std::vector<NodePtr> nodes;
  for (const Dataset &set : sets)
    nodes.push_back(set.node);
  return nodes;
}

Dataset Dataset::zip(const std::vector<Dataset> &sets) {
  return Dataset(makeZip(nodesOf(sets)));
}

Dataset Dataset::concatenate(const std::vector<Dataset> &sets) {
  return Dataset(makeConcatenation(nodesOf(sets)));
}

Dataset Dataset::interleave(const std::vector<Dataset> &sets, uint64_t block) {
  return Dataset(makeInterleave(nodesOf(sets), block));
}

Dataset Dataset::mix(const std::vector<Dataset> &sets,
                     const std::vector<double> &weights, uint64_t seed) {
  return Dataset(makeMix(nodesOf(sets), weights, seed));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

Dataset Dataset::map(MapFunction function, MapOptions options) const {
  return Dataset(makeMap(node, std::move(function), std::move(options)));
}

Dataset Dataset::filter(std::function<bool(const Example &)> keeps) const {
  return Dataset(makeFilter(node, std::move(keeps)));
}

Dataset Dataset::shuffle(const ShuffleOptions &options) const {
  return Dataset(makeShuffle(node, options));
}

Dataset Dataset::batch(const BatchOptions &options) const {
  return Dataset(makeBatch(node, options));
}

Dataset Dataset::bucketed(BucketOptions options) const {
  return Dataset(makeBucketed(node, std::move(options)));
}

Dataset Dataset::cache() const { return Dataset(makeCache(node)); }

Dataset Dataset::take(uint64_t count) const {
  return Dataset(makeSelection(node, 0, 1, count));
}

Dataset Dataset::skip(uint64_t count) const {
  return Dataset(makeSelection(node, count, 1, Node::endless));
}

Dataset Dataset::shard(uint64_t count, uint64_t index) const {
  if (index >= count)
    throw DataError("expected a shard of less than " + std::to_string(count) +
                    ", found " + std::to_string(index));
  return Dataset(makeSelection(node, index, count, Node::endless));
}

Dataset Dataset::repeat(uint64_t count) const {
  return Dataset(makeRepeat(node, count));
}

Dataset Dataset::unbatched() const { return Dataset(node->unbatched()); }

//===----------------------------------------------------------------------===//
// Examples
//===----------------------------------------------------------------------===//

const ExampleType &Dataset::type() const { return node->type(); }

std::optional<uint64_t> Dataset::size() const {
  const std::optional<uint64_t> count = node->size();
  return count == Node::endless ? std::nullopt : count;
}

bool Dataset::hasRandomAccess() const { return node->size().has_value(); }

/// Throws DataError if a node has random access, but no such example.
static void expectIndex(const Node &node, uint64_t index) {
  const std::optional<uint64_t> count = node.size();
  if (count && index >= *count)
    throw DataError("expected an index of less than " + std::to_string(*count) +
                    ", found " + std::to_string(index));
}

Example Dataset::read(uint64_t epoch, uint64_t index) const {
  expectIndex(*node, index);
  return node->read(epoch, index);
}

std::vector<std::string> Dataset::places(uint64_t epoch, uint64_t index) const {
  expectIndex(*node, index);
  return node->places(epoch, index);
}

std::string Dataset::description() const { return node->description(); }
