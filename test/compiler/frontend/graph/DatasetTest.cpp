// Tests datasets and iterators: rows, batches, the position of each session.
#include "../Errors.h"

#include "tg/data/dataset.hpp"

using namespace tg;

namespace {
Array rows(int64_t count) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(float(i));
  return Array(numbers, {count});
}

/// Returns the first array of each element.
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
  EXPECT_ERROR(data.batch(0), "batches of at least 1, found 0");
  EXPECT_ERROR(Dataset::fromTensorSlices({rows(2), rows(3)}),
               "of equally many rows, found 2 and 3");
  EXPECT_ERROR(Dataset::fromTensorSlices({Array(1)}), "of rank 1 or more");
  EXPECT_ERROR(Dataset::fromTensorSlices({}), "at least one array");
}

/// Returns the first number of each element of one pass.
std::vector<int> passOf(const Dataset &data, int64_t pass = 0) {
  std::vector<int> list;
  Dataset::Reader reader = data.read(pass);
  for (Dataset::Element element; reader(element);)
    list.push_back(int(element[0].at(0)));
  return list;
}

TEST(Datasets, shufflesBySeedAndPass) {
  Dataset data = Dataset::fromTensorSlices({rows(50)});
  Dataset shuffled = data.shuffle(50, {.seed = 1});
  std::vector<int> first = passOf(shuffled);
  std::vector<int> second = passOf(shuffled, 1);
  EXPECT_EQ(passOf(shuffled), first) << "the same for the same pass";
  EXPECT_NE(first, second);
  EXPECT_NE(passOf(data.shuffle(50, {.seed = 2})), first);
  std::vector<int> all = passOf(data);
  std::vector<int> sorted = first;
  EXPECT_NE(first, all);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, all);
  // Repetitions are consecutive passes; they have the same order only if
  // reshuffling is off.
  std::vector<int> both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(passOf(shuffled.repeat(2)), both);
  EXPECT_EQ(passOf(shuffled.repeat().take(100)), both);
  std::vector<int> next = passOf(shuffled.repeat(2), 1);
  EXPECT_EQ(std::vector(next.begin(), next.begin() + 50), passOf(shuffled, 2));
  Dataset fixed = data.shuffle(50, {.seed = 1, .reshuffles = false});
  EXPECT_EQ(passOf(fixed, 1), passOf(fixed));
  // A buffer of k elements moves no element forward by k positions or more.
  std::vector<int> near = passOf(data.shuffle(5));
  for (int i = 0; i < 50; ++i)
    EXPECT_LT(near[size_t(i)], i + 5);
  EXPECT_EQ(passOf(data.shuffle(1)), all);
  EXPECT_ERROR(data.shuffle(0), "a buffer of at least 1, found 0");
}

TEST(Datasets, everyOrderIsEquallyLikely) {
  Dataset data = Dataset::fromTensorSlices({rows(3)}).shuffle(3);
  std::map<std::vector<int>, int> counts;
  for (int64_t pass = 0; pass < 6000; ++pass)
    ++counts[passOf(data, pass)];
  EXPECT_EQ(counts.size(), 6u);
  for (const auto &[order, count] : counts)
    EXPECT_NEAR(count, 1000, 150); // 5 deviations
}

TEST(Datasets, takesSkipsAndKeeps) {
  int reads = 0;
  Dataset counted =
      Dataset::fromReader({{f32, {}}}, [&](int64_t pass) -> Dataset::Reader {
        return [&reads, pass, i = 0](Dataset::Element &element) mutable {
          ++reads;
          element = {Array(double(100 * pass + i), f32)};
          return i++ < 4;
        };
      });
  EXPECT_EQ(passOf(counted, 2), (std::vector<int>{200, 201, 202, 203}));
  EXPECT_EQ(passOf(counted.take(2)), (std::vector<int>{0, 1}));
  EXPECT_EQ(passOf(counted.skip(3)), std::vector<int>{3});
  EXPECT_TRUE(passOf(counted.skip(9)).empty());
  EXPECT_EQ(passOf(counted.take(9)).size(), 4u);
  EXPECT_ERROR(counted.take(-1), "at least 0, found -1");
  EXPECT_ERROR(counted.skip(-1), "at least 0, found -1");
  Dataset kept = counted.cache();
  reads = 0;
  EXPECT_EQ(passOf(kept), passOf(kept, 1));
  EXPECT_EQ(reads, 5);
  (void)passOf(counted.cache().take(2)); // incomplete pass: no cache
}

