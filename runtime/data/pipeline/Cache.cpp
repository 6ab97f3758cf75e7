//===- Cache.cpp - examples kept in memory --------------------------------===//
#include "Node.h"

using namespace tg::data;

namespace {

/// The examples of the first epoch that were read. Thread-safe.
class Kept {
public:
  std::optional<Example> find(uint64_t index) {
    std::lock_guard lock(mutex);
    if (index < examples.size())
      return examples[index];
    return std::nullopt;
  }
  void put(uint64_t index, const Example &example) {
    std::lock_guard lock(mutex);
    if (index >= examples.size())
      examples.resize(index + 1);
    count += !examples[index];
    examples[index] = example;
  }
  /// Sets the number of examples of the data set.
  void setEnd(uint64_t end) {
    std::lock_guard lock(mutex);
    size = end;
  }
  /// Returns the number of examples if all of them are here.
  std::optional<uint64_t> sizeIfWhole() {
    std::lock_guard lock(mutex);
    return size == count ? std::optional(count) : std::nullopt;
  }

private:
  std::mutex mutex;
  std::vector<std::optional<Example>> examples;
  uint64_t count = 0;
  uint64_t size = Node::endless;
};

/// Passes the examples of the first epoch on and keeps them, or reads those
/// that are kept.
class CacheCursor : public Cursor {
public:
  CacheCursor(std::shared_ptr<Kept> all, CursorPtr read, uint64_t pass)
      : kept(std::move(all)), before(std::move(read)), epoch(pass),
        whole(kept->sizeIfWhole()) {}

  bool next(Deferred &work) override {
    Deferred read;
    if (whole ? index == *whole : !before->next(read)) {
      if (!whole)
        kept->setEnd(index);
      return false;
    }
    work = [kept = kept, index = index, epoch = epoch, read] {
      std::optional<Example> example = kept->find(index);
      if (!example) {
        example = read();
        kept->put(index, *example);
      }
      example->epoch = epoch;
      return *example;
    };
    ++index;
    return true;
  }
  void save(Numbers &numbers) const override { numbers.push_back(index); }
  void restore(NumberReader &numbers) override {
    const uint64_t end = numbers.next();
    for (Deferred skipped; index < end && next(skipped);)
      ;
  }

private:
  std::shared_ptr<Kept> kept;
  CursorPtr before;
  uint64_t epoch;
  std::optional<uint64_t> whole;
  uint64_t index = 0;
};

class CacheNode : public Stage {
public:
  explicit CacheNode(NodePtr before) : Stage(std::move(before)) {}

  std::optional<uint64_t> size() const override { return child->size(); }
  Example read(uint64_t epoch, uint64_t index) const override {
    std::optional<Example> example = kept->find(index);
    if (!example) {
      example = child->read(0, index);
      kept->put(index, *example);
    }
    example->epoch = epoch;
    return *example;
  }
  std::vector<std::string> places(uint64_t, uint64_t index) const override {
    return child->places(0, index);
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override {
    if (hasRandomAccess())
      return Node::open(epoch, workers);
    return std::make_unique<CacheCursor>(kept, child->open(0, workers), epoch);
  }
  std::string description() const override { return after("cache"); }

private:
  std::shared_ptr<Kept> kept = std::make_shared<Kept>();
};

} // namespace

NodePtr tg::data::makeCache(NodePtr before) {
  return std::make_shared<CacheNode>(std::move(before));
}
