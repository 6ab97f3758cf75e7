/// The C++ wrapper as a C++ program uses it.
#include <dlpack/dlpack.h>

#include "support/Line.h"

#include "tg/runtime.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace tg::test;

namespace {

class WrapperTest : public testing::Test {
protected:
  tg::Model model = tg::Model::load(linePath);
  std::vector<float> x = {1, 0, 2, 0, 0, 1, 0, 2}, target = {4, 7};
};

/// Returns the status of the exception that a task throws, or TG_OK if it
/// throws none.
template <typename Task> tg_status_t thrownBy(Task task) {
  try {
    task();
  } catch (const tg::RuntimeError &error) {
    EXPECT_EQ(error.details().status, error.status());
    return error.status();
  }
  return TG_OK;
}

} // namespace

TEST_F(WrapperTest, trainsTestsSavesAndLoads) {
  tg::Context context = model.context({.threads = 2, .seed = 1});
  double loss = 1;
  for (int step = 0; step < 500; ++step)
    loss = context.run("train", {{"x", x}, {"target", target}, {"rate", 0.2}})
               .scalar("loss");
  EXPECT_LT(loss, 1e-3);
  const std::string path = testing::TempDir() + "/tg-wrapper.safetensors";
  context.save(path);
  tg::Context fresh = model.context();
  EXPECT_EQ(thrownBy([&] { fresh.run("test", {{"x", x}}); }), TG_ERROR_SLAB);
  fresh.load(path);
  std::remove(path.c_str());
  const tg::Outputs &outputs = fresh.run("test", {{"x", x}});
  EXPECT_NEAR(outputs.values<float>("y")[0], 4, 0.1);
  EXPECT_EQ(outputs.shape("y").size(), 1u);
  EXPECT_EQ(outputs.shape("y")[0], 2);
  EXPECT_EQ(fresh.get<float>("line/weight"), context.get<float>("line/weight"));
}

