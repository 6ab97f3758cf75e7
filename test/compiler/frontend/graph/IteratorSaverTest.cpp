/// Tests places of iterators in files: a restored program continues with the
/// next element.
#include "../Errors.h"

#include <numeric>

using namespace tg;

namespace {

/// Returns the numbers below `count` as a dataset.
Dataset numbersBelow(int count) {
  std::vector<float> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return Dataset::fromTensorSlices({Array(numbers, {count})});
}

/// Returns shuffled batches, which threads prepare ahead.
Dataset shuffledBatches(uint32_t threads) {
  return numbersBelow(20)
      .shuffle(20, {.seed = 5})
      .map([](const Dataset::Element &element) { return element; }, threads)
      .batch(3);
}

std::string pathOf(const char *name) { return testing::TempDir() + name; }

/// A graph with an iterator over shuffled batches, and a session.
struct InSession {
  explicit InSession(uint32_t threads, const IteratorOptions &options = {},
                     Dataset data = {})
      : batches(program, data.types().empty() ? shuffledBatches(threads) : data,
                options),
        next(batches.getNext()[0]), session(program) {
    saver.add("batches", batches);
  }
  /// Returns the next batch, or nothing at the end.
  std::vector<float> read() {
    try {
      const Array batch = session.run(next);
      return batch.to<float>();
    } catch (const OutOfRangeError &) {
      return {};
    }
  }

  Program program{"net"};
  Variable w = program.variable("w", f32, {}, 1.0);
  Iterator batches;
  Tensor next;
  Session session;
  Saver saver{w};
};

/// An eager program with such an iterator.
struct InEagerMode {
  explicit InEagerMode(uint32_t threads)
      : batches(program, shuffledBatches(threads)) {
    saver.add("batches", batches);
  }
  std::vector<float> read() {
    try {
      return batches.getNext()[0].values<float>();
    } catch (const OutOfRangeError &) {
      return {};
    }
  }

  ExecutionScope scope{true};
  Program program{"net"};
  Variable w = program.variable("w", f32, {}, 1.0);
  Iterator batches;
  Saver saver{w};
};

} // namespace

// After each number of elements, and in the second pass, with other numbers of
// threads.
TEST(IteratorSaverTest, ASessionContinuesAtEachPlace) {
  const std::string path = pathOf("session-place.safetensors");
  InSession first(3);
  first.session.run(first.program.initializer());
  for (int pass = 0; pass < 2; ++pass) {
    first.session.run(first.batches.initializer());
    for (int i = 0; i <= 7; ++i) {
      first.saver.save(first.session, path);
      InSession second(1 + static_cast<uint32_t>(i) % 2);
      second.saver.restore(second.session, path);
      const std::vector<float> expected = first.read();
      EXPECT_EQ(second.read(), expected) << pass << " " << i;
      EXPECT_EQ(expected.empty(), i == 7);
      // The pass after it has the same order, too.
      if (i == 3) {
        InSession third(2);
        third.saver.restore(third.session, path);
        third.session.run(third.batches.initializer());
        InSession fourth(1);
        fourth.session.run(fourth.batches.initializer());
        const std::vector<float> ofPass0 = fourth.read();
        EXPECT_NE(third.read(), ofPass0);
      }
    }
    first.saver.save(first.session, path);
    InSession atEnd(1);
    atEnd.saver.restore(atEnd.session, path);
    EXPECT_TRUE(atEnd.read().empty());
  }
}

TEST(IteratorSaverTest, AnEagerProgramContinues) {
  const std::string path = pathOf("eager-place.safetensors");
  InEagerMode first(3);
  (void)first.read();
  (void)first.batches.initializer();
  (void)first.read();
  (void)first.read();
  first.saver.save(path);
  std::vector<std::vector<float>> expected, found;
  for (int i = 0; i < 6; ++i)
    expected.push_back(first.read());
  (void)first.batches.initializer();
  expected.push_back(first.read());
  InEagerMode second(1);
  second.saver.restore(path);
  for (int i = 0; i < 6; ++i)
    found.push_back(second.read());
  (void)second.batches.initializer();
  found.push_back(second.read());
  EXPECT_EQ(found, expected);
}

