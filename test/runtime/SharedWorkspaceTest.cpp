/// Workspaces that contexts share, and plans of calls.
#include "support/Line.h"

#include <functional>

using namespace tg::test;

namespace {

class SharedWorkspaceTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    ASSERT_EQ(tg_workspace_create(nullptr, &workspace, &error), TG_OK);
    for (tg_context_t *&each : contexts) {
      tg_context_options_t options = {};
      options.struct_size = sizeof(options);
      options.workspace = workspace;
      ASSERT_EQ(tg_context_create(module, &options, &each, &error), TG_OK)
          << error.message;
      ASSERT_EQ(tg_context_init(each, 1, &error), TG_OK) << error.message;
    }
  }
  void TearDown() override {
    for (tg_context_t *each : contexts)
      tg_context_destroy(each);
    EXPECT_EQ(tg_workspace_destroy(workspace, &error), TG_OK) << error.message;
    LineTest::TearDown();
  }

  tg_workspace_t *workspace = nullptr;
  tg_context_t *contexts[2] = {};
};

} // namespace

TEST_F(SharedWorkspaceTest, growsForAllContexts) {
  const uint64_t first = tg_workspace_bytes(workspace);
  EXPECT_GT(first, 0u);
  std::vector<int64_t> rows = {100000};
  EXPECT_EQ(
      tg_context_reserve(contexts[0], function("train"), rows.data(), &error),
      TG_OK);
  EXPECT_GT(tg_workspace_bytes(workspace), first);
  ASSERT_EQ(train(contexts[1]), TG_OK) << error.message;
  const float expected = loss;
  ASSERT_EQ(train(contexts[0]), TG_OK) << error.message;
  EXPECT_EQ(loss, expected) << "variables of their own";
  EXPECT_EQ(tg_workspace_destroy(workspace, &error), TG_ERROR_BUSY);
  EXPECT_STREQ(error.message, "2 contexts still use the workspace");
  EXPECT_EQ(tg_workspace_bytes(nullptr), 0u);
  EXPECT_EQ(tg_workspace_create(nullptr, nullptr, &error), TG_ERROR_NULL);
  EXPECT_EQ(tg_workspace_destroy(nullptr, &error), TG_ERROR_NULL);
}

TEST_F(SharedWorkspaceTest, aRunThatNeedsMoreSaysSo) {
  std::vector<float> many(100000 * LINE_WIDTH), targets(100000);
  std::vector<int64_t> rows = {100000}, dims = {100000, LINE_WIDTH};
  const tg_tensor_t inputs[] = {f32(many.data(), dims),
                                f32(targets.data(), rows), f32(&rate, none)};
  const tg_tensor_t output = f32(&loss, none);
  EXPECT_EQ(tg_context_run(contexts[0], function("train"), inputs, 3, &output,
                           1, &error),
            TG_ERROR_SIZE);
  EXPECT_NE(std::string(error.message).find("call tg_context_reserve first"),
            std::string::npos)
      << error.message;
}

namespace {
/// A clock that runs another context of the workspace.
struct NestedRun {
  std::function<void()> call;

  static uint64_t now(void *user) {
    static_cast<NestedRun *>(user)->call();
    return 0;
  }
};
} // namespace

TEST_F(SharedWorkspaceTest, oneContextComputesAtATime) {
  std::vector<tg_status_t> found;
  const int64_t symbols[] = {1 << 20};
  NestedRun nested = {[&] {
    found = {
        test(contexts[1]),
        tg_context_reserve(contexts[1], function("train"), symbols, nullptr),
        test(context)};
  }};
  uint64_t times[2];
  tg_profile_t profile = {sizeof(profile), 1,         &nested,
                          NestedRun::now,  &times[0], &times[1]};
  std::vector<float> rows(batch);
  const tg_tensor_t input = f32(x.data(), xDims);
  const tg_tensor_t output = f32(rows.data(), rowDims);
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  ASSERT_EQ(tg_context_run_profiled(contexts[0], function("test"), &input, 1,
                                    &output, 1, &profile, &error),
            TG_OK)
      << error.message;
  EXPECT_EQ(found,
            (std::vector<tg_status_t>{TG_ERROR_BUSY, TG_ERROR_BUSY, TG_OK}));
  EXPECT_EQ(test(contexts[1]), TG_OK) << "idle again: " << error.message;
}

TEST_F(SharedWorkspaceTest, plansGiveSymbolsAndGrow) {
  int64_t symbols[] = {1000, 1000, -1};
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols;
  ASSERT_EQ(tg_context_plan(contexts[0], function("pair"), &plan, &error),
            TG_OK)
      << error.message;
  EXPECT_EQ(symbols[2], 2000);
  EXPECT_EQ(plan.worker_count, 1u);
  symbols[0] = 100000;
  ASSERT_EQ(tg_context_plan(contexts[0], function("train"), &plan, &error),
            TG_OK);
  EXPECT_GE(tg_workspace_bytes(workspace), plan.workspace_bytes);
  symbols[0] = 3;
  EXPECT_EQ(tg_context_plan(contexts[0], function("divide"), &plan, &error),
            TG_ERROR_DIM);
  EXPECT_EQ(tg_context_plan(contexts[0], 99, &plan, &error),
            TG_ERROR_NOT_FOUND);
  EXPECT_EQ(tg_context_plan(contexts[0], 0, nullptr, &error), TG_ERROR_NULL);
  EXPECT_EQ(tg_context_plan(nullptr, 0, &plan, &error), TG_ERROR_NULL);
}
