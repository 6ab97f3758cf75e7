//===- PropertyTest.cpp - what must not change the bits of a model --------===//
//
// The rows of a batch, whether extents are known, optimization levels, targets,
// threads, budgets of memory, caches of kernels and modes of the caller must
// change no bit.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/bits/ModelRuns.h"
#include "tg/tg.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {
/// A network with the functions `train` and `test`.
struct Subject {
  const char *name;
  std::string (*text)();
  /// A budget of memory, in bytes, that makes tgc recompute values in training
  /// with kRows rows. 0: the network keeps no value that could be recomputed.
  int64_t memoryBudget;
};

void PrintTo(const Subject &subject, std::ostream *stream) {
  *stream << subject.name;
}

class PropertyTest : public testing::TestWithParam<Subject> {
protected:
  std::string text = GetParam().text();
};

/// The rows of a batch whose extents are known.
constexpr int64_t kRows = 6;
} // namespace

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// Returns a network that trains layers to classify, and tests them.
static std::string classifier(const Shape &shape, Sequential network) {
  Program program("subject");
  Tensor x = program.input("x", f32, shape);
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor loss = meanSoftmaxCrossEntropy(network.trainFprop(x), label);
  program.function("train",
                   {.inputs = {x, label},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  program.function(
      "test", {.inputs = {x}, .outputs = {{"logits", network.testFprop(x)}}});
  return program.text();
}

static std::string mlp() {
  return classifier(
      {dim("batch"), 300},
      Sequential({Linear({.units = 90}), Relu(), Dropout({.rate = 0.2}),
                  Linear({.units = 33}), Tanh(), Linear({.units = 10})}));
}

/// Returns a small all-convolutional network.
static std::string allCnn() {
  auto convolve = [](int64_t filters, int64_t size, int64_t stride) {
    return Conv2D({.filters = filters,
                   .kernelSize = {size},
                   .strides = {stride},
                   .padding = Padding::same,
                   .activation = relu});
  };
  return classifier(
      {dim("batch"), 12, 12, 3},
      Sequential({convolve(16, 3, 1), BatchNormalization(), convolve(24, 3, 2),
                  convolve(24, 3, 1), BatchNormalization(), convolve(20, 1, 1),
                  convolve(10, 1, 1), ReduceMean({.axes = {1, 2}})}));
}

static std::string transformer() {
  return classifier(
      {dim("batch"), 9, 24},
      Sequential({TransformerEncoderBlock({.heads = 2, .units = 40}),
                  LayerNormalization(), ReduceMean({.axes = {1}}),
                  Linear({.units = 10})}));
}

static std::string lstm() {
  return classifier({dim("batch"), 7, 12},
                    Sequential({LSTM({.units = 20, .returnIndices = {0}}),
                                LSTM({.units = 11, .returnIndices = {0}}),
                                Flatten(), Linear({.units = 10})}));
}

/// Returns a network without products of matrices: each row is scaled,
/// normalized and reduced.
static std::string scales() {
  Program program("subject");
  Tensor x = program.input("x", f32, {dim("batch"), 130});
  Variable scale =
      program.variable("scale", f32, {130}, uniform({.low = 0.5, .high = 1.5}));
  Tensor y = softmax(layerNorm(tanh(x), scale, scale * 0.5)) * exp(scale);
  Tensor sum = reduceSum(y, {.axes = {1}});
  Tensor loss = reduceMean(square(sum - 1.0)) + 0.01 * reduceSum(square(y));
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  program.function("test",
                   {.inputs = {x}, .outputs = {{"y", y}, {"sum", sum}}});
  return program.text();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns `count` rows of a tensor.
static RawTensor takeRows(const RawTensor &tensor, int64_t first,
                          int64_t count) {
  size_t bytes = tensor.bytes.size() / size_t(tensor.shape[0]);
  auto begin = tensor.bytes.begin() + first * int64_t(bytes);
  RawTensor rows{
      tensor.dtype, tensor.shape, {begin, begin + count * int64_t(bytes)}};
  rows.shape[0] = count;
  return rows;
}

/// Returns a number of rows of all tensors.
static std::vector<RawTensor> takeRows(const std::vector<RawTensor> &tensors,
                                       int64_t first, int64_t count) {
  std::vector<RawTensor> rows;
  for (const RawTensor &tensor : tensors)
    rows.push_back(takeRows(tensor, first, count));
  return rows;
}

/// Runs `test` on batches of 1 to 64 rows, and on each row alone.
static void compareRows(const Model &model, uint32_t threads) {
  constexpr int64_t kMost = 64;
  const tg_function_t &test = model.function("test");
  std::vector<RawTensor> inputs = makeInputs(test, kMost, 1, {});
  Context context = makeContext(model, threads);
  std::vector<std::vector<RawTensor>> alone;
  for (int64_t row = 0; row < kMost; ++row)
    alone.push_back(runFunction(context, test, takeRows(inputs, row, 1)));
  int64_t differences = 0;
  std::string first;
  for (int64_t count = 1; count <= kMost; ++count) {
    std::vector<RawTensor> outputs =
        runFunction(context, test, takeRows(inputs, 0, count));
    for (size_t o = 0; o < outputs.size(); ++o)
      for (int64_t row = 0; row < count; ++row)
        if (takeRows(outputs[o], row, 1).bytes != alone[size_t(row)][o].bytes &&
            differences++ == 0)
          first = "row " + std::to_string(row) + " of " + std::to_string(count);
  }
  EXPECT_EQ(differences, 0)
      << "rows differ from the row alone, the first is " << first;
}

TEST_P(PropertyTest, RowsDoNotDependOnTheBatch) {
  std::vector<char> library = compileText(text, {.levels = levelsWithFma()});
  for (int level : levelsWithFma())
    for (uint32_t threads : {1, 3}) {
      SCOPED_TRACE("x86-64-v" + std::to_string(level) + ", " +
                   std::to_string(threads) + " threads");
      compareRows(loadLibrary(library, uint32_t(level)), threads);
    }
}

//===----------------------------------------------------------------------===//
// Compilations
//===----------------------------------------------------------------------===//

static RunPlan planOfKnownRows() {
  return {.steps = {kRows, kRows, kRows}, .tests = {kRows}, .classes = 10};
}

/// Returns the results of the model as compiled by default for x86-64-v3.
static Results runByDefault(const std::string &text) {
  return runCompiled(loadLibrary(compileText(text, {}), 3), planOfKnownRows());
}

/// Compares the results of another compilation.
static void compare(const std::string &text, const CompileSettings &settings,
                    const Results &expected) {
  std::vector<char> library = compileText(text, settings);
  ASSERT_FALSE(library.empty());
  for (int level : settings.levels) {
    SCOPED_TRACE("-O" + std::to_string(settings.optimization) + " x86-64-v" +
                 std::to_string(level));
    Model model = loadLibrary(library, uint32_t(level));
    expectSameBits(runCompiled(model, planOfKnownRows()), expected);
  }
}

TEST_P(PropertyTest, LevelsChangeNothing) {
  Results expected = runByDefault(text);
  for (int optimization : {0, 1, 2, 3})
    compare(text, {.optimization = optimization, .levels = levelsWithFma()},
            expected);
}

TEST_P(PropertyTest, KnownExtentsChangeNothing) {
  std::string dims = "batch=" + std::to_string(kRows);
  compare(text, {.levels = levelsWithFma(), .dims = dims}, runByDefault(text));
}

/// Returns the bytes of the workspace of `train`, whose extents are known.
static uint64_t workspaceOf(const std::vector<char> &library) {
  Model model = loadLibrary(library, 3);
  const tg_function_t &train = model.function("train");
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  detail::check(train.plan, &train, &plan);
  return plan.workspace_bytes;
}

TEST_P(PropertyTest, BudgetsOfMemoryChangeNothing) {
  if (GetParam().memoryBudget == 0)
    return;
  CompileSettings settings{.dims = "batch=" + std::to_string(kRows)};
  uint64_t unlimited = workspaceOf(compileText(text, settings));
  settings.memoryBudget = GetParam().memoryBudget;
  std::vector<char> library = compileText(text, settings);
  ASSERT_FALSE(library.empty());
  EXPECT_LT(workspaceOf(library), unlimited);
  expectSameBits(runCompiled(loadLibrary(library, 3), planOfKnownRows()),
                 runByDefault(text));
}

TEST_P(PropertyTest, CachesChangeNoByteOfALibrary) {
  std::vector<char> library = compileText(text, {});
  EXPECT_TRUE(compileText(text, {}) == library) << "compiled twice";
  std::string cache = testing::TempDir() + "tg-property-" + GetParam().name;
  std::filesystem::remove_all(cache);
  EXPECT_TRUE(compileText(text, {.kernelCache = cache}) == library);
  EXPECT_TRUE(compileText(text, {.kernelCache = cache}) == library)
      << "from the cache";
  std::filesystem::remove_all(cache);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST_P(PropertyTest, ThreadsChangeNothing) {
  Model model = loadLibrary(compileText(text, {}), 3);
  RunPlan plan{.steps = {33, 5}, .tests = {40}, .classes = 10};
  Results expected = runCompiled(model, plan);
  for (uint32_t threads : {2, 3, 4}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    expectSameBits(runCompiled(model, plan, threads), expected);
  }
}

TEST_P(PropertyTest, ModesOfTheCallerChangeNothing) {
  std::vector<char> library = compileText(text, {.levels = levelsWithFma()});
  for (int level : levelsWithFma())
    // Inputs of about 1, and denormal ones.
    for (int scale : {0, -138}) {
      SCOPED_TRACE("x86-64-v" + std::to_string(level));
      Model model = loadLibrary(library, uint32_t(level));
      RunPlan plan{
          .steps = {9, 4}, .tests = {7}, .classes = 10, .scale = scale};
      Results expected = runCompiled(model, plan);
      // Flush to zero and denormals are zero; up; down; towards zero.
      for (unsigned modes : {0x8040, 0x4000, 0x2000, 0xe040})
        for (uint32_t threads : {1, 3}) {
          plan.modes = modes;
          SCOPED_TRACE("MXCSR " + std::to_string(modes));
          expectSameBits(runCompiled(model, plan, threads), expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, PropertyTest,
    testing::Values(Subject{"mlp", mlp, 0}, Subject{"allCnn", allCnn, 190000},
                    Subject{"transformer", transformer, 42000},
                    Subject{"lstm", lstm, 66000}, Subject{"scales", scales, 0}),
    [](const auto &info) { return std::string(info.param.name); });
