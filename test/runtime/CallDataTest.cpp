/// Calls with wrong data or dimensions, and the results of calls.
#include "support/Caller.h"

using namespace tg::test;

using CallDataTest = CallTest;

TEST_F(CallDataTest, emptyTensorsNeedNoData) {
  init();
  rowDims = {0};
  indexInput.data = testOutput.data = nullptr;
  EXPECT_EQ(run("lookup", lookupCall()), TG_OK) << error.message;
}

TEST_F(CallDataTest, badIndexIsReportedWithItsPlace) {
  init();
  index[41] = 9, index[42] = 5, index[93] = -1;
  EXPECT_EQ(run("lookup", lookupCall()), TG_ERROR_INDEX);
  EXPECT_STREQ(error.message,
               "line.mlir:12:8: tg.gather in 'line/lookup': index 9 at element "
               "41 is out of range, expected at least 0 and below 4 [R1]");
  EXPECT_EQ(error.location, 0);
  EXPECT_EQ(error.element, 41);
  EXPECT_EQ(error.found, 9);
  EXPECT_EQ(error.expected, 4);
  EXPECT_EQ(error.variables_changed, 0u);
  index[41] = index[42] = index[93] = 0;
  EXPECT_EQ(run("lookup", lookupCall()), TG_OK) << error.message;
}

TEST_F(CallDataTest, theBoundOfAnIndexIsExact) {
  init();
  index[7] = LINE_WIDTH - 1;
  EXPECT_EQ(run("lookup", lookupCall()), TG_OK) << error.message;
  for (int32_t outside : {int32_t(LINE_WIDTH), -1, INT32_MIN, INT32_MAX}) {
    index[7] = outside;
    EXPECT_EQ(run("lookup", lookupCall()), TG_ERROR_INDEX) << outside;
    EXPECT_EQ(error.element, 7);
    EXPECT_EQ(error.found, outside);
  }
}

TEST_F(CallDataTest, divisionByZeroIsReported) {
  int32_t divisor[batch], quotient[batch];
  for (int i = 0; i < batch; ++i)
    index[i] = i, divisor[i] = i + 1;
  divisor[30] = divisor[90] = 0;
  const tg_tensor_t inputs[] = {indexInput, i32(divisor, rowDims)};
  const tg_tensor_t output = i32(quotient, rowDims);
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_ERROR_DIVIDE);
  EXPECT_STREQ(error.message,
               "line.mlir:20:3: tg.divide: divisor at element 30 is 0 [R1]");
  divisor[30] = divisor[90] = 1;
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_OK);
  rowDims[0] = 99; // the symbol must be a multiple of 2
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_ERROR_DIM);
  EXPECT_STREQ(error.message, "divide: dimension 'batch' of 'numerator' is 99, "
                              "expected a multiple of 2");
}

namespace {
/// Calls of "keep", whose output has a data-dependent number of rows.
class FoundExtentTest : public CallTest {
protected:
  /// Gives the output the shape returned by the plan.
  void plan() {
    const tg_function_t *function = find("keep");
    int64_t symbols[2] = {batch, -1};
    tg_plan_t made = {};
    made.struct_size = sizeof(made);
    made.symbols = symbols;
    made.worker_count = 1;
    ASSERT_EQ(function->plan(function, &made, &error), TG_OK) << error.message;
    ASSERT_EQ(function->symbols[1]->flags, TG_SYMBOL_FOUND);
    keptDims = {tg_dim(function->outputs[0]->dims[0], symbols), 2};
    EXPECT_EQ(keptDims[0], batch) << "the most that there can be";
    output = i32(kept, keptDims);
  }
  tg_status_t keep() { return run("keep", call(&indexInput, 1, &output, 1)); }

  std::vector<int64_t> keptDims;
  int32_t kept[batch * 2];
  tg_tensor_t output;
};
} // namespace

