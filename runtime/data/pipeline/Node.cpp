//===- Node.cpp - stages with random access, read in order ----------------===//
#include "Node.h"

using namespace tg::data;

uint64_t NumberReader::next() {
  if (isAtEnd())
    throw DataError("expected a position of this data set, found one of only " +
                    std::to_string(numbers.size()) + " numbers");
  return numbers[index++];
}

namespace {
/// Reads a node with random access in the order of the indices.
class IndexCursor : public Cursor {
public:
  IndexCursor(NodePtr read, uint64_t pass)
      : node(std::move(read)), epoch(pass), count(*node->size()) {}

  bool next(Deferred &work) override {
    if (index == count)
      return false;
    work = [node = node, epoch = epoch, index = index] {
      return node->read(epoch, index);
    };
    ++index;
    return true;
  }
  void save(Numbers &numbers) const override { numbers.push_back(index); }
  void restore(NumberReader &numbers) override {
    index = numbers.next();
    if (index > count)
      throw DataError("expected a position among " + std::to_string(count) +
                      " elements, found " + std::to_string(index));
  }

private:
  NodePtr node;
  uint64_t epoch, count;
  uint64_t index = 0;
};
} // namespace

Example Node::read(uint64_t, uint64_t) const { failWithoutRandomAccess(); }

std::vector<std::string> Node::places(uint64_t, uint64_t) const {
  failWithoutRandomAccess();
}

CursorPtr Node::open(uint64_t epoch, Workers &) const {
  return std::make_unique<IndexCursor>(self(), epoch);
}

void Node::failWithoutRandomAccess() {
  throw DataError("expected a data set with random access, found one that is "
                  "read in order");
}
