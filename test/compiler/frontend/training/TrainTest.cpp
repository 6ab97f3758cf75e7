// Tests the path from a network in C++ to a trained library, as in a user's
// program.
#include "../graph/PointsNetwork.h"
#include "tg/runtime.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>

using namespace tg;

namespace {
/// Rows of two numbers; the class is the side of a line on which a point lies.
struct Points {
  std::vector<float> rows;
  std::vector<int32_t> labels;

  explicit Points(int count) {
    for (int i = 0; i < count; ++i) {
      float x = float(i * 37 % 101) / 50 - 1;
      float y = float(i * 59 % 103) / 51 - 1;
      rows.insert(rows.end(), {x, y});
      labels.push_back(x + 2 * y > 0.3f);
    }
  }
};

/// Compiles a small classifier and returns the path of the file.
std::string compile(const char *name, const ModelOptions &options) {
  Program program("points");
  test::definePoints(program);
  std::string path = testing::TempDir() + name;
  program.compile(path, options);
  return path;
}

TEST(Train, compilesTrainsAndServesAnyBatchSize) {
  Model model = Model::load(compile("points.so", {}));
  Context context = model.context({.seed = 1});
  Points points(100);
  double first = 0, last = 0;
  for (int epoch = 0; epoch < 40; ++epoch)
    for (int begin : {0, 32, 64, 96}) {
      int end = std::min(begin + 32, 100);
      std::vector<float> rows(points.rows.begin() + 2 * begin,
                              points.rows.begin() + 2 * end);
      std::vector<int32_t> labels(points.labels.begin() + begin,
                                  points.labels.begin() + end);
      last = context
                 .run("train",
                      {{"x", rows}, {"label", labels}, {"learning_rate", 0.02}})
                 .scalar("loss");
      if (epoch == 0 && begin == 0)
        first = last;
    }
  EXPECT_LT(last, first / 2);
  EXPECT_GT(context.run("test", {{"x", points.rows}, {"label", points.labels}})
                .scalar("accuracy"),
            0.95);
}

TEST(Train, writesWhatTgcReads) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  program.function("f", {.inputs = {x}, .outputs = {{"y", relu(x)}}});
  std::string path = testing::TempDir() + "written.mlir";
  program.write(path);
  std::string command =
      std::string(TG_TGC) + " " + path + " -o " + path + ".so";
  EXPECT_EQ(std::system(command.c_str()), 0);
  Model model = Model::load(path + ".so");
  Context context = model.context({});
  std::vector<float> input = {-1, 2};
  std::span<const float> output =
      context.run("f", {{"x", input}}).values<float>("y");
  EXPECT_EQ(std::vector<float>(output.begin(), output.end()),
            (std::vector<float>{0, 2}));
}

TEST(Train, compilesForACpuAndForLinking) {
  std::string path = compile("points.o", {.levels = {3},
                                          .tune = "haswell",
                                          .relocatable = true,
                                          .symbolPrefix = "points"});
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(content.size(), 18u);
  EXPECT_EQ(content.substr(0, 4), "\x7f"
                                  "ELF");
  EXPECT_EQ(content[16], 1); // relocatable
  EXPECT_NE(content.find("points_tg_model_get"), std::string::npos);
}