TEST_F(WrapperTest, keepsTemporaryVectors) {
  tg::Context context = model.context({.seed = 1});
  std::vector<tg::Input> inputs;
  inputs.push_back({"x", std::vector<float>(x)});
  std::vector<tg::Input> shaped;
  shaped.push_back({"x", {std::vector<float>(x), {2, LINE_WIDTH}}});
  const std::vector<float> others(8, 9);
  auto of = [&](std::vector<tg::Input> given) {
    auto y = context.run("test", std::move(given)).values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  const std::vector<float> expected = of({{"x", x}});
  EXPECT_EQ(of(inputs), expected);
  EXPECT_EQ(of(shaped), expected);
  EXPECT_EQ(thrownBy([&] { of({{"x", std::vector<bool>(8)}}); }),
            TG_ERROR_DTYPE);
}

TEST_F(WrapperTest, growsWithTheBatch) {
  tg::Context context = model.context({.seed = 1});
  for (size_t batch : {1u, 64u, 4u, 500u}) {
    const std::vector<float> rows(batch * LINE_WIDTH, 1), wanted(batch, 2);
    context.run("train", {{"x", rows}, {"target", wanted}, {"rate", 0.01f}});
    EXPECT_EQ(context.run("test", {{"x", rows}}).values<float>("y").size(),
              batch);
  }
}

TEST_F(WrapperTest, computesTheShapeOfOutputs) {
  tg::Context context = model.context();
  const std::vector<float> left = {1, 2}, right = {3, 4};
  const auto joined =
      context.run("pair", {{"left", left}, {"right", right}}); // a copy
  EXPECT_EQ(joined.shape("joined")[0], 4);
  EXPECT_EQ(joined.values<float>("joined")[2], 3);
  EXPECT_EQ(
      thrownBy([&] { context.run("pair", {{"left", left}, {"right", x}}); }),
      TG_ERROR_DIM);
}

TEST_F(WrapperTest, takesTensorsOfDlpack) {
  tg::Context context = model.context({.seed = 1});
  int64_t shape[] = {2, LINE_WIDTH};
  DLTensor tensor = {};
  tensor.data = x.data();
  tensor.device = {kDLCPU, 0};
  tensor.ndim = 2;
  tensor.dtype = {kDLFloat, 32, 1};
  tensor.shape = shape;
  const std::vector<float> byVector = [&] {
    const auto y = context.run("test", {{"x", x}});
    return std::vector<float>(y.values<float>("y").begin(),
                              y.values<float>("y").end());
  }();
  const auto &outputs =
      context.run("test", {{"x", static_cast<const DLTensor *>(&tensor)}});
  EXPECT_EQ(outputs.values<float>("y")[1], byVector[1]);
}

TEST_F(WrapperTest, publishesToSharedContexts) {
  tg::Context trainer = model.context();
  trainer.set<float>("line/weight", {1, 1, 1, 1});
  tg::Context server = model.context({.shared = true});
  model.publish(trainer);
  EXPECT_EQ(server.run("test", {{"x", x}}).values<float>("y")[0], 3);
}

TEST_F(WrapperTest, saysWhatIsWrong) {
  tg::Context context = model.context({.seed = 1});
  const auto run = [&](std::vector<tg::Input> inputs) {
    return thrownBy([&] { context.run("test", std::move(inputs)); });
  };
  EXPECT_EQ(run({}), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(run({{"x", x}, {"y", x}}), TG_ERROR_COUNT);
  EXPECT_EQ(run({{"x", target}}), TG_ERROR_DIM); // 2 elements: no rows of 4
  EXPECT_EQ(run({{"x", std::vector<double>(8)}}), TG_ERROR_DTYPE);
  EXPECT_EQ(run({{"x", tg::Value(x, {2, 5})}}), TG_ERROR_DIM);
  EXPECT_EQ(run({{"x", tg::Value(x, {4, 2})}}), TG_ERROR_DIM);
  EXPECT_EQ(run({{"x", tg::Value(x, {2, 4})}}), TG_OK);
  EXPECT_EQ(thrownBy([&] { context.run("no", {}); }), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(thrownBy([] { tg::Model::load("/nonexistent"); }), TG_ERROR_IO);
  const auto outputs = context.run("test", {{"x", x}});
  EXPECT_EQ(thrownBy([&] { outputs.scalar("y"); }), TG_ERROR_RANK);
  EXPECT_EQ(thrownBy([&] { outputs.values<double>("y"); }), TG_ERROR_DTYPE);
  EXPECT_EQ(thrownBy([&] { outputs.shape("z"); }), TG_ERROR_NOT_FOUND);
  try {
    context.run("lookup", {{"index", std::vector<int32_t>{0, 9}}});
    FAIL();
  } catch (const tg::RuntimeError &error) {
    EXPECT_EQ(error.details().element, 1);
    EXPECT_NE(std::string(error.what()).find("index 9 at element 1"),
              std::string::npos);
  }
}

TEST_F(WrapperTest, namesWhatTheCallerGave) {
  const auto messageOf = [](auto task) -> std::string {
    try {
      task();
    } catch (const tg::RuntimeError &error) {
      return error.details().message;
    }
    return "nothing was thrown";
  };
  tg::Context empty = model.context();
  EXPECT_EQ(messageOf([&] { empty.run("test", {{"x", x}}); }),
            "test: the variables have no values yet: initialize them with a "
            "seed, also if the library has weights, or load a checkpoint");
  tg::Context context = model.context({.seed = 1});
  EXPECT_EQ(messageOf([&] { context.run("test", {{"x", x}}).scalar("z"); }),
            "no output 'z', expected one of y");
  EXPECT_EQ(
      messageOf([&] { context.run("test", {{"x", x}}).values<double>("y"); }),
      "output 'y' is f32, but was asked for as f64");
  EXPECT_EQ(messageOf([&] { context.run("test", {{"x", 3}}); }),
            "test: 'x' is a number, expected elements for [batch, 4]");
  EXPECT_EQ(messageOf([&] { tg::Value(x, {-2, 4}); }),
            "a shape with an extent of -2, expected at least 0");
  EXPECT_EQ(messageOf([&] { context.get<double>("line/weight"); }),
            "variable 'line/weight' is f32, but was asked for as f64");
  EXPECT_EQ(messageOf([&] { context.set<int>("line/weight", {1, 2, 3, 4}); }),
            "variable 'line/weight' is f32, but was given as i32");
  EXPECT_EQ(messageOf([&] { context.reserve("test", {{"batch", -3}}); }),
            "test: dimension 'batch' is -3, expected at least 0");
}

TEST_F(WrapperTest, numbersMustFitTheirType) {
  tg::Context context = model.context({.seed = 1});
  const auto late = [&](tg::Value label) {
    return thrownBy([&] { context.run("late", {{"label", label}}); });
  };
  EXPECT_EQ(late(0), TG_OK); // an i64
  EXPECT_EQ(late(1.0), TG_OK);
  EXPECT_EQ(late(0.5), TG_ERROR_DTYPE);
  EXPECT_EQ(late(1e300), TG_ERROR_DTYPE);
  EXPECT_EQ(late(std::numeric_limits<double>::quiet_NaN()), TG_ERROR_DTYPE);
  EXPECT_EQ(late(~uint64_t(0)), TG_ERROR_DTYPE);
  EXPECT_EQ(late(std::numeric_limits<int64_t>::min()), TG_ERROR_INDEX);
}

TEST_F(WrapperTest, refusesTensorsThatAreNone) {
  tg::Context context = model.context({.seed = 1});
  EXPECT_EQ(thrownBy([&] {
              context.run("test",
                          {{"x", static_cast<const DLTensor *>(nullptr)}});
            }),
            TG_ERROR_NULL);
  int64_t shape[] = {2, LINE_WIDTH};
  tg_tensor_t tensor = {};
  tensor.ndim = -3;
  tensor.dtype = {TG_DTYPE_FLOAT, 32, 1};
  tensor.shape = shape;
  EXPECT_NE(thrownBy([&] { context.run("test", {{"x", tensor}}); }), TG_OK);
}

TEST_F(WrapperTest, anAssignedContextEndsTheOldOne) {
  const auto mappedModels = [] {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
      count += line.find("tg-model:") != std::string::npos;
    return count;
  };
  const auto running = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         {});
  };
  const auto models = mappedModels();
  const auto threads = running();
  tg::Context context =
      tg::Model::load(linePath).context({.threads = 3, .seed = 1});
  EXPECT_EQ(running(), threads + 2);
  EXPECT_GT(mappedModels(), models);
  context = model.context({.seed = 1});
  EXPECT_EQ(running(), threads);     // the pool ended
  EXPECT_EQ(mappedModels(), models); // and the other model was unloaded
  EXPECT_EQ(context.run("test", {{"x", x}}).shape("y")[0], 2);
}

TEST_F(WrapperTest, adoptsALinkedModel) {
  tg::Context context =
      tg::Model::adopt(line_tg_model_get).context({.seed = 1});
  EXPECT_EQ(context.get<int64_t>("line/step").size(), 1u);
}
