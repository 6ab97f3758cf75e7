//===- DeviceTrainingTest.cpp - trainings of the examples on a device -----===//
//
// Trains networks of the examples on the kinds of data that they learn, on a
// CPU and twice on the stand-in for CUDA's driver. All variables must have the
// same bits. digits is trained to the end. The others are trained for some
// steps, of shorter windows and fewer strings than in the examples, as that
// takes less time.
//
//===----------------------------------------------------------------------===//
#include "examples/char_lm/Network.h"
#include "examples/digits/Network.h"
#include "examples/digits_cnn/Network.h"
#include "examples/translate/Network.h"
#include "test/numeric/bits/ModelRuns.h"
#include "test/simulator/support/Cuda.h"

#include <gtest/gtest.h>
#include <tg/training.hpp>

using namespace tg;
using namespace tg::test;

namespace {
/// A network and its training from the variables of a context.
struct Training {
  const char *name;
  void (*define)(Program &program);
  void (*train)(Context &context);
};
/// Prints the name in messages of GoogleTest.
void PrintTo(const Training &training, std::ostream *stream) {
  *stream << training.name;
}
class DeviceTrainingTest : public testing::TestWithParam<Training> {};
} // namespace

static constexpr int64_t kSteps = 20;

//===----------------------------------------------------------------------===//
// Trainings
//===----------------------------------------------------------------------===//

static digits::Digits trainingDigits() {
  return digits::readDigits(TG_EXAMPLES "/digits/digits.csv").slice(0, 1297);
}

/// Trains for epochs of shuffled batches of 32 digits.
static void trainDigits(Context &context) {
  constexpr size_t epochs = 40;
  const digits::Digits all = trainingDigits();
  std::mt19937 generator(1);
  Shuffled rows(Rows(all.images, digits::pixels), Rows(all.labels));
  for (size_t epoch = 0; epoch < epochs; ++epoch) {
    const double rate = 6e-3 * double(epochs - epoch) / epochs;
    for (auto [image, label] : rows.shuffle(generator, {.size = 32}))
      context.run("train", {{"image", image.values()},
                            {"label", label.values()},
                            {"learning_rate", rate}});
  }
}

static void trainDigitsCnn(Context &context) {
  const digits::Digits all = trainingDigits();
  for (size_t step = 0; step < kSteps; ++step) {
    const size_t first = step * digits_cnn::batchSize;
    const digits::Digits batch =
        all.slice(first, first + digits_cnn::batchSize);
    context.run("train", {{"image", batch.images}, {"label", batch.labels}});
  }
}

/// The sizes of the example, but for the number of characters in a step.
static constexpr char_lm::Sizes kCharLmSizes{.window = 12};

/// Trains on consecutive windows of the READMEs of this tree.
static void trainCharLm(Context &context) {
  const std::vector<int32_t> text = char_lm::readDocumentation(TG_ROOT);
  const int64_t streams = kCharLmSizes.streams, size = kCharLmSizes.window;
  const size_t length = size_t(size), row = length * kSteps + 1;
  ASSERT_GE(text.size(), row * size_t(streams));
  auto window = [&](size_t step, size_t shift) {
    std::vector<int32_t> all;
    for (size_t stream = 0; stream < size_t(streams); ++stream) {
      auto begin = text.begin() + int64_t(stream * row + step * length + shift);
      all.insert(all.end(), begin, begin + size);
    }
    return all;
  };
  for (size_t step = 0; step < kSteps; ++step)
    context.run("train", {{"text", window(step, 0)},
                          {"next", window(step, 1)},
                          {"keep", step ? 1.0 : 0.0},
                          {"learning_rate", 5e-3}});
}

static void trainTranslate(Context &context) {
  constexpr int64_t rows = 16;
  const std::vector<int64_t> shape = {rows, translate::longest + 1};
  std::mt19937 generator(1);
  for (int64_t step = 0; step < kSteps; ++step) {
    std::vector<translate::Example> examples;
    for (int64_t row = 0; row < rows; ++row)
      examples.push_back(
          {row % 2 ? translate::reversal : translate::sorting,
           translate::randomDigits(generator,
                                   generator() % translate::longest + 1)});
    const translate::Batch batch(examples);
    context.run("train", {{"source", Value(batch.source, shape)},
                          {"lengths", batch.lengths},
                          {"before", Value(batch.before, shape)},
                          {"target", Value(batch.target, shape)},
                          {"learning_rate", 1e-2}});
  }
}

static void defineCharLm(Program &program) {
  char_lm::defineNetwork(program, kCharLmSizes);
}

static void defineTranslate(Program &program) {
  translate::defineNetwork(program);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Returns the variables after a training.
static Results train(const Training &training, const std::vector<char> &library,
                     tg_device_t device) {
  const Model model =
      Model::loadMemory(std::as_bytes(std::span(library)), {.device = device});
  Context context = makeContext(model, /*threads=*/1);
  training.train(context);
  return readVariables(context, model.tables());
}

TEST_P(DeviceTrainingTest, HasTheBitsOfTheCpu) {
  const Training &training = GetParam();
  Cuda::get(); // libtgrt finds the driver that is loaded already
  Program program(training.name);
  training.define(program);
  const std::vector<char> library =
      compileText(program.text(), {.kinds = {"cpu", "cuda"}});
  ASSERT_FALSE(library.empty());
  const Results expected = train(training, library, {TG_DEVICE_CPU, 0});
  for (const Result &variable : expected)
    EXPECT_FALSE(hasNan(variable.tensor)) << variable.name;
  for (int run = 1; run <= 2; ++run) {
    SCOPED_TRACE("run " + std::to_string(run) + " on the device");
    expectSameBits(train(training, library, {TG_DEVICE_CUDA, 0}), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Examples, DeviceTrainingTest,
    testing::Values(Training{"digits", digits::defineNetwork, trainDigits},
                    Training{"digitsCnn", digits_cnn::defineNetwork,
                             trainDigitsCnn},
                    Training{"charLm", defineCharLm, trainCharLm},
                    Training{"translate", defineTranslate, trainTranslate}),
    [](const testing::TestParamInfo<Training> &info) {
      return std::string(info.param.name);
    });