TEST(Train, compilesTheSameWithKeptKernels) {
  auto contentOf = [](const ModelOptions &options) {
    std::ifstream file(compile("kept.so", options), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::filesystem::path cache = testing::TempDir() + "kernels";
  std::filesystem::remove_all(cache);
  ModelOptions keeping = {.kernelCache = cache};
  std::string without = contentOf({});
  EXPECT_EQ(contentOf(keeping), without);
  EXPECT_FALSE(std::filesystem::is_empty(cache));
  EXPECT_EQ(contentOf(keeping), without);
}

TEST(Train, compilesTheSameWithoutProgress) {
  auto contentOf = [](const ModelOptions &options) {
    std::ifstream file(compile("shown.so", options), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(contentOf({.showsProgress = false}), contentOf({}));
}

TEST(Train, keepsKernelsWhereTheEnvironmentSays) {
  std::filesystem::path cache = testing::TempDir() + "named-kernels";
  std::filesystem::remove_all(cache);
  setenv("TG_KERNEL_CACHE", cache.c_str(), /*overwrite=*/1);
  compile("kept.so", {.kernelCache = ""});
  EXPECT_FALSE(std::filesystem::exists(cache));
  compile("kept.so", {});
  EXPECT_FALSE(std::filesystem::is_empty(cache));
  unsetenv("TG_KERNEL_CACHE");
}

TEST(Train, ignoresKernelsThatOthersMayWrite) {
  std::filesystem::path cache = testing::TempDir() + "open-kernels";
  std::filesystem::remove_all(cache);
  std::filesystem::create_directory(cache);
  std::filesystem::permissions(cache, std::filesystem::perms::all);
  std::vector<std::string> told;
  Program program("points");
  test::definePoints(program);
  program.onWarning(
      [&](const Warning &warning) { told.push_back(warning.text()); });
  program.compile(testing::TempDir() + "open.so", {.kernelCache = cache});
  EXPECT_TRUE(std::filesystem::is_empty(cache));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("TrainTest.cpp"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("option 'kernelCache': ignored '"), std::string::npos)
      << told[0];
}

TEST(Train, writesFilesWithThePermissionsThatLinkersGive) {
  using std::filesystem::perms;
  auto modeOf = [](const std::string &path) {
    return std::filesystem::status(path).permissions();
  };
  mode_t old = umask(027);
  EXPECT_EQ(modeOf(compile("mode.so", {})), perms(0750));
  EXPECT_EQ(modeOf(compile("mode.o", {.relocatable = true})), perms(0640));
  umask(old);
}

TEST(Train, reportsWhatWasCompiled) {
  auto contentOf = [](const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::string path = testing::TempDir() + "report";
  compile("report.so", {.report = path + ".json"});
  std::string json = contentOf(path + ".json");
  std::string bytes = contentOf(path + ".so");
  EXPECT_NE(json.find("\"file_bytes\": " + std::to_string(bytes.size())),
            std::string::npos)
      << json;
  for (const char *part : {"\"name\": \"train\"", "\"kernel\"", "\"flops\""})
    EXPECT_NE(json.find(part), std::string::npos) << part;

  compile("report.so", {.report = path + ".html"});
  EXPECT_EQ(contentOf(path + ".so"), bytes);
  std::string page = contentOf(path + ".html");
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_NE(page.find("\"kernel\""), std::string::npos);

  // No library is left if the report cannot be written.
  std::string missing = testing::TempDir() + "missing/report.json";
  std::filesystem::remove(path + "-none.so");
  EXPECT_THROW(compile("report-none.so", {.report = missing}), GraphError);
  EXPECT_FALSE(std::filesystem::exists(path + "-none.so"));
  EXPECT_THROW(
      compile("report.json", {.report = testing::TempDir() + "report.json"}),
      GraphError);
}

TEST(Train, computesTheSameInLessMemory) {
  // Returns the losses of three steps on 32 rows.
  auto run = [](int64_t budget) {
    Program program("deep");
    Tensor x = program.input("x", f32, {dim("batch"), 64});
    Tensor h = x;
    for (int i = 0; i < 10; ++i)
      h = Dropout({.rate = 0.1})(relu(Linear({.units = 64})(h)));
    Tensor loss = reduceMean(h * h);
    program.function("train",
                     {.inputs = {x},
                      .outputs = {{"loss", loss}},
                      .updates = Adam({.learningRate = 0.01}).minimize(loss)});
    std::string path = testing::TempDir() + "deep.so";
    program.compile(
        path, {.levels = {2}, .dims = "batch=32", .memoryBudget = budget});
    Context context = Model::load(path).context({.seed = 1});
    std::vector<float> rows(32 * 64);
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i] = float(i % 17) / 16;
    std::vector<double> losses;
    for (int step = 0; step < 3; ++step)
      losses.push_back(context.run("train", {{"x", rows}}).scalar("loss"));
    return losses;
  };
  EXPECT_EQ(run(60000), run(0));
  EXPECT_THROW(run(1000), GraphError);
}
} // namespace
