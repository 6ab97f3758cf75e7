/// The stages of data sets.
#ifndef TG_RUNTIME_DATA_PIPELINE_NODE_H
#define TG_RUNTIME_DATA_PIPELINE_NODE_H

#include "Workers.h"
#include "tg/data/dataset.hpp"

namespace tg::data {

/// The work that makes one example, which any thread may do.
using Deferred = std::function<Example()>;

/// The numbers of a position, written and read in the same order.
using Numbers = std::vector<uint64_t>;
class NumberReader {
public:
  explicit NumberReader(const Numbers &all) : numbers(all) {}

  /// Returns the next number. Throws DataError if there is none.
  uint64_t next();
  bool isAtEnd() const { return index == numbers.size(); }

private:
  const Numbers &numbers;
  size_t index = 0;
};

/// A pass over the examples of a stage, used by one thread at a time. It
/// decides the order; the work is deferred.
class Cursor {
public:
  virtual ~Cursor() = default;

  /// Returns the work of the next example. Returns false at the end.
  virtual bool next(Deferred &work) = 0;
  /// Writes the position after the last example.
  virtual void save(Numbers &numbers) const = 0;
  /// Continues a new cursor at a position that save() wrote.
  virtual void restore(NumberReader &numbers) = 0;
};

using NodePtr = std::shared_ptr<const Node>;
using CursorPtr = std::unique_ptr<Cursor>;

/// A stage of a data set, or its source. Nodes are immutable.
class Node : public std::enable_shared_from_this<Node> {
public:
  /// The number of examples of an endless data set.
  static constexpr uint64_t endless = ~uint64_t(0);

  virtual ~Node() = default;

  const ExampleType &type() const { return exampleType; }
  /// Returns the number of stages below this one, which distinguishes the
  /// random choices of stages.
  uint64_t depth() const { return stages; }

  /// Returns the number of examples, or none without random access.
  virtual std::optional<uint64_t> size() const { return std::nullopt; }
  /// Reads an example of a node with random access.
  virtual Example read(uint64_t epoch, uint64_t index) const;
  virtual std::vector<std::string> places(uint64_t epoch, uint64_t index) const;
  /// Begins a pass. The default reads by index.
  virtual CursorPtr open(uint64_t epoch, Workers &workers) const;
  virtual std::string description() const = 0;
  /// Returns the stage before the batches if this stage makes or maps them, or
  /// itself.
  virtual std::shared_ptr<const Node> unbatched() const { return self(); }

protected:
  Node(ExampleType examples, uint64_t depth)
      : exampleType(std::move(examples)), stages(depth) {}

  std::shared_ptr<const Node> self() const { return shared_from_this(); }
  [[noreturn]] static void failWithoutRandomAccess();

private:
  ExampleType exampleType;
  uint64_t stages;
};

/// A stage over one other stage.
class Stage : public Node {
protected:
  Stage(NodePtr before, ExampleType examples, uint64_t stages = 1)
      : Node(std::move(examples), before->depth() + stages),
        child(std::move(before)) {}
  explicit Stage(NodePtr before) : Stage(before, before->type()) {}

  bool hasRandomAccess() const { return child->size().has_value(); }
  /// Appends this stage to the description of the stages below.
  std::string after(const std::string &stage) const {
    return child->description() + " | " + stage;
  }

  NodePtr child;
};

NodePtr makeSource(std::shared_ptr<const Source> source);
NodePtr makeStream(std::shared_ptr<const Stream> stream);
NodePtr makeZip(std::vector<NodePtr> nodes);
NodePtr makeConcatenation(std::vector<NodePtr> nodes);
NodePtr makeInterleave(std::vector<NodePtr> nodes, uint64_t block);
NodePtr makeMix(std::vector<NodePtr> nodes, std::vector<double> weights,
                uint64_t seed);
NodePtr makeMap(NodePtr before, MapFunction function, MapOptions options);
NodePtr makeFilter(NodePtr before, std::function<bool(const Example &)> keeps);
NodePtr makeShuffle(NodePtr before, const ShuffleOptions &options);
NodePtr makeBatch(NodePtr before, const BatchOptions &options);
NodePtr makeBucketed(NodePtr before, BucketOptions options);
NodePtr makeCache(NodePtr before);
/// Returns examples first, first + stride ... of an epoch, at most `count`.
NodePtr makeSelection(NodePtr before, uint64_t first, uint64_t stride,
                      uint64_t count);
NodePtr makeRepeat(NodePtr before, uint64_t count);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_NODE_H