TEST_F(FoundExtentTest, isWrittenToTheShapeOfTheOutput) {
  plan();
  std::fill(index, index + batch, int32_t(LINE_WIDTH));
  index[3] = 2, index[50] = 0, index[99] = 1;
  ASSERT_EQ(keep(), TG_OK) << error.message;
  EXPECT_EQ(keptDims, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(std::vector<int32_t>(kept, kept + 6),
            (std::vector<int32_t>{2, 3, 0, 50, 1, 99}));
}

TEST_F(FoundExtentTest, mayBeNothingAndTheMost) {
  plan();
  std::fill(index, index + batch, int32_t(LINE_WIDTH));
  ASSERT_EQ(keep(), TG_OK) << error.message;
  EXPECT_EQ(keptDims[0], 0);
  plan();
  std::fill(index, index + batch, 0);
  ASSERT_EQ(keep(), TG_OK) << error.message;
  EXPECT_EQ(keptDims[0], batch);
}

// The size found by the previous run is not the capacity for the next one.
TEST_F(FoundExtentTest, needsThePlannedShapeInEachCall) {
  plan();
  index[0] = LINE_WIDTH;
  ASSERT_EQ(keep(), TG_OK) << error.message;
  EXPECT_EQ(keep(), TG_ERROR_DIM);
  EXPECT_EQ(error.argument, 1);
  EXPECT_EQ(error.found, batch - 1);
  EXPECT_EQ(error.expected, batch);
  EXPECT_EQ(keptDims[0], batch - 1);
  plan();
  EXPECT_EQ(keep(), TG_OK) << error.message;
}

TEST_F(FoundExtentTest, staysAsPlannedWhereARunFails) {
  plan();
  index[41] = -1;
  EXPECT_EQ(keep(), TG_ERROR_INDEX);
  EXPECT_EQ(error.element, 41);
  EXPECT_EQ(keptDims[0], batch);
}

TEST_F(CallDataTest, lateFailureSaysThatVariablesChanged) {
  init();
  int64_t label = 1; // the new step is 1: fails after the increment
  const tg_tensor_t input = i64(&label, none);
  const tg_call_t made = call(&input, 1, nullptr, 0);
  const uint64_t before =
      reinterpret_cast<tg_slab_header_t *>(slab)->generation;
  EXPECT_EQ(run("late", made), TG_ERROR_INDEX);
  EXPECT_EQ(error.variables_changed, 1u);
  EXPECT_STREQ(error.message,
               "tg.softmax_cross_entropy in 'late': label 1 at element 0 is "
               "out of range, expected at least 0 and below 1 [R1]");
  EXPECT_EQ(reinterpret_cast<tg_slab_header_t *>(slab)->generation, before + 1);
  EXPECT_EQ(run("late", made), TG_OK); // the step is 2
}

TEST_F(CallDataTest, relationsAndComputedSymbolsAreChecked) {
  std::vector<int64_t> left = {3}, right = {2}, joined = {6};
  float joinedData[8];
  const tg_tensor_t inputs[] = {f32(x, left), f32(target, right)};
  const tg_tensor_t output = f32(joinedData, joined);
  const tg_call_t made = call(inputs, 2, &output, 1);
  EXPECT_EQ(run("pair", made), TG_ERROR_DIM);
  EXPECT_STREQ(error.message, "line.mlir:14:8: tg.add in 'pair': lhs dim 0 is "
                              "2, expected 3 [R0]");
  right[0] = 3;
  EXPECT_EQ(run("pair", made), TG_OK) << error.message;
  joined[0] = 5;
  EXPECT_EQ(run("pair", made), TG_ERROR_DIM);
  EXPECT_STREQ(
      error.message,
      "pair: output 'joined': dim 0 is 5, expected 6 ('joined.0') [R0]");
}

TEST_F(CallDataTest, planComputesSizesAndChecks) {
  const tg_function_t *pair = find("pair");
  int64_t symbols[3] = {8, 8, 0};
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_OK) << error.message;
  EXPECT_EQ(symbols[2], 16);
  EXPECT_EQ(plan.workspace_bytes, 64u);
  symbols[0] = symbols[1] = int64_t(1) << 40;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_SIZE);
  symbols[0] = -1;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_DIM);
  plan.symbols = nullptr;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_NULL);
  plan.struct_size = 8;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_STRUCT);
  EXPECT_EQ(pair->plan(pair, nullptr, &error), TG_ERROR_NULL);
}

TEST_F(CallDataTest, resultsDoNotDependOnThreadsOrCuts) {
  std::vector<char> first;
  // 0 threads: one range, without a parallel_for; otherwise one tile per range.
  for (uint32_t threads = 0; threads <= 5; ++threads) {
    const tg_parallel_t rude = {sizeof(rude), threads, &threads, rudeFor};
    const tg_parallel_t *parallel = threads ? &rude : nullptr;
    for (int i = 0; i < batch * LINE_WIDTH; ++i)
      x[i] = static_cast<float>((i * 37) % 101) / 101;
    std::memset(slab, 0, sizeof(slab));
    std::memset(workspace, 0xff, sizeof(workspace));
    init();
    tg_call_t made = trainCall();
    made.parallel = parallel;
    for (int step = 0; step < 20; ++step)
      ASSERT_EQ(run("train", made), TG_OK) << error.message;
    index[41] = 9, index[93] = -1;
    made = lookupCall();
    made.parallel = parallel;
    EXPECT_EQ(run("lookup", made), TG_ERROR_INDEX);
    EXPECT_EQ(error.element, 41);
    const std::vector<char> after(slab, slab + sizeof(slab));
    if (first.empty())
      first = after;
    EXPECT_EQ(first, after) << threads << " threads";
  }
}

TEST_F(CallDataTest, planRefusesTensorsLargerThanMemory) {
  const tg_function_t *square = find("square");
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  const auto planFor = [&](int64_t rows, int64_t columns) {
    int64_t symbols[2] = {rows, columns};
    plan.symbols = symbols;
    return square->plan(square, &plan, &error);
  };
  EXPECT_EQ(planFor(int64_t(1) << 30, int64_t(1) << 30), TG_OK);
  EXPECT_EQ(planFor(int64_t(1) << 31, int64_t(1) << 31), TG_ERROR_SIZE);
  EXPECT_STREQ(error.message, "square: input 'x' is larger than memory");
  EXPECT_EQ(error.argument, 0);
  EXPECT_EQ(planFor(int64_t(1) << 40, int64_t(1) << 40), TG_ERROR_SIZE);
  EXPECT_EQ(planFor(int64_t(1) << 40, 0), TG_OK); // empty
}
