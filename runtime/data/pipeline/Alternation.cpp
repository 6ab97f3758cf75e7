//===- Alternation.cpp - data sets one after the other or in turn ---------===//
#include "Combination.h"

#include <algorithm>
#include <numeric>

using namespace tg::data;

namespace {

/// A stage that takes each example from one of several data sets.
class AlternationNode : public Node {
public:
  explicit AlternationNode(std::vector<NodePtr> taken)
      : Node(commonType(taken), greatestDepth(taken)), nodes(std::move(taken)) {
  }

  /// An example of one of the data sets.
  struct Choice {
    size_t node;
    uint64_t index;
  };
  virtual Choice choose(uint64_t index) const = 0;

  std::optional<uint64_t> size() const override {
    if (!allHaveRandomAccess(nodes))
      return std::nullopt;
    uint64_t sum = 0;
    for (const NodePtr &node : nodes)
      if (__builtin_add_overflow(sum, *node->size(), &sum))
        return endless;
    return sum;
  }
  Example read(uint64_t epoch, uint64_t index) const override {
    const Choice choice = choose(index);
    return asPartOf(nodes[choice.node]->read(epoch, choice.index), choice.node);
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    const Choice choice = choose(index);
    return nodes[choice.node]->places(epoch, choice.index);
  }

protected:
  std::vector<NodePtr> nodes;
};

/// Reads data sets that have no random access.
class AlternationCursor : public Cursor {
public:
  AlternationCursor(const std::vector<NodePtr> &nodes, uint64_t epoch,
                    Workers &workers) {
    for (const NodePtr &node : nodes)
      cursors.push_back(node->open(epoch, workers));
    isAtEnd.resize(nodes.size());
  }

  void save(Numbers &numbers) const override {
    for (size_t i = 0; i < cursors.size(); ++i) {
      numbers.push_back(isAtEnd[i]);
      cursors[i]->save(numbers);
    }
  }
  void restore(NumberReader &numbers) override {
    for (size_t i = 0; i < cursors.size(); ++i) {
      isAtEnd[i] = numbers.next() != 0;
      cursors[i]->restore(numbers);
    }
  }

protected:
  /// Returns the next example of a data set, or false at its end.
  bool take(size_t node, Deferred &work) {
    Deferred read;
    if (isAtEnd[node] || !cursors[node]->next(read)) {
      isAtEnd[node] = true;
      return false;
    }
    work = [read = std::move(read), node] { return asPartOf(read(), node); };
    return true;
  }
  size_t count() const { return cursors.size(); }

private:
  std::vector<CursorPtr> cursors;
  std::vector<bool> isAtEnd;
};

//===----------------------------------------------------------------------===//
// Blocks of each data set in turn; concatenation is the case of endless blocks
//===----------------------------------------------------------------------===//

class InterleaveNode : public AlternationNode {
public:
  InterleaveNode(std::vector<NodePtr> taken, uint64_t taking)
      : AlternationNode(std::move(taken)), block(taking) {}

  Choice choose(uint64_t index) const override {
    // Searches the last round that begins at or before the index.
    uint64_t low = 0, high = index / block + 1;
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (before(middle) <= index ? low : high) = middle;
    }
    uint64_t left = index - before(low);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const uint64_t done = taken(i, low);
      const uint64_t round = std::min(block, *nodes[i]->size() - done);
      if (left < round)
        return {i, done + left};
      left -= round;
    }
    throw DataError("expected an index of less than " +
                    std::to_string(*size()) + ", found " +
                    std::to_string(index));
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    return describeAll(block == endless ? "concatenate"
                                        : "interleave " + std::to_string(block),
                       nodes);
  }

private:
  /// Returns the number of examples of a data set in the rounds before `round`.
  uint64_t taken(size_t node, uint64_t round) const {
    uint64_t limit = 0;
    if (__builtin_mul_overflow(block, round, &limit))
      limit = endless;
    return std::min(limit, *nodes[node]->size());
  }
  uint64_t before(uint64_t round) const {
    uint64_t sum = 0;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (__builtin_add_overflow(sum, taken(i, round), &sum))
        return endless;
    return sum;
  }

  uint64_t block;
};

