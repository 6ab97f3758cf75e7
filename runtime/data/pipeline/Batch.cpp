//===- Batch.cpp - examples joined along a new dimension ------------------===//
#include "Join.h"
#include "Node.h"

#include <algorithm>
#include <cstring>

using namespace tg::data;

namespace {

/// Returns the type of a batch of examples.
ExampleType batched(ExampleType type, const BatchOptions &options) {
  for (FeatureType &feature : type)
    feature.shape.insert(feature.shape.begin(),
                         options.dropsRemainder
                             ? static_cast<int64_t>(options.size)
                             : FeatureType::anyExtent);
  return type;
}

/// Joins examples of equal shapes. Each is copied as soon as it is read, so
/// that its memory is used again for the next one.
class Filled {
public:
  Filled(const ExampleType &featureTypes, uint64_t examples, Buffers &memory)
      : types(featureTypes), count(examples), buffers(memory) {}

  void add(const Example &example) {
    if (!filled)
      begin(example);
    for (size_t i = 0; i < types.size(); ++i) {
      const Feature &part = example.features[i];
      if (!haveOneType(part, batch.features[i]) || part.shape() != shapes[i])
        failDiffering(types[i], part, batch.features[i].dtype(), shapes[i]);
      if (part.byteCount())
        std::memcpy(batch.features[i].data() + filled * part.byteCount(),
                    part.data(), part.byteCount());
    }
    ++filled;
  }
  Example take() { return std::move(batch); }

private:
  /// Takes memory for as many examples as the first one.
  void begin(const Example &first) {
    batch = first;
    batch.features.clear();
    for (const Feature &part : first.features) {
      std::vector<int64_t> extents = part.shape();
      shapes.push_back(extents);
      extents.insert(extents.begin(), static_cast<int64_t>(count));
      batch.features.push_back(take(part.dtype(), std::move(extents)));
    }
  }

  Feature take(tg_dtype_t dtype, std::vector<int64_t> extents) const {
    constexpr uint64_t limit = uint64_t(1) << 39;
    const Feature batch(dtype, extents, nullptr, nullptr);
    try {
      if (batch.byteCount() <= limit)
        return buffers.take(dtype, std::move(extents));
    } catch (const std::bad_alloc &) {
    }
    throw DataError("expected memory for a batch " +
                    FeatureType{"", dtype, batch.shape()}.text() +
                    ", found too little");
  }

  const ExampleType &types;
  uint64_t count, filled = 0;
  Buffers &buffers;
  Example batch;
  std::vector<std::vector<int64_t>> shapes;
};

class BatchNode : public Stage {
public:
  BatchNode(NodePtr before, const BatchOptions &chosen)
      : Stage(before, batched(before->type(), chosen)), options(chosen) {}

  std::optional<uint64_t> size() const override {
    const std::optional<uint64_t> count = child->size();
    if (!count || *count == endless)
      return count;
    return *count / options.size +
           (!options.dropsRemainder && *count % options.size != 0);
  }
  Example read(uint64_t epoch, uint64_t index) const override {
    const auto range = rangeOf(index);
    return join(range.second - range.first, [&](uint64_t i) {
      return child->read(epoch, range.first + i);
    });
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    std::vector<std::string> all;
    const auto [first, end] = rangeOf(index);
    for (uint64_t i = first; i < end; ++i)
      for (std::string &place : child->places(epoch, i))
        all.push_back(std::move(place));
    return all;
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    return after("batch(" + std::to_string(options.size) +
                 (options.dropsRemainder ? ", drops remainder" : "") +
                 (options.pads ? ", pads" : "") + ")");
  }

  NodePtr unbatched() const override { return child; }

  /// Joins `count` examples, which read(i) returns.
  template <typename Read> Example join(uint64_t count, Read read) const {
    if (!options.pads) {
      Filled filled(child->type(), count, *buffers);
      for (uint64_t i = 0; i < count; ++i)
        filled.add(read(i));
      return filled.take();
    }
    std::vector<Example> examples;
    for (uint64_t i = 0; i < count; ++i)
      examples.push_back(read(i));
    return joinExamples(examples, child->type(), options.pads, *buffers);
  }

private:
  std::pair<uint64_t, uint64_t> rangeOf(uint64_t index) const {
    const uint64_t first = index * options.size;
    return {first, first + std::min(options.size, *child->size() - first)};
  }

  BatchOptions options;
  std::shared_ptr<Buffers> buffers = std::make_shared<Buffers>();
};

class BatchCursor : public Cursor {
public:
  BatchCursor(std::shared_ptr<const BatchNode> joining, CursorPtr read,
              const BatchOptions &chosen)
      : node(std::move(joining)), before(std::move(read)), options(chosen) {}

  bool next(Deferred &work) override {
    std::vector<Deferred> parts;
    for (Deferred part; parts.size() < options.size && before->next(part);)
      parts.push_back(std::move(part));
    if (parts.empty() ||
        (options.dropsRemainder && parts.size() < options.size))
      return false;
    work = [node = node, parts = std::move(parts)] {
      return node->join(parts.size(), [&](uint64_t i) { return parts[i](); });
    };
    return true;
  }
  void save(Numbers &numbers) const override { before->save(numbers); }
  void restore(NumberReader &numbers) override { before->restore(numbers); }

private:
  std::shared_ptr<const BatchNode> node;
  CursorPtr before;
  BatchOptions options;
};

CursorPtr BatchNode::open(uint64_t epoch, Workers &workers) const {
  if (hasRandomAccess())
    return Node::open(epoch, workers);
  return std::make_unique<BatchCursor>(
      std::static_pointer_cast<const BatchNode>(self()),
      child->open(epoch, workers), options);
}

} // namespace

NodePtr tg::data::makeBatch(NodePtr before, const BatchOptions &options) {
  if (!options.size)
    throw DataError("expected batches of at least 1 example, found 0");
  return std::make_shared<BatchNode>(std::move(before), options);
}