TEST(IteratorSaverTest, ModesShareFiles) {
  const std::string path = pathOf("modes-place.safetensors");
  std::vector<float> expected;
  {
    InEagerMode eager(2);
    (void)eager.read();
    eager.saver.save(path);
    expected = eager.read();
  }
  InSession graph(1);
  graph.saver.restore(graph.session, path);
  EXPECT_EQ(graph.read(), expected);
}

TEST(IteratorSaverTest, PlacesBeforeTheFirstElement) {
  const std::string path = pathOf("first-place.safetensors");
  InSession idle(1);
  idle.session.run(idle.program.initializer());
  idle.saver.save(idle.session, path);
  InSession used(1);
  used.session.run(used.batches.initializer());
  (void)used.read();
  used.saver.restore(used.session, path);
  EXPECT_ERROR(used.session.run(used.next), "to be initialized");
  InSession oneShot(1, {.isOneShot = true});
  oneShot.saver.restore(oneShot.session, path);
  used.session.run(used.batches.initializer());
  EXPECT_EQ(oneShot.read(), used.read());
}

TEST(IteratorSaverTest, ObjectsHaveIteratorsToo) {
  const std::string path = pathOf("object-place.safetensors");
  InSession first(1);
  first.session.run(first.program.initializer());
  first.session.run(first.batches.initializer());
  (void)first.read();
  Checkpoint({{"model", {first.w}}})
      .add("data", first.batches)
      .save(first.session, path);
  InSession second(1);
  Checkpoint({{"model", {second.w}}})
      .add("data", second.batches)
      .restore(second.session, path);
  EXPECT_EQ(second.read(), first.read());
  // A saver by name finds them in the same file.
  InSession third(1);
  Saver(third.w).add("data", third.batches).restore(third.session, path);
  EXPECT_FALSE(third.read().empty());
}

TEST(IteratorSaverTest, TheDatasetOfAnInitializerCounts) {
  const std::string path = pathOf("other-place.safetensors");
  InSession first(1);
  first.session.run(first.program.initializer());
  const Dataset other = numbersBelow(30).batch(3);
  first.session.run(first.batches.initializer(other));
  (void)first.read();
  first.saver.save(first.session, path);
  InSession second(1);
  second.session.run(second.batches.initializer(other));
  second.saver.restore(second.session, path);
  EXPECT_EQ(second.read(), (std::vector<float>{3, 4, 5}));
}

TEST(IteratorSaverTest, RefusesAnotherDataset) {
  const std::string path = pathOf("wrong-place.safetensors");
  InSession first(1);
  first.session.run(first.program.initializer());
  first.session.run(first.batches.initializer());
  (void)first.read();
  first.saver.save(first.session, path);
  InSession second(1, {}, numbersBelow(20).shuffle(20, {.seed = 6}).batch(3));
  second.session.run(second.batches.initializer());
  const std::vector<float> expected = [&] {
    InSession third(1, {}, numbersBelow(20).shuffle(20, {.seed = 6}).batch(3));
    third.session.run(third.batches.initializer());
    return third.read();
  }();
  second.session.setValue(second.w, 7.0f);
  EXPECT_ERROR(second.saver.restore(second.session, path),
               "is a place in another dataset: expected '");
  // Nothing has changed.
  EXPECT_EQ(second.session.value(second.w).scalar(), 7);
  EXPECT_EQ(second.read(), expected);
}

TEST(IteratorSaverTest, RefusesWhatIsNotThere) {
  const std::string path = pathOf("no-place.safetensors");
  InSession first(1);
  first.session.run(first.program.initializer());
  Saver(first.w).save(first.session, path);
  EXPECT_ERROR(first.saver.restore(first.session, path),
               "expected an iterator 'batches' in '");
  EXPECT_ERROR(first.saver.add("batches", first.batches),
               "found two with the name 'batches'");
  InSession second(1);
  EXPECT_ERROR(first.saver.add("others", second.batches),
               "expected an iterator of the program of the variables");
  Tensor handle = first.program.input("handle", i64, {});
  EXPECT_ERROR(
      first.saver.add("either",
                      Iterator::fromHandle(handle, shuffledBatches(1).types())),
      "found one that follows handles");
}