/// Examples of tg::Data are elements with the same arrays, of which no copy is
/// made.
TEST(Datasets, takesExamplesOfFiles) {
  data::Feature numbers({TG_DTYPE_INT, 32, 1}, {6});
  for (size_t i = 0; i < 6; ++i)
    numbers.values<int32_t>()[i] = int32_t(i);
  const data::Dataset examples =
      data::Dataset::fromArrays({"n"}, {numbers}).shuffle({.seed = 3});
  Dataset data = Dataset::from(examples.batch({.size = 4}), 2);
  EXPECT_EQ(data.types()[0].dtype, i32);
  EXPECT_EQ(toString(data.types()[0].shape), "[?]");
  Lists expected(2);
  for (uint64_t i = 0; i < 6; ++i)
    expected[i / 4].push_back(
        examples.read(0, i).features[0].values<int32_t>()[0]);
  EXPECT_EQ(listOf(data), expected);
  Dataset::Element first;
  ASSERT_TRUE(Dataset::from(data::Dataset::fromArrays({"n"}, {numbers}))
                  .read()(first));
  EXPECT_EQ(first[0].data(), numbers.data());
  EXPECT_ERROR(Dataset::from(data::Dataset::fromArrays(
                   {"n"}, {data::Feature({TG_DTYPE_UINT, 16, 1}, {3})})),
               "expected an element type of the graph, found ui16");
  EXPECT_ERROR(Dataset::from(examples, 0), "a number of threads of at least 1");
}

TEST(Datasets, mapsByThreadsInOrder) {
  Dataset data = Dataset::fromTensorSlices({rows(40)});
  auto twice = [](const Dataset::Element &element) {
    return Dataset::Element{Array(2 * element[0].scalar(), f32)};
  };
  EXPECT_EQ(passOf(data.map(twice, 4)), passOf(data.map(twice)));
  auto fails = [](const Dataset::Element &element) -> Dataset::Element {
    if (element[0].scalar() == 7)
      throw std::runtime_error("seven");
    return element;
  };
  EXPECT_THROW(passOf(data.map(fails, 4)), std::runtime_error);
  EXPECT_ERROR(data.map(twice, 0), "a number of threads of at least 1");
}

/// Reads all elements; errors name the lines of the stages.
void readAll(const Dataset &data) {
  Dataset::Reader reader = data.read();
  for (Dataset::Element element; reader(element);)
    ASSERT_FALSE(element.empty());
}

/// Returns a dataset with the single element `element`, declared as f32 [2].
Dataset gives(const Dataset::Element &element,
              std::source_location where = std::source_location::current()) {
  return Dataset::fromReader(
      {{f32, {2}}},
      [=](int64_t) -> Dataset::Reader {
        return [=, count = 0](Dataset::Element &next) mutable {
          next = element;
          return count++ == 0;
        };
      },
      where);
}

/// Returns a dataset that maps all elements except the first one to `later`.
Dataset
mapsLater(const Dataset::Element &later, uint32_t threads = 1,
          std::source_location where = std::source_location::current()) {
  auto function = [=](const Dataset::Element &element) {
    return element[0].scalar() == 0 ? element : later;
  };
  return Dataset::fromTensorSlices({rows(3)}).map(function, threads, where);
}

