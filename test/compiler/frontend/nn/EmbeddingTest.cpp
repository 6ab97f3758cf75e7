//===- EmbeddingTest.cpp - embedding and one-hot layers -------------------===//
#include "OneLayer.h"

using namespace tg;
using namespace tg::test;

static EmbeddingOptions threeRows(bool zeroPad) {
  return {.vocabulary = 3,
          .units = 2,
          .zeroPad = zeroPad,
          .initializer = values({1, 2, 3, 4, 5, 6})};
}

TEST(EmbeddingTest, LooksUpRows) {
  Answer<float> y =
      apply(Embedding(threeRows(false)), Given<int32_t>{{0, 2, 2, 1}, {2, 2}});
  EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 2, 2}));
  expectNear(y.elements, {1, 2, 5, 6, 5, 6, 3, 4});
}

TEST(EmbeddingTest, PadsWithZeros) {
  Answer<float> y =
      apply(Embedding(threeRows(true)), Given<int32_t>{{0, 3, 1}, {3}});
  expectNear(y.elements, {0, 0, 5, 6, 1, 2});
}

TEST(EmbeddingTest, RefusesIndicesOutsideTheTable) {
  EXPECT_THROW(apply(Embedding(threeRows(false)), Given<int32_t>{{3}, {1}}),
               RuntimeError);
  for (int32_t index : {-1, 4})
    EXPECT_THROW(
        apply(Embedding(threeRows(true)), Given<int32_t>{{index}, {1}}),
        RuntimeError);
}

TEST(EmbeddingTest, NamesTheIndexThatWasGiven) {
  try {
    apply(Embedding(threeRows(true)), Given<int32_t>{{4}, {1}});
    ADD_FAILURE() << "expected an error";
  } catch (const RuntimeError &error) {
    EXPECT_NE(std::string(error.what())
                  .find("index 4 at element 0 is out of "
                        "range, expected at least 0 and below 4 [R1]"),
              std::string::npos)
        << error.what();
  }
}

TEST(EmbeddingTest, PadsWithoutACopyOfTheTable) {
  Program program("test");
  Tensor index = program.input("index", i32, {dim("n")});
  Tensor y = Embedding(threeRows(true)).testFprop(index);
  program.function("run", {.inputs = {index}, .outputs = {{"y", y}}});
  EXPECT_EQ(program.text().find("tg.concat"), std::string::npos);
}

TEST(EmbeddingTest, TrainsOnlyTheRowsItSaw) {
  Program program("test");
  Tensor index = program.input("index", i32, {dim("n")});
  Embedding layer(threeRows(true));
  Tensor loss = reduceSum(layer.trainFprop(index));
  program.function("train",
                   {.inputs = {index},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 1.0}).minimize(loss)});
  EXPECT_EQ(program.parameterCount(), 6);
  Context context = makeContext(program);
  std::vector<int32_t> indices = {0, 2, 2};
  context.run("train", {{"index", indices}});
  expectNear(context.get<float>("test/Embedding_1/table"), {1, 2, 1, 2, 5, 6});
}

TEST(EmbeddingTest, TakesIndicesOfAnyIntegerType) {
  Answer<float> y =
      apply(Embedding(threeRows(false)), Given<int8_t>{{2, 0}, {2}});
  expectNear(y.elements, {5, 6, 1, 2});
  y = apply(Embedding(threeRows(true)), Given<uint8_t>{{3, 0}, {2}});
  expectNear(y.elements, {5, 6, 0, 0});
}

TEST(EmbeddingTest, UsesAGivenTable) {
  Program program("test");
  Tensor index = program.input("index", i32, {dim("n")});
  Embedding first(threeRows(false));
  first.testFprop(index);
  Embedding second({.table = first.variables()[0]});
  Tensor y = second.testFprop(index);
  EXPECT_EQ(y.dim(1), 2);
  EXPECT_EQ(program.variables().size(), 1u);
  EXPECT_EQ(second.variables()[0].name(), "test/Embedding_1/table");
}

TEST(EmbeddingTest, RefusesAnEmptyTable) {
  EXPECT_EQ(errorOf([] { Embedding({.vocabulary = 3}); }),
            "expected a vocabulary and units of at least 1, found 3 and 0");
}

TEST(OneHotTest, AddsADimension) {
  Answer<float> y =
      apply(OneHot({.classes = 3}), Given<int64_t>{{0, 2, 1, 7}, {2, 2, 1}});
  EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 2, 1, 3}));
  expectNear(y.elements, {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0});
  EXPECT_EQ(errorOf([] { OneHot({}); }), "expected at least 1 class, found 0");
}

TEST(OneSampleTest, DrawsOneClassPerRow) {
  std::vector<float> logits;
  for (int row = 0; row < 200; ++row)
    logits.insert(logits.end(), {0, 0, -1000});
  Answer<float> y = apply(OneSample(), {logits, {200, 3}}, Mode::train);
  double counts[3] = {};
  for (size_t row = 0; row < 200; ++row)
    for (size_t i = 0; i < 3; ++i)
      counts[i] += y.elements[row * 3 + i];
  EXPECT_EQ(counts[0] + counts[1], 200);
  EXPECT_GT(counts[0], 60);
  EXPECT_GT(counts[1], 60);
  EXPECT_EQ(counts[2], 0);
}