class InterleaveCursor : public AlternationCursor {
public:
  InterleaveCursor(const std::vector<NodePtr> &nodes, uint64_t taking,
                   uint64_t epoch, Workers &workers)
      : AlternationCursor(nodes, epoch, workers), block(taking) {}

  bool next(Deferred &work) override {
    for (size_t ended = 0; ended < count();) {
      if (used < block && take(current, work)) {
        ++used;
        return true;
      }
      ended = used ? 0 : ended + 1;
      used = 0;
      current = (current + 1) % count();
    }
    return false;
  }
  void save(Numbers &numbers) const override {
    numbers.push_back(current);
    numbers.push_back(used);
    AlternationCursor::save(numbers);
  }
  void restore(NumberReader &numbers) override {
    current = numbers.next();
    used = numbers.next();
    if (current >= count())
      throw DataError("expected a position among " + std::to_string(count()) +
                      " data sets, found " + std::to_string(current));
    AlternationCursor::restore(numbers);
  }

private:
  uint64_t block;
  size_t current = 0;
  uint64_t used = 0; // examples of the current block
};

CursorPtr InterleaveNode::open(uint64_t epoch, Workers &workers) const {
  if (size())
    return Node::open(epoch, workers);
  return std::make_unique<InterleaveCursor>(nodes, block, epoch, workers);
}

//===----------------------------------------------------------------------===//
// Random choices
//===----------------------------------------------------------------------===//

/// Draws the data set of each example. Ends when the drawn one has ended.
class MixCursor : public AlternationCursor {
public:
  MixCursor(const std::vector<NodePtr> &nodes, std::vector<double> sums,
            uint64_t key, uint64_t epoch, Workers &workers)
      : AlternationCursor(nodes, epoch, workers), cumulative(std::move(sums)),
        seed(key), pass(epoch) {}

  bool next(Deferred &work) override {
    Random random(seed, pass, drawn, 0);
    const double number = random.uniform(0, cumulative.back());
    const auto chosen = static_cast<size_t>(
        std::upper_bound(cumulative.begin(), cumulative.end() - 1, number) -
        cumulative.begin());
    if (!take(chosen, work))
      return false;
    ++drawn;
    return true;
  }
  void save(Numbers &numbers) const override {
    numbers.push_back(drawn);
    AlternationCursor::save(numbers);
  }
  void restore(NumberReader &numbers) override {
    drawn = numbers.next();
    AlternationCursor::restore(numbers);
  }

private:
  std::vector<double> cumulative;
  uint64_t seed, pass;
  uint64_t drawn = 0;
};

class MixNode : public Node {
public:
  MixNode(std::vector<NodePtr> taken, std::vector<double> shares, uint64_t key)
      : Node(commonType(taken), greatestDepth(taken)), nodes(std::move(taken)),
        weights(std::move(shares)), seed(key) {}

  CursorPtr open(uint64_t epoch, Workers &workers) const override {
    std::vector<double> sums(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums.begin());
    return std::make_unique<MixCursor>(nodes, std::move(sums), seed, epoch,
                                       workers);
  }
  std::string description() const override {
    std::string text = "mix seed " + std::to_string(seed);
    for (double weight : weights)
      text += " " + std::to_string(weight);
    return describeAll(text, nodes);
  }

private:
  std::vector<NodePtr> nodes;
  std::vector<double> weights;
  uint64_t seed;
};

} // namespace

NodePtr tg::data::makeConcatenation(std::vector<NodePtr> nodes) {
  return std::make_shared<InterleaveNode>(std::move(nodes), Node::endless);
}

NodePtr tg::data::makeInterleave(std::vector<NodePtr> nodes, uint64_t block) {
  if (!block)
    throw DataError("expected blocks of at least 1 example, found 0");
  return std::make_shared<InterleaveNode>(std::move(nodes), block);
}

NodePtr tg::data::makeMix(std::vector<NodePtr> nodes,
                          std::vector<double> weights, uint64_t seed) {
  if (weights.size() != nodes.size())
    throw DataError("expected a weight for each of " +
                    std::to_string(nodes.size()) + " data sets, found " +
                    std::to_string(weights.size()));
  for (double weight : weights)
    if (!(weight > 0 && weight < 1e300))
      throw DataError("expected weights of more than 0, found " +
                      std::to_string(weight));
  return std::make_shared<MixNode>(std::move(nodes), std::move(weights), seed);
}