TEST(Datasets, elementsKeepTheirTypes) {
  EXPECT_ERROR(readAll(mapsLater({}).batch(2)), "of 1 array, found 0");
  EXPECT_ERROR(readAll(mapsLater({}, 2)), "an element of 1 array, found 0");
  EXPECT_ERROR(readAll(mapsLater({Array()})), "f32 [], found nothing");
  EXPECT_ERROR(readAll(mapsLater({rows(2)}).batch(2)),
               "expected array 0 of an element to be f32 [], found f32 [2]");
  EXPECT_ERROR(readAll(mapsLater({Array(1, i32)})), "f32 [], found i32 []");
  EXPECT_ERROR(readAll(gives({})), "an element of 1 array, found 0");
  EXPECT_ERROR(readAll(gives({rows(3)})), "be f32 [2], found f32 [3]");
  EXPECT_ERROR(readAll(gives({Array(std::vector<int32_t>{1, 2, 3}, {3})})),
               "expected array 0 of an element to be f32 [2], found i32 [3]");
  EXPECT_ERROR(
      mapsLater({}).skip(1).map([](auto &) { return Dataset::Element(); }),
      "of 1 array, found 0");
  EXPECT_ERROR(gives({rows(2)}).map([](auto &) { return Dataset::Element(); }),
               "a function that gives at least one array, found none");
  readAll(gives({rows(2)}));
}

TEST(Datasets, elementsOfABatchAreOfOneShape) {
  auto open = [](int64_t) -> Dataset::Reader {
    return [count = 0](Dataset::Element &element) mutable {
      element = {rows(++count)};
      return count < 4;
    };
  };
  Dataset varying = Dataset::fromReader({{f32, {dim()}}}, open);
  auto same = [](const Dataset::Element &element) { return element; };
  readAll(varying.map(same).batch(1));
  EXPECT_ERROR(readAll(varying.map(same).batch(2)),
               "of one type and shape in a batch, found f32 [1] and f32 [2]");
}

TEST(Datasets, sessionsRefuseElementsOfOtherTypes) {
  Program program("data");
  Dataset data = gives({});
  unsigned line = __LINE__ - 1;
  Iterator iterator(program, data, {.isOneShot = true});
  Session session(program, {.optimization = 1, .kernelCache = ""});
  try {
    session.run(iterator.getNext()[0]);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line) << error.what();
  }
}

TEST(Datasets, handlesChooseAtRunTime) {
  Program program("data");
  Tensor handle = program.input("handle", i64, {});
  Dataset few = Dataset::fromTensorSlices({rows(2)}).repeat();
  Dataset many = Dataset::fromTensorSlices({rows(9)}).skip(5);
  Iterator training(program, few, {.isOneShot = true}),
      validation(program, many);
  Iterator either = Iterator::fromHandle(handle, few.types());
  Tensor twice = either.getNext()[0] * 2.0;
  Session session(program, {.optimization = 1, .kernelCache = ""});
  auto run = [&](int64_t chosen,
                 std::source_location line = std::source_location::current()) {
    return session.run(twice, {{handle, chosen, line}}, line).scalar();
  };
  EXPECT_EQ(run(training.handle()), 0);
  EXPECT_ERROR(run(validation.handle()), "to be initialized in this session");
  session.run(validation.initializer());
  EXPECT_EQ(run(validation.handle()), 10);
  EXPECT_EQ(run(training.handle()), 2);
  EXPECT_EQ(run(validation.handle()), 12);
  EXPECT_EQ(run(training.handle()), 0);
  // The handle and getNext() share the position of the iterator.
  EXPECT_EQ(session.run(validation.getNext()[0]).scalar(), 7);
  EXPECT_EQ(run(validation.handle()), 16);
  EXPECT_THROW(run(validation.handle()), OutOfRangeError);
  EXPECT_EQ(session.compiledCount(), 2u);
  EXPECT_ERROR(session.run(twice), "expected a feed of 'handle:0', the handle");
  EXPECT_ERROR(run(99), "the handle() of an iterator with a dataset, found 99");
  EXPECT_ERROR(run(either.handle()), "of an iterator with a dataset");
  Iterator pairs(program, Dataset::fromTensorSlices({rows(2), rows(2)}));
  EXPECT_ERROR(run(pairs.handle()), "of an iterator with the types");
  EXPECT_ERROR(either.initializer(), "with a dataset of its own to initialize");
  EXPECT_ERROR(Iterator::fromHandle(twice, few.types()), "an i64 scalar");
  EXPECT_ERROR(Iterator::fromHandle(handle, {}), "at least one array");
}

