/// Many models, contexts and threads at once: none affects another.
#include "support/Line.h"
#include "support/ModelFile.h"

#include <atomic>
#include <dlfcn.h>
#include <filesystem>
#include <sys/resource.h>
#include <thread>

using namespace tg::test;

namespace {

class ManyTest : public LineTest {
protected:
  /// Runs the task on `count` threads at once.
  template <typename Task> void onThreads(int count, Task task) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([=] { task(i); });
    for (std::thread &thread : threads)
      thread.join();
  }

  /// Trains a new context and returns its variables, or nothing on failure.
  static std::vector<uint8_t> trainAlone(tg_module_t *module, int64_t seed,
                                         std::vector<float> x,
                                         std::vector<float> target) {
    Error error;
    float loss, rate = 0.1f;
    std::vector<int64_t> xDims = {batch, LINE_WIDTH}, rowDims = {batch}, none;
    const tg_tensor_t inputs[] = {
        f32(x.data(), xDims), f32(target.data(), rowDims), f32(&rate, none)};
    const tg_tensor_t output = f32(&loss, none);
    const int64_t symbols[] = {batch};
    std::vector<uint8_t> block(LINE_SLAB_BYTES);
    tg_context_t *context = nullptr;
    bool ok = tg_context_create(module, nullptr, &context, &error) == TG_OK &&
              tg_context_reserve(context, 1, symbols, &error) == TG_OK &&
              tg_context_init(context, seed, &error) == TG_OK;
    for (int step = 0; ok && step < 20; ++step)
      ok = tg_context_run(context, 1, inputs, 3, &output, 1, &error) == TG_OK;
    ok = ok && tg_context_export_variables(context, block.data(), block.size(),
                                           &error) == TG_OK;
    tg_context_destroy(context);
    return ok ? block : std::vector<uint8_t>();
  }
};

} // namespace

TEST_F(ManyTest, contextsOfOneModuleDoNotDisturbEachOther) {
  constexpr int seeds = 8;
  std::vector<std::vector<uint8_t>> golden;
  for (int seed = 0; seed < seeds; ++seed)
    golden.push_back(trainAlone(module, seed, x, target));
  EXPECT_NE(golden[0], golden[1]);
  std::atomic<int> wrong = 0;
  onThreads(64, [&](int thread) {
    for (int round = 0; round < 20; ++round) {
      const int seed = (thread + round) % seeds;
      const std::vector<uint8_t> found = trainAlone(module, seed, x, target);
      wrong += found.empty() || found != golden[static_cast<size_t>(seed)];
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(ManyTest, modulesComeAndGoWhileOthersRun) {
  const auto openFiles = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         {});
  };
  const auto before = openFiles();
  const Bytes otherFile = readFile(otherPath);
  const std::vector<uint8_t> golden = trainAlone(module, 1, x, target);
  std::atomic<int> wrong = 0;
  onThreads(8, [&](int thread) {
    for (int round = 0; round < 40; ++round) {
      tg_module_t *mine = nullptr;
      const bool isOther = (thread + round) % 2;
      const tg_status_t status =
          isOther ? tg_module_load_memory(otherFile.data(), otherFile.size(),
                                          nullptr, &mine, nullptr)
                  : tg_module_load(linePath.c_str(), nullptr, &mine, nullptr);
      if (status != TG_OK) {
        ++wrong;
        continue;
      }
      wrong += tg_module_model(mine)->layout_id[0] != (isOther ? 99 : 16);
      if (!isOther)
        wrong += trainAlone(mine, 1, x, target) != golden;
      wrong += tg_module_unload(mine, nullptr) != TG_OK;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(openFiles(), before);
}

TEST_F(ManyTest, modelsKeepNoDescriptor) {
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  rlimit few = old;
  few.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const Bytes file = readFile(linePath);
  const Bytes otherFile = readFile(otherPath);
  std::vector<tg_module_t *> modules;
  for (int i = 0; i < 200; ++i) {
    const Bytes &next = i % 2 ? otherFile : file;
    tg_module_t *loaded = nullptr;
    const std::string &path = i % 2 ? otherPath : linePath;
    const tg_status_t status =
        i % 4 < 2 ? tg_module_load(path.c_str(), nullptr, &loaded, &error)
                  : tg_module_load_memory(next.data(), next.size(), nullptr,
                                          &loaded, &error);
    ASSERT_EQ(status, TG_OK) << i << ": " << error.message;
    modules.push_back(loaded);
  }
  // Each module is the requested one, with its own variables.
  const std::vector<uint8_t> golden = trainAlone(module, 1, x, target);
  for (size_t i = 0; i < modules.size(); ++i) {
    EXPECT_EQ(tg_module_model(modules[i])->layout_id[0], i % 2 ? 99 : 16);
    if (i % 2 == 0) {
      EXPECT_EQ(trainAlone(modules[i], 1, x, target), golden);
    }
    for (size_t other = 0; other < i; ++other)
      EXPECT_NE(tg_module_model(modules[i]), tg_module_model(modules[other]));
  }
  for (tg_module_t *loaded : modules)
    EXPECT_EQ(tg_module_unload(loaded, &error), TG_OK);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
}

TEST_F(ManyTest, noSymbolOfAModelIsSeenByOthers) {
  EXPECT_EQ(dlsym(RTLD_DEFAULT, TG_MODEL_SYMBOL), nullptr);
}
