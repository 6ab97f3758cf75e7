//===- Shuffle.cpp - random orders ----------------------------------------===//
#include "Node.h"
#include "Permutation.h"

#include <algorithm>

using namespace tg::data;

namespace {

class ShuffleNode : public Stage {
public:
  ShuffleNode(NodePtr before, const ShuffleOptions &chosen)
      : Stage(std::move(before)), options(chosen) {}

  std::optional<uint64_t> size() const override { return child->size(); }
  Example read(uint64_t epoch, uint64_t index) const override {
    return child->read(epoch, ordered(epoch, index));
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    return child->places(epoch, ordered(epoch, index));
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    return after("shuffle(seed " + std::to_string(options.seed) + ", buffer " +
                 std::to_string(options.buffer) +
                 (options.reshuffles ? "" : ", once") + ")");
  }

  /// Returns the key of the permutation of a block.
  uint64_t keyOf(uint64_t epoch, uint64_t block) const {
    return hashCounters(
        {options.seed, options.reshuffles ? epoch : 0, depth(), block});
  }

private:
  uint64_t ordered(uint64_t epoch, uint64_t index) const {
    const uint64_t count = *child->size();
    if (!options.buffer || options.buffer >= count)
      return last->get(keyOf(epoch, 0), count)->at(index);
    const uint64_t block = index / options.buffer;
    const uint64_t first = block * options.buffer;
    return first + last->get(keyOf(epoch, block),
                             std::min(options.buffer, count - first))
                       ->at(index - first);
  }

  ShuffleOptions options;
  /// The permutation of the block that was read last.
  std::unique_ptr<LastPermutation> last = std::make_unique<LastPermutation>();
};

/// Reads blocks of examples and permutes each of them. A position has the
/// begin of the block, which is read again.
class ShuffleCursor : public Cursor {
public:
  ShuffleCursor(std::shared_ptr<const ShuffleNode> shuffle, CursorPtr read,
                uint64_t pass, uint64_t buffer)
      : node(std::move(shuffle)), before(std::move(read)), epoch(pass),
        size(buffer) {
    before->save(begin);
  }

  bool next(Deferred &work) override {
    if (taken == block.size()) {
      if (isRead)
        ++number;
      readBlock();
    }
    if (block.empty())
      return false;
    const uint64_t key = node->keyOf(epoch, number);
    work = block[permutation.get(key, block.size())->at(taken)];
    ++taken;
    return true;
  }
  void save(Numbers &numbers) const override {
    numbers.push_back(number);
    numbers.push_back(taken);
    numbers.insert(numbers.end(), begin.begin(), begin.end());
  }
  void restore(NumberReader &numbers) override {
    number = numbers.next();
    const uint64_t done = numbers.next();
    before->restore(numbers);
    begin.clear();
    before->save(begin);
    readBlock();
    if (done > block.size())
      throw DataError("expected a position in a block of " +
                      std::to_string(block.size()) + " examples, found " +
                      std::to_string(done));
    taken = done;
  }

private:
  void readBlock() {
    begin.clear();
    before->save(begin);
    block.clear();
    taken = 0;
    isRead = true;
    for (Deferred work; block.size() < size && before->next(work);)
      block.push_back(std::move(work));
  }

  std::shared_ptr<const ShuffleNode> node;
  CursorPtr before;
  uint64_t epoch, size;
  Numbers begin; // the position of the block
  std::vector<Deferred> block;
  LastPermutation permutation; // of the block
  uint64_t number = 0, taken = 0;
  bool isRead = false;
};

CursorPtr ShuffleNode::open(uint64_t epoch, Workers &workers) const {
  if (hasRandomAccess())
    return Node::open(epoch, workers);
  return std::make_unique<ShuffleCursor>(
      std::static_pointer_cast<const ShuffleNode>(self()),
      child->open(epoch, workers), epoch, options.buffer);
}

} // namespace

NodePtr tg::data::makeShuffle(NodePtr before, const ShuffleOptions &options) {
  if (!options.buffer && !before->size())
    throw DataError("expected a buffer to shuffle a data set without random "
                    "access, found none");
  if (!options.buffer && *before->size() == Node::endless)
    throw DataError(
        "expected a buffer to shuffle an endless data set, found none");
  return std::make_shared<ShuffleNode>(std::move(before), options);
}
