/// A function of the program returns one example after the other, which are
/// shuffled and batched: TensorFlow's py_func and shuffle_batch(batch_size,
/// capacity, min_after_dequeue). 100 examples in batches of 8 are 12 batches; 4
/// examples are dropped.
#include "Scenario.h"
#include <set>
using namespace tg;

static constexpr int64_t kExamples = 100, kBatch = 8, kCapacity = 40;

/// Example i: an image [2, 2] of bytes i, and the label i mod 10.
static Dataset::Reader openExamples(int64_t) {
  return [i = 0](Dataset::Element &element) mutable {
    if (i == kExamples)
      return false;
    element = {Array(std::vector<uint8_t>(4, uint8_t(i)), {2, 2}),
               Array(std::vector<int32_t>{i % 10}, {})};
    ++i;
    return true;
  };
}

/// Reads the data once and returns the examples in their order.
static std::vector<int> readEpoch(Session &session, const Iterator &iterator,
                                  const std::vector<Tensor> &fetches) {
  session.run(iterator.initializer());
  std::vector<int> order;
  try {
    for (;;) {
      std::vector<Array> found = session.run(fetches);
      check(found[0].shape() == std::vector<int64_t>{kBatch, 2, 2} &&
                found[1].shape() == std::vector<int64_t>{kBatch},
            "batches of the declared size");
      for (int64_t row = 0; row < kBatch; ++row) {
        int i = int(std::lround(found[0].at(size_t(4 * row)) * 255));
        check(found[1].at(size_t(row)) == i % 10, "the label of its image");
        check(std::abs(found[2].at(size_t(row)) - i / 255.0) < 1e-6,
              "the mean of its image");
        order.push_back(i);
      }
    }
  } catch (const OutOfRangeError &error) {
    std::cout << order.size() << " examples, then: " << error.message << '\n';
  }
  return order;
}

int main() {
  Program program("inputs");
  Dataset data = Dataset::fromReader({{u8, {2, 2}}, {i32, {}}}, openExamples)
                     .shuffle(kCapacity, {.seed = 20})
                     .batch(kBatch, /*dropRemainder=*/true);
  check(toString(data.types()[0].shape) == "[8, 2, 2]", "a declared size");
  Iterator iterator(program, data);
  std::vector<Tensor> next = iterator.getNext();
  Tensor image = cast(next[0], f32) / 255.0;
  Session session(program);
  std::vector<int> first, second;
  for (std::vector<int> *order : {&first, &second}) {
    *order = readEpoch(session, iterator,
                       {image, next[1], reduceMean(image, {{1, 2}})});
    check(order->size() == 96, "12 batches of 8");
    check(std::set<int>(order->begin(), order->end()).size() == 96,
          "no example twice");
    for (size_t i = 0; i < order->size(); ++i)
      check((*order)[i] < int64_t(i) + kCapacity,
            "no example before the buffer has it");
  }
  check(first != second, "another order in the next epoch");
}
