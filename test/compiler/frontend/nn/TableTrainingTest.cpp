//===- TableTrainingTest.cpp - training steps of tables -------------------===//
#include "OneLayer.h"

#include <fstream>
#include <iterator>
#include <memory>

using namespace tg;
using namespace tg::test;

namespace {
/// A training step of a table with two lookups and repeated indices.
struct TableTraining {
  int64_t vocabulary, units;
  std::unique_ptr<Optimizer> optimizer;
  MinimizeOptions options = {};

  Program program() const {
    Program made("test");
    Tensor first = made.input("first", i32, {dim("n"), 2});
    Tensor steps = made.input("steps", i32, {3, dim("n")});
    Embedding layer({.vocabulary = vocabulary,
                     .units = units,
                     .initializer = uniform({.low = -1, .high = 1})});
    Tensor rows = layer.trainFprop(first);
    Tensor later = layer.trainFprop(steps);
    Tensor loss = reduceSum(square(rows)) + reduceSum(tanh(later));
    made.function("train", {.inputs = {first, steps},
                            .outputs = {{"loss", loss}},
                            .updates = optimizer->minimize(loss, options)});
    return made;
  }
};
} // namespace

/// Returns the table after some steps of code compiled with -O `optimization`.
static std::vector<float> train(const TableTraining &training,
                                int optimization) {
  std::string path =
      ::testing::TempDir() + "tg-table-" + std::to_string(getpid()) + ".so";
  training.program().compile(path, {.optimization = optimization});
  Context context = Model::load(path).context({.seed = 1});
  std::remove(path.c_str());
  for (int32_t step = 0; step < 4; ++step) {
    std::vector<int32_t> first = {1, 7, step, 1}, steps = {7, 7, 1, 9, step, 3};
    context.run("train", {{"first", Value(first, {2, 2})},
                          {"steps", Value(steps, {3, 2})}});
  }
  return context.get<float>("test/Embedding_1/table");
}

static std::vector<TableTraining> trainings(int64_t vocabulary, int64_t units) {
  std::vector<TableTraining> all;
  auto add = [&](auto optimizer, const MinimizeOptions &options = {}) {
    all.push_back({vocabulary, units,
                   std::make_unique<decltype(optimizer)>(optimizer), options});
  };
  add(SGD({.learningRate = 0.1}));
  add(SGD({.learningRate = 0.1}), {.clipByGlobalNorm = 0.5});
  add(Adagrad({.learningRate = 0.1}));
  add(Adagrad({.learningRate = 0.1}), {.clipByGlobalNorm = 0.5});
  return all;
}

TEST(TableTrainingTest, GivesWhatStepsOfTheWholeTableGive) {
  std::vector<TableTraining> all = trainings(40, 5);
  all.push_back({40, 5, std::make_unique<Adam>()});
  all.push_back({40, 5, std::make_unique<Momentum>()});
  for (const TableTraining &training : all)
    expectNear(train(training, /*optimization=*/2),
               train(training, /*optimization=*/0));
}

/// Returns the workspace bytes of the training function with n = 32.
static int64_t workspaceOf(const Program &program) {
  std::string path =
      ::testing::TempDir() + "tg-table-" + std::to_string(getpid());
  program.compile(path + ".so", {.levels = {2},
                                 .dims = "n=32",
                                 .functions = {"train"},
                                 .report = path + ".json"});
  std::ifstream file(path + ".json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char *ending : {".so", ".json"})
    std::remove((path + ending).c_str());
  size_t function = text.find("\"name\": \"train\"");
  size_t place = text.rfind("\"arena_bytes\": ", function);
  return std::stoll(text.substr(place + 15));
}

TEST(TableTrainingTest, MakesNothingOfTheTablesSize) {
  constexpr int64_t vocabulary = 1'000'000, units = 64;
  for (const TableTraining &training : trainings(vocabulary, units)) {
    int64_t bytes = workspaceOf(training.program());
    EXPECT_GT(bytes, 32 * units);
    EXPECT_LT(bytes, 1'000'000);
  }
}
