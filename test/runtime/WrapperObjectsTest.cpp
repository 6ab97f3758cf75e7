/// The C++ wrapper except for runs: hooks, models in memory, shared pools,
/// snapshots, load options.
#include "support/Line.h"
#include "support/ModelFile.h"

#include "tg/runtime.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

// A declaration in a user's namespace.
namespace app {
TG_DECLARE_MODEL(line);
}

using namespace tg::test;

namespace {

using WrapperObjectsTest = testing::Test;

const std::vector<float> x = {1, 0, 2, 0, 0, 1, 0, 2};

/// Returns the message of the exception that a task throws, or "" if it throws
/// none.
template <typename Task> std::string messageOf(Task task) {
  try {
    task();
  } catch (const tg::RuntimeError &error) {
    return error.what();
  }
  return "";
}

std::span<const std::byte> bytesOf(const Bytes &bytes) {
  return std::as_bytes(std::span(bytes));
}

} // namespace

TEST_F(WrapperObjectsTest, verifyMayRefuseAFile) {
  size_t seen = 0;
  tg::OpenOptions options;
  options.hooks.verify = [&](std::span<const std::byte> file) {
    seen = file.size();
    return true;
  };
  tg::Model::load(linePath, options);
  EXPECT_EQ(seen, std::filesystem::file_size(linePath));
  options.hooks.verify = [](std::span<const std::byte>) { return false; };
  EXPECT_EQ(messageOf([&] { tg::Model::load(linePath, options); }),
            "TG_ERROR_HOST: '" + linePath +
                "': the host's verify hook refused the file");
  options.hooks.verify = [](std::span<const std::byte>) -> bool {
    throw std::runtime_error("no signature");
  };
  EXPECT_NE(messageOf([&] { tg::Model::load(linePath, options); }), "");
}

TEST_F(WrapperObjectsTest, hooksLiveAsLongAsTheModel) {
  auto blocks = std::make_shared<int>(0);
  auto failures = std::make_shared<std::vector<std::string>>();
  {
    tg::Context context =
        tg::Model::load(
            linePath,
            {.hooks = {.error =
                           [failures](const tg_error_t &error) {
                             failures->push_back(error.message);
                             throw std::runtime_error("dropped");
                           },
                       .allocate =
                           [blocks](uint64_t bytes, uint64_t alignment) {
                             ++*blocks;
                             return std::aligned_alloc(alignment, bytes);
                           },
                       .release =
                           [blocks](void *memory, uint64_t) {
                             --*blocks;
                             std::free(memory);
                           }}})
            .context({.seed = 1});
    EXPECT_GT(*blocks, 0);
    EXPECT_NE(messageOf([&] { context.load("/nonexistent"); }), "");
    ASSERT_EQ(failures->size(), 1u);
    EXPECT_EQ(failures->front().find("'/nonexistent': cannot open"), 0u);
  }
  EXPECT_EQ(*blocks, 0);
  EXPECT_EQ(blocks.use_count(), 1); // the model released its hooks
}

TEST_F(WrapperObjectsTest, memoryThatAHookRefusesIsAnError) {
  tg::OpenOptions options;
  options.hooks.allocate = [](uint64_t, uint64_t) -> void * {
    throw std::bad_alloc();
  };
  options.hooks.release = [](void *, uint64_t) {};
  const tg::Model model = tg::Model::load(linePath, options);
  EXPECT_EQ(messageOf([&] { model.context(); }).find("TG_ERROR_MEMORY"), 0u);
  options.hooks.release = {};
  EXPECT_EQ(messageOf([&] {
              tg::Model::load(linePath, options);
            }).find("TG_ERROR_STRUCT"),
            0u);
}

TEST_F(WrapperObjectsTest, loadsFromMemoryAndFromAStrippedFile) {
  Bytes file = readFile(linePath);
  tg::Model model = tg::Model::loadMemory(bytesOf(file));
  file.assign(file.size(), 0); // it was copied
  EXPECT_EQ(model.context({.seed = 1}).run("test", {{"x", x}}).shape("y")[0],
            2);
  EXPECT_NE(messageOf([&] { tg::Model::loadMemory(bytesOf(file)); }), "");
  EXPECT_NE(messageOf([] { tg::Model::load(rawLinePath); }), "");
  tg::Model::load(rawLinePath, {.withoutTrailer = true});
  EXPECT_EQ(tg::Model::verify(linePath).machine, 62u);
  EXPECT_EQ(tg::Model::load(linePath, {.target = TG_TARGET_X86_64_V2})
                .tables()
                .target,
            uint32_t(TG_TARGET_X86_64_V2));
}

TEST_F(WrapperObjectsTest, findsFunctionsAndVariables) {
  const tg::Model model = tg::Model::load(linePath);
  EXPECT_EQ(model.function("test").output_count, 1u);
  EXPECT_EQ(model.variable("line/weight").bytes, 16u);
  EXPECT_EQ(messageOf([&] { model.variable("weight"); }),
            "TG_ERROR_NOT_FOUND: model 'line' has no variable 'weight'; did "
            "you mean 'line/weight'?");
}

