//===- Loader.cpp - reads data sets on threads ----------------------------===//
#include "tg/data/loader.hpp"

#include "Node.h"

using namespace tg::data;

/// The elements that are read ahead, in order, and the pass that they come
/// from.
class Loader::State {
public:
  State(NodePtr data, const LoaderOptions &options, const Position &start)
      : node(std::move(data)), limit(options.threads ? options.prefetch : 1),
        position(start), epoch(start.epoch), workers(options.threads) {
    if (!limit)
      limit = 1;
    cursor = node->open(epoch, workers);
    if (start.numbers.empty())
      return;
    NumberReader numbers(start.numbers);
    cursor->restore(numbers);
    if (!numbers.isAtEnd())
      throw DataError("expected a position of this data set, found one of " +
                      std::to_string(start.numbers.size()) + " numbers");
  }

  const Example *next() {
    element = {};
    Slot slot = takeSlot();
    position = std::move(slot.position);
    if (slot.error)
      std::rethrow_exception(slot.error);
    if (slot.isEnd)
      return nullptr;
    element = slot.result.get();
    return &element;
  }

  const Position &current() const { return position; }

private:
  /// An element that is read ahead, or the end of an epoch.
  struct Slot {
    std::future<Example> result;
    Position position; // after the element
    std::exception_ptr error;
    bool isEnd = false;
  };

  Slot takeSlot() {
    std::unique_lock lock(mutex);
    requestMore(lock);
    added.wait(lock, [this] { return !queue.empty(); });
    Slot slot = std::move(queue.front());
    queue.pop_front();
    if (workers.threadCount())
      requestMore(lock);
    return slot;
  }

  /// Starts a task that fills the queue, unless one is running.
  void requestMore(std::unique_lock<std::mutex> &lock) {
    if (isFilling || queue.size() >= limit)
      return;
    isFilling = true;
    lock.unlock();
    workers.submit<void>([this] { fill(); });
    lock.lock();
  }

  /// Adds elements until the queue is full. One task at a time does this.
  void fill() {
    for (;;) {
      Slot slot = readSlot();
      std::lock_guard lock(mutex);
      queue.push_back(std::move(slot));
      isFilling = queue.size() < limit;
      added.notify_one();
      if (!isFilling)
        return;
    }
  }

  Slot readSlot() {
    Slot slot;
    try {
      if (!cursor)
        cursor = node->open(epoch, workers);
      Deferred work;
      slot.isEnd = !cursor->next(work);
      if (!slot.isEnd)
        slot.result = workers.submit<Example>(std::move(work));
    } catch (...) {
      slot.error = std::current_exception();
    }
    if (slot.isEnd) {
      // The next epoch begins when its first element is read.
      cursor = nullptr;
      ++epoch;
    }
    slot.position.epoch = epoch;
    if (cursor)
      cursor->save(slot.position.numbers);
    return slot;
  }

  NodePtr node;
  size_t limit;
  Example element;
  Position position;
  // Used by the task that fills the queue.
  uint64_t epoch;
  CursorPtr cursor;

  std::mutex mutex;
  std::condition_variable added;
  std::deque<Slot> queue;
  bool isFilling = false;
  // Joins its threads, which use all of the above, before that is destroyed.
  Workers workers;
};

Loader::Loader(const Dataset &data, const LoaderOptions &options,
               const Position &start)
    : state(std::make_unique<State>(data.node, options, start)) {}

Loader::~Loader() = default;

const Example *Loader::next() { return state->next(); }

const Position &Loader::position() const { return state->current(); }
