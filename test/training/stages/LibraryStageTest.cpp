/// Functions of the model `line` of test/runtime as stages of data sets.
#include "test/runtime/support/Line.h"
#include "tg/data/loader.hpp"
#include "tg/training/library_stage.hpp"

#include <algorithm>
#include <gmock/gmock.h>

using namespace tg;
using namespace tg::data;
using namespace tg::test;
using namespace tg::training;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
constexpr tg_dtype_t int32Type = {TG_DTYPE_INT, 32, 1};
constexpr tg_dtype_t int64Type = {TG_DTYPE_INT, 64, 1};
} // namespace

/// Returns rows with a numerator, a tag and a divisor, which is `least` for the
/// first one.
static Dataset rows(int32_t count, int32_t least = 1) {
  Feature numerator(int32Type, {count}), tag(int64Type, {count}),
      divisor(int32Type, {count});
  for (int32_t i = 0; i < count; ++i) {
    const auto row = static_cast<size_t>(i);
    numerator.values<int32_t>()[row] = 100 * i;
    tag.values<int64_t>()[row] = -i;
    divisor.values<int32_t>()[row] = least + i;
  }
  return Dataset::fromArrays({"numerator", "tag", "divisor"},
                             {numerator, tag, divisor});
}

static Model loadLine() { return Model::adopt(line_tg_model_get); }

/// Writes variables of the model, and returns their file.
static std::string variables() {
  const std::string path = testing::TempDir() + "tg-library-stage.safetensors";
  loadLine().context({.seed = 3}).save(path);
  return path;
}

static std::vector<std::string> namesOf(const Dataset &data) {
  std::vector<std::string> names;
  for (const FeatureType &feature : data.type())
    names.push_back(feature.name + " " + feature.text());
  return names;
}

template <typename Function> static std::string errorOf(Function function) {
  try {
    function();
  } catch (const DataError &error) {
    return error.what();
  }
  return "no error";
}

TEST(LibraryStage, OutputsBecomeFeatures) {
  const Dataset batches = rows(8).batch({.size = 4, .dropsRemainder = true});
  const Dataset data = mapByLibrary(
      batches, loadLine(), {.function = "divide", .variables = variables()});
  EXPECT_THAT(namesOf(data), ElementsAre("tag i64 [4]", "quotient i32 [4]"));
  const Example second = data.read(0, 1);
  EXPECT_THAT(second.features[0].values<int64_t>(),
              ElementsAre(-4, -5, -6, -7));
  EXPECT_THAT(second.features[1].values<int32_t>(),
              ElementsAre(80, 83, 85, 87));
  EXPECT_EQ(data.unbatched().size(), 8u);
  EXPECT_THAT(data.description(), HasSubstr("function divide"));
}

TEST(LibraryStage, OutputsReplaceFeatures) {
  const Dataset data = mapByLibrary(rows(4).batch({.size = 2}), loadLine(),
                                    {.function = "divide",
                                     .outputs = {{"quotient", "numerator"}},
                                     .variables = variables()});
  EXPECT_THAT(namesOf(data), ElementsAre("numerator i32 [?]", "tag i64 [?]"));
  EXPECT_THAT(data.read(0, 1).features[0].values<int32_t>(),
              ElementsAre(66, 75));
}

TEST(LibraryStage, ThreadsChangeNothing) {
  const Dataset data = mapByLibrary(
      rows(200).shuffle({.seed = 1}).batch({.size = 6}), loadLine(),
      {.function = "divide", .variables = variables()});
  const auto read = [&](unsigned threads) {
    Loader loader(data, {.threads = threads, .prefetch = 8});
    std::vector<int32_t> all;
    while (const Example *batch = loader.next())
      for (int32_t quotient : batch->features[1].values<int32_t>())
        all.push_back(quotient);
    return all;
  };
  const std::vector<int32_t> first = read(0);
  EXPECT_EQ(first.size(), 200u);
  EXPECT_EQ(read(1), first);
  EXPECT_EQ(read(4), first);
}

TEST(LibraryStage, ErrorsOfRunsNameTheRecord) {
  const Dataset data =
      mapByLibrary(rows(4, 0).batch({.size = 2}), loadLine(),
                   {.function = "divide", .variables = variables()});
  EXPECT_THAT(errorOf([&] { data.read(0, 0); }), HasSubstr("numerator:0: "));
  EXPECT_EQ(errorOf([&] { data.read(0, 1); }), "no error");
}

TEST(LibraryStage, RefusesWhatDoesNotFit) {
  const auto error = [](const Dataset &data, LibraryStageOptions options) {
    return errorOf([&] { mapByLibrary(data, loadLine(), options); });
  };
  const Dataset batches = rows(4).batch({.size = 2});
  EXPECT_THAT(error(batches, {.function = "other"}),
              HasSubstr("no function 'other', expected one of init"));
  EXPECT_THAT(error(rows(4), {.function = "divide"}),
              HasSubstr("the data set may need batches"));
  EXPECT_THAT(error(batches, {.function = "test"}),
              HasSubstr("no value for input 'x'"));
  EXPECT_THAT(error(batches, {.function = "late"}),
              HasSubstr("expected a function that only reads variables"));
  EXPECT_THAT(error(batches, {.function = "divide", .numbers = {{"x", 1}}}),
              HasSubstr("for a number, found 'x'"));
  EXPECT_THAT(error(batches, {.function = "divide", .outputs = {{"y", "z"}}}),
              HasSubstr("expected one of the outputs quotient, found 'y'"));
  EXPECT_THAT(
      error(batches, {.function = "divide", .outputs = {{"quotient", "tag"}}}),
      "no error");
}

TEST(LibraryStage, Descriptions) {
  const auto open = [](const std::string &stage) {
    const std::string file = testing::TempDir() + "tg-library-stage.csv";
    FILE *csv = std::fopen(file.c_str(), "w");
    std::fputs("index\n1\n2\n0\n", csv);
    std::fclose(csv);
    return openDescription(R"({"files": ")" + file + R"(", "features": {
                               "index": {"type": "i32"}}, "batch": 3,
                               "map_batches": [)" +
                               stage + "]}",
                           "", {.stages = {libraryStage()}});
  };
  const std::string library = R"({"library": ")" TG_LINE_SO R"(")";
  const Dataset data = open(library + R"(, "function": "lookup",
                            "variables": ")" +
                            variables() + R"("})");
  const std::vector<float> weights = [] {
    Context context = loadLine().context({.seed = 3});
    return context.get<float>("line/weight");
  }();
  EXPECT_THAT(data.read(0, 0).features[0].values<float>(),
              ElementsAre(weights[1], weights[2], weights[0]));
  EXPECT_THAT(errorOf([&] { open(library + "}"); }),
              HasSubstr("map_batches[0]: expected a function, one of init"));
  EXPECT_THAT(errorOf([&] { open(library + R"(, "functions": "x"})"); }),
              HasSubstr("functions"));
  EXPECT_THAT(errorOf([&] { open(R"({"library": "none.so"})"); }),
              HasSubstr("map_batches[0]: "));
  EXPECT_THAT(errorOf([&] { open(R"({"libraries": "none.so"})"); }),
              HasSubstr("expected one of the stages"));
}
