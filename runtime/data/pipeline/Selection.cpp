//===- Selection.cpp - parts and repetitions of data sets -----------------===//
#include "Node.h"

#include <algorithm>

using namespace tg::data;

namespace {

/// The examples of an arithmetic progression of indices.
class SelectionNode : public Stage {
public:
  SelectionNode(NodePtr before, uint64_t begin, uint64_t step, uint64_t limit)
      : Stage(std::move(before)), first(begin), stride(step), count(limit) {}

  std::optional<uint64_t> size() const override {
    const std::optional<uint64_t> all = child->size();
    if (!all)
      return all;
    if (*all == endless)
      return count;
    const uint64_t left = *all > first ? *all - first : 0;
    return std::min(count, left / stride + (left % stride != 0));
  }
  Example read(uint64_t epoch, uint64_t index) const override {
    return child->read(epoch, first + index * stride);
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    return child->places(epoch, first + index * stride);
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    return after("select(" + std::to_string(first) + ", " +
                 std::to_string(stride) + ", " +
                 (count == endless ? "all" : std::to_string(count)) + ")");
  }

private:
  uint64_t first, stride, count;
};

class SelectionCursor : public Cursor {
public:
  SelectionCursor(CursorPtr read, uint64_t begin, uint64_t step, uint64_t limit)
      : before(std::move(read)), first(begin), stride(step), count(limit) {}

  bool next(Deferred &work) override {
    if (taken == count)
      return false;
    for (uint64_t omitted = taken ? stride - 1 : first; omitted > 0; --omitted)
      if (!before->next(work))
        return false;
    if (!before->next(work))
      return false;
    ++taken;
    return true;
  }
  void save(Numbers &numbers) const override {
    numbers.push_back(taken);
    before->save(numbers);
  }
  void restore(NumberReader &numbers) override {
    taken = numbers.next();
    before->restore(numbers);
  }

private:
  CursorPtr before;
  uint64_t first, stride, count;
  uint64_t taken = 0;
};

CursorPtr SelectionNode::open(uint64_t epoch, Workers &workers) const {
  if (hasRandomAccess())
    return Node::open(epoch, workers);
  return std::make_unique<SelectionCursor>(child->open(epoch, workers), first,
                                           stride, count);
}

class RepeatNode : public Stage {
public:
  RepeatNode(NodePtr before, uint64_t times)
      : Stage(std::move(before)), count(times) {}

  std::optional<uint64_t> size() const override {
    const std::optional<uint64_t> all = child->size();
    uint64_t product = 0;
    if (!all || *all == 0 || *all == endless)
      return all;
    if (!count || __builtin_mul_overflow(*all, count, &product))
      return endless;
    return product;
  }
  Example read(uint64_t epoch, uint64_t index) const override {
    const uint64_t all = *child->size();
    return child->read(passOf(epoch, index / all), index % all);
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    const uint64_t all = *child->size();
    return child->places(passOf(epoch, index / all), index % all);
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    return after("repeat(" +
                 (count ? std::to_string(count) : std::string("endless")) +
                 ")");
  }

  /// Returns the epoch of the earlier stages for a repetition. Epoch e of the
  /// result consists of the epochs e count, e count + 1 ... If it is endless,
  /// it begins at a pseudorandom epoch, or at epoch 0 for e = 0.
  uint64_t passOf(uint64_t epoch, uint64_t repetition) const {
    if (count)
      return epoch * count + repetition;
    return (epoch ? hashCounters({epoch}) >> 1 : 0) + repetition;
  }

private:
  uint64_t count;
};

class RepeatCursor : public Cursor {
public:
  RepeatCursor(std::shared_ptr<const RepeatNode> repetition, NodePtr repeated,
               uint64_t times, uint64_t pass, Workers &threads)
      : node(std::move(repetition)), child(std::move(repeated)), count(times),
        epoch(pass), workers(threads) {
    reopen();
  }

  bool next(Deferred &work) override {
    while (!before->next(work)) {
      // An endless repetition of nothing has no examples.
      if (done + 1 == count || isEmpty)
        return false;
      ++done;
      reopen();
    }
    isEmpty = false;
    return true;
  }
  void save(Numbers &numbers) const override {
    numbers.push_back(done);
    numbers.push_back(isEmpty);
    before->save(numbers);
  }
  void restore(NumberReader &numbers) override {
    done = numbers.next();
    const bool wasEmpty = numbers.next() != 0;
    reopen();
    isEmpty = wasEmpty;
    before->restore(numbers);
  }

private:
  void reopen() {
    before = child->open(node->passOf(epoch, done), workers);
    isEmpty = true;
  }

  std::shared_ptr<const RepeatNode> node;
  NodePtr child;
  uint64_t count, epoch;
  Workers &workers;
  CursorPtr before;
  uint64_t done = 0;
  bool isEmpty = true;
};

CursorPtr RepeatNode::open(uint64_t epoch, Workers &workers) const {
  if (hasRandomAccess())
    return Node::open(epoch, workers);
  return std::make_unique<RepeatCursor>(
      std::static_pointer_cast<const RepeatNode>(self()), child, count, epoch,
      workers);
}

} // namespace

NodePtr tg::data::makeSelection(NodePtr before, uint64_t first, uint64_t stride,
                                uint64_t count) {
  return std::make_shared<SelectionNode>(std::move(before), first, stride,
                                         count);
}

NodePtr tg::data::makeRepeat(NodePtr before, uint64_t count) {
  return std::make_shared<RepeatNode>(std::move(before), count);
}