TEST_F(WrapperObjectsTest, contextsOfTwoModelsShareAPool) {
  const auto running = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         {});
  };
  const auto before = running();
  const std::vector<float> rows(1000 * LINE_WIDTH, 1);
  {
    std::vector<tg::Context> contexts;
    {
      tg::Pool pool(3);
      EXPECT_EQ(pool.workers(), 3u);
      for (const std::string &path : {linePath, linePath, otherPath})
        contexts.push_back(
            tg::Model::load(path).context({.seed = 1, .pool = pool}));
    } // the contexts keep it
    EXPECT_EQ(running(), before + 2);
    std::vector<std::thread> threads;
    for (tg::Context &context : contexts)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i)
          context.run("test", {{"x", rows}});
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(contexts[0].run("test", {{"x", rows}}).values<float>("y")[999],
              contexts[1].run("test", {{"x", rows}}).values<float>("y")[999]);
  }
  EXPECT_EQ(running(), before);
}

TEST_F(WrapperObjectsTest, contextsOfTwoModelsShareVariables) {
  tg::Model small = tg::Model::load(linePath);
  tg::Model large = tg::Model::load(longerPath);
  std::optional<tg::Context> trainer, reader;
  {
    tg::Variables variables;
    tg::Workspace workspace;
    trainer = small.context(
        {.seed = 1, .variables = variables, .workspace = workspace});
    reader = large.context({.variables = variables, .workspace = workspace});
    EXPECT_GT(workspace.bytes(), 0u);
    EXPECT_NE(variables.handle(), nullptr);
  }
  const auto outputOf = [](tg::Context &context) {
    auto y = context.run("test", {{"x", x}}).values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  const std::vector<float> before = outputOf(*reader);
  trainer->run("train",
               {{"x", x}, {"target", std::vector<float>{1, 2}}, {"rate", 0.1}});
  EXPECT_NE(outputOf(*reader), before);
  EXPECT_EQ(outputOf(*reader), outputOf(*trainer));
  EXPECT_EQ(reader->get<int64_t>("line/step")[0], 1);
  EXPECT_NE(messageOf([&] { reader->get<float>("line/extra"); }), "");

  tg::Variables zeros(/*startAtZero=*/true);
  trainer = small.context({.variables = zeros});
  EXPECT_EQ(outputOf(*trainer), std::vector<float>(2));
  const uint32_t indices[] = {0};
  zeros.snapshot(indices);
  trainer->set("line/weight", std::vector<float>{1, 2, 3, 4});
  EXPECT_NE(outputOf(*trainer), std::vector<float>(2));
  zeros.rollback();
  EXPECT_EQ(outputOf(*trainer), std::vector<float>(2));
}

TEST_F(WrapperObjectsTest, snapshotsAreRestored) {
  const tg::Model model = tg::Model::load(linePath);
  tg::Context context = model.context({.seed = 1});
  tg::Context other = model.context();
  const std::vector<float> first = context.get<float>("line/weight");
  const std::vector<std::byte> block = context.snapshot();
  context.init(2);
  EXPECT_NE(context.get<float>("line/weight"), first);
  context.restore(block);
  EXPECT_EQ(context.get<float>("line/weight"), first);
  other.restore(block);
  EXPECT_EQ(other.get<float>("line/weight"), first);
  tg::Context foreign = tg::Model::load(otherPath).context();
  EXPECT_EQ(messageOf([&] { foreign.restore(block); }).find("TG_ERROR_SLAB"),
            0u);
  EXPECT_EQ(messageOf([&] { other.restore({}); }).find("TG_ERROR_"), 0u);
}

TEST_F(WrapperObjectsTest, reservesByNames) {
  tg::Context context = tg::Model::load(linePath).context({.seed = 1});
  context.reserve("pair", {{"right.0", 7}, {"batch", 7}});
  context.reserve("init", {});
  EXPECT_EQ(messageOf([&] { context.reserve("pair", {{"batch", 7}}); }),
            "TG_ERROR_NOT_FOUND: pair: no extent for dimension 'right.0' was "
            "given");
  EXPECT_EQ(messageOf([&] { context.reserve("test", {{"rows", 7}}); }),
            "TG_ERROR_NOT_FOUND: test has no dimension 'rows', expected one of "
            "batch");
}

TEST_F(WrapperObjectsTest, loadsWithOptions) {
  const std::string path = testing::TempDir() + "/tg-objects.safetensors";
  const tg::Model model = tg::Model::load(linePath);
  tg::Context context = model.context({.seed = 1});
  tg::Context other = model.context();
  context.save(path);
  EXPECT_NE(messageOf([&] { other.load(path, {.stripPrefix = "line/"}); }), "");
  other.load(path, {.stripPrefix = "line/", .addPrefix = "line/"});
  other.load(path,
             {.ignoreOthers = true, .renames = {{"line/step", "line/step"}}});
  EXPECT_EQ(other.get<float>("line/weight"), context.get<float>("line/weight"));
  std::filesystem::remove(path);
}

TEST_F(WrapperObjectsTest, adoptsAModelDeclaredInANamespace) {
  EXPECT_EQ(tg::Model::adopt(app::line_tg_model_get)
                .context({.seed = 1})
                .get<int64_t>("line/step")
                .size(),
            1u);
}

TEST_F(WrapperObjectsTest, profilesTellWhenEachStepRan) {
  const tg::Model model = tg::Model::load(linePath);
  tg::Context context = model.context({.seed = 1});
  tg::Profile profile;
  const auto plain = context.run("test", {{"x", x}});
  const auto &timed = context.run("test", {{"x", x}}, profile);
  EXPECT_EQ(timed.values<float>("y")[1], plain.values<float>("y")[1]);
  ASSERT_EQ(profile.begin.size(), 1u);
  EXPECT_GT(profile.begin[0], 0u);
  EXPECT_GE(profile.end[0], profile.begin[0]);
  EXPECT_EQ(profile.flops[0], 2u * 2 * LINE_WIDTH);
  EXPECT_STREQ(model.function("test").steps[0]->name, "matmul__test");
  const std::vector<float> more(3 * LINE_WIDTH);
  context.run("test", {{"x", more}}, profile);
  EXPECT_EQ(profile.flops[0], 3u * 2 * LINE_WIDTH);
  EXPECT_EQ(profile.symbols[0], 3);
}

TEST_F(WrapperObjectsTest, tracesPassOnResultsAndExceptions) {
  tg::Context context = tg::Model::load(linePath).context({.seed = 1});
  std::vector<float> traced;
  const auto &outputs = context.run(
      "test", {{"x", x}},
      [&](uint32_t, uint32_t, const tg_step_result_t &result) {
        const float *begin = static_cast<const float *>(result.data);
        traced.assign(begin, begin + result.rows * result.row_bytes / 4);
      });
  const std::span<const float> y = outputs.values<float>("y");
  EXPECT_EQ(traced, std::vector<float>(y.begin(), y.end()));
  EXPECT_THROW(context.run("test", {{"x", x}},
                           [](uint32_t, uint32_t, const tg_step_result_t &) {
                             throw std::out_of_range("step");
                           }),
               std::out_of_range);
}

TEST_F(WrapperObjectsTest, saysWhatIsExpected) {
  tg::Context context = tg::Model::load(linePath).context({.seed = 1});
  const auto run = [&](const char *function, std::vector<tg::Input> inputs) {
    return messageOf([&] { context.run(function, std::move(inputs)); });
  };
  const std::vector<float> three(3);
  EXPECT_EQ(run("test", {{"x", x}, {"y", x}}),
            "TG_ERROR_COUNT: test: 2 inputs, expected 1; too many: 'y'");
  EXPECT_EQ(run("test", {{"x", x}, {"x", x}}),
            "TG_ERROR_COUNT: test: 2 inputs, expected 1; too many: 'x'");
  EXPECT_EQ(run("test", {{"X", x}}),
            "TG_ERROR_NOT_FOUND: test: no input 'x' was given, found 'X'");
  EXPECT_EQ(run("test", {}),
            "TG_ERROR_NOT_FOUND: test: no input 'x' was given");
  EXPECT_EQ(run("test", {{"x", three}}),
            "TG_ERROR_DIM: test: 'x' has 3 elements, expected a multiple of 4 "
            "for [batch, 4]");
  EXPECT_EQ(run("train", {{"x", x}, {"target", three}, {"rate", 1}}),
            "TG_ERROR_DIM: train: 'target' has 3 elements, expected 2 for "
            "[batch = 2]");
  EXPECT_EQ(run("square", {{"x", three}}),
            "TG_ERROR_DIM: square: 'x' has 3 elements, expected elements "
            "with a shape for [batch, right.0]");
  EXPECT_EQ(run("test", {{"x", tg::Value(x, {2, 5})}}),
            "TG_ERROR_DIM: test: 'x' has 8 elements, expected 10 for the shape "
            "it was given");
  EXPECT_EQ(run("test", {{"x", tg::Value(x, {8})}}),
            "TG_ERROR_RANK: test: 'x' has shape [8], expected [batch, 4]");
  const float one = 1;
  tg_tensor_t scalar = {};
  scalar.data = const_cast<float *>(&one);
  scalar.device.device_type = TG_DEVICE_CPU;
  scalar.dtype = {TG_DTYPE_FLOAT, 32, 1};
  EXPECT_EQ(run("test", {{"x", scalar}}),
            "TG_ERROR_RANK: test: 'x' has shape [] of one number, expected "
            "[batch, 4]");
  const std::string uninitialized = messageOf([&] {
    tg::Context fresh = tg::Model::load(linePath).context();
    fresh.run("test", {{"x", x}});
  });
  EXPECT_NE(
      uninitialized.find("initialize them with a seed, also if the library "
                         "has weights, or load a checkpoint"),
      std::string::npos)
      << uninitialized;
}
