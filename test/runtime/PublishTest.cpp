/// Publication: readers see either the old weights or the new ones.
#include "support/Line.h"

#include <atomic>
#include <thread>

using namespace tg::test;

namespace {

class PublishTest : public LineTest {
protected:
  /// Sets all weights of the context to `value`.
  void setWeights(float value) {
    std::vector<float> weight(LINE_WIDTH, value);
    std::vector<int64_t> dims = {LINE_WIDTH};
    const tg_tensor_t tensor = f32(weight.data(), dims);
    ASSERT_EQ(tg_context_set_variable(context, 0, &tensor, &error), TG_OK);
  }
};

} // namespace

TEST_F(PublishTest, sharedContextsReadWhatWasPublished) {
  tg_context_t *server = createContext(TG_CONTEXT_SHARED);
  EXPECT_EQ(test(server), TG_ERROR_SLAB);
  EXPECT_EQ(tg_module_publish(module, context, &error), TG_ERROR_SLAB);
  x.assign(x.size(), 1);
  setWeights(2);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK) << error.message;
  setWeights(3); // not published
  ASSERT_EQ(test(server), TG_OK) << error.message;
  EXPECT_EQ(y[7], 8);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  ASSERT_EQ(test(server), TG_OK);
  EXPECT_EQ(y[7], 12);
  tg_context_destroy(server);
}

TEST_F(PublishTest, sharedContextsWriteNothing) {
  tg_context_t *server = createContext(TG_CONTEXT_SHARED);
  setWeights(1);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  EXPECT_EQ(train(server), TG_ERROR_SLAB);
  EXPECT_EQ(tg_context_init(server, 1, &error), TG_ERROR_SLAB);
  std::vector<float> weight(LINE_WIDTH);
  std::vector<int64_t> dims = {LINE_WIDTH};
  const tg_tensor_t value = f32(weight.data(), dims);
  EXPECT_EQ(tg_context_set_variable(server, 0, &value, &error), TG_ERROR_SLAB);
  EXPECT_EQ(tg_context_get_variable(server, 0, &value, &error), TG_OK);
  EXPECT_EQ(weight[2], 1);
  int64_t step;
  const tg_tensor_t behind = i64(&step, none);
  EXPECT_EQ(tg_context_get_variable(server, 1, &behind, &error),
            TG_ERROR_SLAB); // only the front variables are published
  EXPECT_EQ(tg_module_publish(module, server, &error), TG_ERROR_SLAB);
  tg_context_destroy(server);
}

TEST_F(PublishTest, readersNeverSeeAMix) {
  constexpr int readers = 3, publications = 1000;
  std::atomic<bool> stop = false;
  std::atomic<int> torn = 0, backward = 0, failed = 0;
  const auto serve = [&] {
    tg_context_t *server = createContext(TG_CONTEXT_SHARED);
    Error mine;
    std::vector<float> ones(16 * LINE_WIDTH, 1), out(16);
    std::vector<int64_t> inDims = {16, LINE_WIDTH}, outDims = {16};
    const tg_tensor_t in = f32(ones.data(), inDims);
    const tg_tensor_t into = f32(out.data(), outDims);
    float last = -1;
    while (!stop) {
      failed += tg_context_run(server, 2, &in, 1, &into, 1, &mine) != TG_OK;
      for (float value : out)
        torn += value != out[0];
      backward += out[0] < last;
      last = out[0];
    }
    tg_context_destroy(server);
  };
  ASSERT_STREQ(tg_module_model(module)->functions[2]->name, "test");
  setWeights(0);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  std::vector<std::thread> threads;
  for (int i = 0; i < readers; ++i)
    threads.emplace_back(serve);
  for (int version = 1; version <= publications; ++version) {
    setWeights(static_cast<float>(version));
    ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  }
  EXPECT_EQ(tg_module_unload(module, &error), TG_ERROR_BUSY);
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backward, 0);
  EXPECT_EQ(failed, 0);
}
