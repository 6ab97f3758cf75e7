// Tests a library that serves the weights of another library.
#include "PointsNetwork.h"
#include "tg/runtime.hpp"

#include <gtest/gtest.h>

using namespace tg;

namespace {
/// Compiles the classifier and loads the library.
Model compile(const char *name, const ModelOptions &options) {
  Program program("points");
  test::definePoints(program);
  std::string path = testing::TempDir() + name;
  program.compile(path, options);
  return Model::load(path);
}

/// Returns the results of `test` for four points.
std::vector<float> probabilities(Context &context) {
  std::vector<float> rows = {0, 0, 1, -1, -1, 1, 0.5f, 0.25f};
  std::vector<int32_t> labels = {0, 0, 1, 1};
  std::span<const float> found =
      context.run("test", {{"x", rows}, {"label", labels}})
          .values<float>("probabilities");
  return {found.begin(), found.end()};
}

TEST(Serve, hasTheFunctionsAskedForAndWhatTheyUse) {
  Model whole = compile("whole.so", {});
  Model part = compile("part.so", {.functions = {"test"}});
  const tg_model_t &tables = part.tables();
  ASSERT_EQ(tables.function_count, 2u);
  EXPECT_STREQ(tables.functions[0]->name, "init");
  EXPECT_STREQ(tables.functions[1]->name, "test");
  for (uint32_t i = 0; i < tables.variable_count; ++i)
    EXPECT_EQ(tables.variables[i]->role, uint32_t(TG_ROLE_PARAMETER));
  EXPECT_EQ(tables.variable_count, 4u);
  // The same seed gives the same bits in both libraries.
  Context trains = whole.context({.seed = 7});
  Context serves = part.context({.seed = 7});
  EXPECT_EQ(probabilities(trains), probabilities(serves));
}

TEST(Serve, beginsWithTheWeightsOfAnotherLibrary) {
  Model whole = compile("whole.so", {});
  Context trained = whole.context({.seed = 7});
  std::vector<float> rows = {0, 0, 1, -1, -1, 1, 0.5f, 0.25f};
  std::vector<int32_t> labels = {0, 0, 1, 1};
  trained.run("train",
              {{"x", rows}, {"label", labels}, {"learning_rate", 0.1}});
  std::string weights = testing::TempDir() + "points.safetensors";
  trained.save(weights);
  ModelOptions options = {.functions = {"test"}, .weights = weights};
  Model served = compile("serve.so", options);
  Context serves = served.context();
  EXPECT_EQ(probabilities(serves), probabilities(trained));

  // The model id depends on the embedded weights.
  auto idOf = [](const Model &model) {
    const uint8_t *id = model.tables().model_id;
    return std::vector<uint8_t>(id, id + 16);
  };
  EXPECT_EQ(idOf(compile("again.so", options)), idOf(served));
  whole.context({.seed = 8}).save(weights);
  EXPECT_NE(idOf(compile("other.so", options)), idOf(served));
}

TEST(Serve, saysWhichFunctionsThereAre) {
  try {
    compile("never.so", {.functions = {"test", "predict"}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "option 'functions': expected functions of the model (init, "
              "train, test), found 'predict'");
  }
}
} // namespace
