/// A dataset of the rows of a [4, 2] array in batches of 2: two batches of [2,
/// 2] in both modes, then the end. In a graph an iterator returns both batches
/// again whenever its initializer runs.
#include "Modes.h"
using namespace tg;

/// Returns rows 0, 1, 2 … of two numbers each.
static Array rowsOf(int64_t rows, float first) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < 2 * rows; ++i)
    numbers.push_back(first + float(i));
  return Array(numbers, {rows, 2});
}

static void expectBatch(const std::vector<float> &found, size_t batch,
                        float first) {
  for (size_t i = 0; i < found.size(); ++i)
    check(found[i] == first + float(4 * batch + i), "the rows in their order");
}

static void runEagerly(const Dataset &data, float first, size_t batches) {
  ExecutionScope scope(true);
  Program program("data");
  Iterator iterator(program, data);
  size_t count = 0;
  try {
    for (;; ++count) {
      Tensor batch = iterator.getNext()[0];
      std::cout << "eager: " << batch << '\n';
      expectBatch(batch.values<float>(), count, first);
    }
  } catch (const OutOfRangeError &end) {
    std::cout << end.message << '\n';
  }
  check(count == batches, std::to_string(batches) + " batches");
}

static void runInGraph(const Dataset &data, float first, size_t batches) {
  ExecutionScope scope(false);
  Program program("data");
  Iterator iterator(program, data);
  Tensor next = iterator.getNext()[0];
  Session session(program);
  expectError("run its initializer() first", [&] { session.run(next); });
  for (int epoch = 0; epoch < 2; ++epoch) {
    session.run(iterator.initializer());
    size_t count = 0;
    try {
      for (;; ++count) {
        Array batch = session.run(next);
        std::cout << "graph: " << batch << '\n';
        expectBatch(batch.to<float>(), count, first);
      }
    } catch (const OutOfRangeError &end) {
      std::cout << end.message << '\n';
    }
    check(count == batches, std::to_string(batches) + " batches");
  }
  // All fetches of a run see the same element, and one-shot iterators need no
  // initialization.
  Iterator once(program, data, {.isOneShot = true});
  Tensor row = once.getNext()[0];
  std::vector<Array> both = session.run({row * 2.0, row});
  check(both[0].at(1) == 2 * both[1].at(1), "one batch in a run");
}

static void run(int64_t rows, int64_t size, float first, size_t batches) {
  Dataset data = Dataset::fromTensorSlices({rowsOf(rows, first)}).batch(size);
  for (const std::vector<Array> &batch : data)
    check(batch[0].shape()[1] == 2, "batches of rows of two");
  runEagerly(data, first, batches);
  runInGraph(data, first, batches);
}

int main() {
  run(4, 2, 0, 2);
  run(5, 2, 10, 3); // the last batch is smaller
}
