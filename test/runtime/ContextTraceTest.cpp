/// Runs of contexts that pass the results of steps to the caller.
#include "support/Line.h"

using namespace tg::test;

using ContextTraceTest = LineTest;

TEST_F(ContextTraceTest, tracesTheResultsOfSteps) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  struct Received {
    tg_context_t *context;
    std::vector<float> y;
  } received = {context, {}};
  tg_trace_t trace = {};
  trace.struct_size = sizeof(trace);
  trace.user = &received;
  trace.record = [](void *user, uint32_t, uint32_t,
                    const tg_step_result_t *result) {
    Received &to = *static_cast<Received *>(user);
    const float *begin = static_cast<const float *>(result->data);
    to.y.assign(begin, begin + result->rows * result->row_bytes / 4);
    EXPECT_EQ(tg_context_init(to.context, 1, nullptr), TG_ERROR_BUSY);
  };
  const tg_tensor_t input = f32(x.data(), xDims),
                    output = f32(y.data(), rowDims);
  const auto run = [&](const char *name, const tg_trace_t *with) {
    return tg_context_run_traced(context, function(name), &input, 1, &output, 1,
                                 with, &error);
  };
  ASSERT_EQ(run("test", &trace), TG_OK) << error.message;
  EXPECT_EQ(received.y, y);
  EXPECT_EQ(run("test", nullptr), TG_ERROR_NULL);
  EXPECT_EQ(run("lookup", &trace), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message,
               "lookup: the library was compiled by a tgc without traces");
  trace.flags = 1;
  EXPECT_EQ(run("test", &trace), TG_ERROR_STRUCT);
  trace.flags = 0;
  trace.record = nullptr;
  EXPECT_EQ(run("test", &trace), TG_ERROR_NULL);
  EXPECT_EQ(
      tg_context_run_traced(nullptr, 0, &input, 1, &output, 1, &trace, &error),
      TG_ERROR_NULL);
}
