// Datasets and iterators: rows, batches, where each session reads.
#include "Errors.h"

using namespace tg;

namespace {
Array rows(int64_t count) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(float(i));
  return Array(numbers, {count});
}

/// The first array of all elements.
std::vector<std::vector<int>> listOf(const Dataset &data) {
  std::vector<std::vector<int>> list;
  for (const Dataset::Element &element : data)
    list.push_back(element[0].to<int>());
  return list;
}

using Lists = std::vector<std::vector<int>>;

TEST(Datasets, batchMapAndRepeat) {
  Dataset data = Dataset::fromTensorSlices({rows(5)});
  EXPECT_EQ(listOf(data.batch(2)), (Lists{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(listOf(data.batch(2, true)), (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(listOf(data.batch(5).repeat(2)),
            (Lists{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}}));
  EXPECT_TRUE(listOf(data.repeat(0)).empty());
  EXPECT_TRUE(listOf(Dataset::fromTensorSlices({rows(0)}).repeat()).empty());
  Dataset doubled = data.map([](const Dataset::Element &element) {
    return Dataset::Element{Array(2 * element[0].scalar(), f64)};
  });
  EXPECT_EQ(listOf(doubled.batch(5)), (Lists{{0, 2, 4, 6, 8}}));
  EXPECT_EQ(doubled.types()[0].dtype, f64);
  EXPECT_EQ(toString(doubled.batch(2, true).types()[0].shape), "[2]");
  Dataset::Position at = data.begin();
  EXPECT_EQ((*++at)[0].scalar(), 1);
  EXPECT_ERROR(data.batch(0), "at least one element");
  EXPECT_ERROR(Dataset::fromTensorSlices({rows(2), rows(3)}),
               "of equally many rows, found 2 and 3");
  EXPECT_ERROR(Dataset::fromTensorSlices({Array(1)}), "of rank 1 or more");
  EXPECT_ERROR(Dataset::fromTensorSlices({}), "at least one array");
}

TEST(Datasets, sessionsReadEachForItself) {
  Program program("data");
  Dataset data = Dataset::fromTensorSlices({rows(4), rows(4)}).batch(2);
  Iterator iterator(program, data);
  std::vector<Tensor> next = iterator.getNext();
  Session first(program, {.optimization = 1, .cache = ""}),
      second(program, {.optimization = 1, .cache = ""});
  EXPECT_ERROR(first.run(next[0]), "to have begun in this session");
  // An iterator begins before the rest is run; its arrays are of one element.
  std::map<std::string, Array> found =
      first.run(std::map<std::string, Fetch>{{"begin", iterator.initializer()},
                                             {"sum", next[0] + next[1]},
                                             {"x", next[0]}});
  EXPECT_EQ(found["sum"].to<int>(), (std::vector<int>{0, 2}));
  EXPECT_EQ(found["x"].to<int>(), (std::vector<int>{0, 1}));
  EXPECT_FALSE(found["begin"].isDefined());
  second.run(iterator.initializer());
  EXPECT_EQ(second.run(next[0]).to<int>(), (std::vector<int>{0, 1}));
  EXPECT_EQ(first.run(next[1]).to<int>(), (std::vector<int>{2, 3}));
  EXPECT_THROW(first.run(next[1]), OutOfRangeError);
  // What is fed is not read.
  EXPECT_EQ(first.run(next[1], {{next[1], {7, 8, 9}}}).to<int>(),
            (std::vector<int>{7, 8, 9}));
  Dataset other = Dataset::fromTensorSlices({rows(1), rows(1)}).batch(2);
  first.run(iterator.initializer(other));
  EXPECT_EQ(first.run(next[0]).to<int>(), std::vector<int>{0});
  EXPECT_ERROR(iterator.initializer(Dataset::fromTensorSlices({rows(1)})),
               "of the types of the iterator's");
}

TEST(Datasets, oneShotIteratorsBeginByThemselves) {
  Program program("data");
  Iterator iterator(program, Dataset::fromTensorSlices({rows(1)}),
                    {.isOneShot = true});
  Session session(program, {.optimization = 1, .cache = ""});
  EXPECT_EQ(session.run(iterator.getNext()[0]).scalar(), 0);
  EXPECT_THROW(session.run(iterator.getNext()[0]), OutOfRangeError);
}

TEST(Datasets, eagerIteratorsReadAtOnce) {
  ExecutionScope scope(true);
  Program program("data");
  Iterator iterator(program, Dataset::fromTensorSlices({rows(2)}));
  EXPECT_EQ(iterator.getNext()[0].item(), 0);
  EXPECT_EQ(iterator.getNext()[0].item(), 1);
  EXPECT_THROW(iterator.getNext(), OutOfRangeError);
  (void)iterator.initializer();
  EXPECT_EQ(iterator.getNext()[0].item(), 0);
}
} // namespace