TEST(Datasets, iteratorsKeepNoGraph) {
  std::weak_ptr<dsl::Body> graph;
  {
    Program program("data");
    graph = program.body();
    Dataset data = Dataset::fromTensorSlices({rows(2)});
    Iterator iterator(program, data);
    Iterator either =
        Iterator::fromHandle(program.input("handle", i64, {}), data.types());
    Session session(program, {.optimization = 1, .kernelCache = ""});
    session.run(iterator.initializer());
    EXPECT_EQ(session.run(iterator.getNext()[0]).scalar(), 0);
  }
  EXPECT_TRUE(graph.expired());
}

TEST(Datasets, epochsHaveOrdersOfTheirOwn) {
  Program program("data");
  Dataset data = Dataset::fromTensorSlices({rows(20)}).shuffle(20).batch(20);
  Iterator iterator(program, data);
  Tensor next = iterator.getNext()[0];
  std::vector<std::vector<int>> found[2];
  for (auto &epochs : found) {
    Session session(program, {.optimization = 1, .kernelCache = ""});
    for (int epoch = 0; epoch < 2; ++epoch) {
      session.run(iterator.initializer());
      epochs.push_back(session.run(next).to<int>());
    }
  }
  EXPECT_EQ(found[0], found[1]) << "sessions are reproducible";
  EXPECT_NE(found[0][0], found[0][1]);
  ExecutionScope scope(true);
  Program eager("data");
  Iterator read(eager, data);
  std::vector<float> first = read.getNext()[0].values<float>();
  EXPECT_EQ(std::vector<int>(first.begin(), first.end()), found[0][0]);
  (void)read.initializer();
  EXPECT_EQ(read.getNext()[0].values<float>()[0], float(found[0][1][0]));
  EXPECT_ERROR(read.handle(), "one of an eager program");
  EXPECT_ERROR(Iterator::fromHandle(eager.constant(0), data.types()),
               "expected a graph for an iterator that follows a handle");
}

TEST(Datasets, sessionsReadEachForItself) {
  Program program("data");
  Dataset data = Dataset::fromTensorSlices({rows(4), rows(4)}).batch(2);
  Iterator iterator(program, data);
  std::vector<Tensor> next = iterator.getNext();
  Session first(program, {.optimization = 1, .kernelCache = ""}),
      second(program, {.optimization = 1, .kernelCache = ""});
  EXPECT_ERROR(first.run(next[0]), "to be initialized in this session");
  // An iterator starts before the rest of the run; its arrays come from one
  // element.
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
  // Feeding one array of an element does not advance the iterator.
  EXPECT_EQ(first.run(next[1], {{next[1], {7, 8, 9}}}).to<int>(),
            (std::vector<int>{7, 8, 9}));
  Dataset other = Dataset::fromTensorSlices({rows(1), rows(1)}).batch(2);
  first.run(iterator.initializer(other));
  EXPECT_EQ(first.run(next[0]).to<int>(), std::vector<int>{0});
  EXPECT_ERROR(iterator.initializer(Dataset::fromTensorSlices({rows(1)})),
               "of the iterator's types");
}

TEST(Datasets, oneShotIteratorsBeginByThemselves) {
  Program program("data");
  Iterator iterator(program, Dataset::fromTensorSlices({rows(1)}),
                    {.isOneShot = true});
  Session session(program, {.optimization = 1, .kernelCache = ""});
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
