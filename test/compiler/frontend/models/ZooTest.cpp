//===- ZooTest.cpp - shapes, variables and training of the zoo ------------===//
#include "tg/runtime.hpp"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <tg/tg.h>
#include <unistd.h>

using namespace tg;
using namespace tg::models;

namespace {

using Shapes = std::vector<Shape>;
using Tensors = std::vector<Tensor>;

struct Case {
  const char *name;
  Layer (*make)(const Operand &rate);
  /// The shapes without the batch, at the size that `parameters` refers to.
  Shapes inputs, outputs;
  int64_t parameters;
  /// Creates the network of the training step.
  Layer (*makeSmall)(const Operand &rate);
  Shapes smallInputs;
  /// Returns the loss of the outputs and the targets, which have the same
  /// shapes.
  Tensor (*loss)(const Tensors &outputs, const Tensors &targets);
  /// Checks the outputs o0, o1, ... of a step.
  void (*check)(const Outputs &outputs) = nullptr;
  int64_t batch = 2;
  /// The -O level: 2 if the steps would otherwise take longer than compiling
  /// vectorized code.
  int optimization = 1;
};

/// Prints a case for GoogleTest.
void PrintTo(const Case &model, std::ostream *stream) { *stream << model.name; }

Tensor meanSquares(const Tensors &outputs, const Tensors &targets) {
  return meanSquaredError(outputs[0], targets[0]);
}

Tensor entropy(const Tensors &outputs, const Tensors &targets) {
  return binaryCrossEntropy(outputs[0], targets[0]);
}

Tensor sigmoidEntropy(const Tensors &outputs, const Tensors &targets) {
  return reduceMean(sigmoidCrossEntropy(outputs[0], targets[0]));
}

Tensor dice(const Tensors &outputs, const Tensors &targets) {
  return meanDiceLoss(outputs[1], targets[1]);
}

/// Returns the triplet loss of three points, two of them in one class. The
/// points have length 1, so they are closer than the margin.
Tensor triplets(const Tensors &outputs, const Tensors &) {
  Tensor labels = Program::of(outputs[0]).constant({0, 1, 1}, i32, {3});
  return tripletLoss(l2Normalize(outputs[0]), labels, {.margin = 5}).loss;
}

/// Returns the sum of the losses of positions, coarse classes and fine classes.
Tensor weightedLosses(const Tensors &outputs, const Tensors &targets) {
  return weightedDiceLoss(outputs[0], softmax(targets[0])) +
         weightedFocalCrossEntropy(outputs[1], softmax(targets[1]),
                                   {.gamma = 2}) +
         weightedFocalCrossEntropy(outputs[2], softmax(targets[2]));
}

/// Checks that each row of the first output adds up to 1.
void checkRows(const Outputs &outputs) {
  std::span<const float> values = outputs.values<float>("o0");
  float sum = std::accumulate(values.begin(), values.end(), 0.0f);
  EXPECT_NEAR(sum, float(outputs.shape("o0")[0]), 1e-4);
}

/// Checks that the second output is the sigmoid of the first one.
void checkSigmoid(const Outputs &outputs) {
  std::span<const float> logits = outputs.values<float>("o0");
  for (size_t i = 0; i < logits.size(); ++i)
    EXPECT_NEAR(outputs.values<float>("o1")[i], 1 / (1 + std::exp(-logits[i])),
                1e-5);
}

/// Checks that the logit of a coarse class is the sum of the logits of its two
/// fine classes.
void checkSums(const Outputs &outputs) {
  std::span<const float> coarse = outputs.values<float>("o1");
  std::span<const float> fine = outputs.values<float>("o2");
  for (size_t i = 0; i < coarse.size(); ++i)
    EXPECT_NEAR(coarse[i], fine[2 * i] + fine[2 * i + 1], 1e-4);
}

template <typename Network> Layer made(const Operand &rate) {
  if constexpr (requires { Network({.rate = rate}); })
    return Network({.rate = rate});
  else
    return Network();
}

Layer smallHED(const Operand &rate) {
  return HEDModified(
      {.channels = 1, .sideChannels = 1, .outputs = 1, .rate = rate});
}

Shapes volumes(size_t count, Shape shape) { return Shapes(count, shape); }

template <typename Network> Layer madeTumour(const Operand &rate) {
  return Network({.rate = rate, .headRate = rate, .secondHeadRate = rate});
}

/// Returns the case of a brain tumor network.
template <typename Network>
Case tumour(const char *name, size_t inputs, int64_t parameters,
            const Shape &small, void (*check)(const Outputs &) = nullptr) {
  return {name,
          madeTumour<Network>,
          volumes(inputs, {24, 128, 128, 1}),
          {{24, 128, 128, 2}, {4}, {8}},
          parameters,
          madeTumour<Network>,
          volumes(inputs, small),
          weightedLosses,
          check};
}

const Case kCases[] = {
    {"MyDenseNet",
     [](const Operand &) { return Layer(MyDenseNet({.classes = 1})); },
     {{32, 32, 1}},
     {{1}},
     4'139,
     [](const Operand &) { return Layer(MyDenseNet({.classes = 3})); },
     {{8, 8, 1}},
     entropy,
     checkRows},
    {"Unet",
     made<Unet>,
     {{512, 512, 1}},
     {{512, 512, 1}},
     2'142'881,
     made<Unet>,
     {{16, 16, 1}},
     sigmoidEntropy},
    {"AttentionUNet",
     made<AttentionUNet>,
     {{128, 128, 1}},
     {{128, 128, 16}},
     27'786'073,
     made<AttentionUNet>,
     {{16, 16, 1}},
     meanSquares},
    {"DilatedUnet",
     made<DilatedUnet>,
     {{128, 128, 1}},
     {{128, 128, 1}},
     29'806'913,
     made<DilatedUnet>,
     {{16, 16, 1}},
     entropy},
    {"HEDModified",
     smallHED,
     {{16, 64, 64, 1}},
     {{16, 64, 64, 1}, {16, 64, 64, 1}},
     32'684,
     smallHED,
     {{4, 16, 16, 1}},
     dice,
     checkSigmoid},
    {"AIRNet",
     made<AIRNet>,
     volumes(2, {8, 160, 160, 1}),
     {{12}},
     6'324'732,
     made<AIRNet>,
     volumes(2, {8, 128, 128, 1}),
     meanSquares,
     nullptr,
     3, // With a batch of two, normalization leaves only signs and rounding.
     2},
    {"HeteroNet",
     made<HeteroNet>,
     volumes(3, {4, 320, 320, 1}),
     {{30}},
     26'947'236,
     made<HeteroNet>,
     volumes(3, {4, 16, 16, 1}),
     entropy,
     checkRows},
    {"ImageSearchModel",
     made<ImageSearchModel>,
     {{24, 160, 160, 5}},
     {{128}},
     7'404'304,
     made<ImageSearchModel>,
     {{17, 129, 129, 1}},
     triplets,
     nullptr,
     3,
     2},
    tumour<C3>("C3", 3, 4'046'956, {2, 16, 16, 1}),
    tumour<C4>("C4", 3, 4'046'598, {2, 16, 16, 1}),
    tumour<C4R>("C4R", 4, 4'060'758, {2, 16, 16, 1}),
    tumour<C5>("C5", 3, 5'346'336, {4, 32, 32, 1}),
    tumour<C5XS>("C5XS", 3, 2'381'648, {4, 32, 32, 1}),
    tumour<CR>("CR", 4, 3'799'150, {2, 16, 16, 1}, checkSums),
};

class Zoo : public testing::TestWithParam<Case> {};

Shape withBatch(Shape shape) {
  shape.insert(shape.begin(), dim("batch"));
  return shape;
}

Shape withoutBatch(const Shape &shape) {
  return Shape(shape.begin() + 1, shape.end());
}

/// Returns inputs named x0, x1, ...
Tensors inputsOf(Program &program, const std::string &name,
                 const Shapes &shapes) {
  Tensors inputs;
  for (const Shape &shape : shapes)
    inputs.push_back(program.input(name + std::to_string(inputs.size()), f32,
                                   withBatch(shape)));
  return inputs;
}

TEST_P(Zoo, HasItsShapesAndParameters) {
  const Case &model = GetParam();
  Program program("zoo");
  Tensors inputs = inputsOf(program, "x", model.inputs);
  Layer network = model.make(0.5);
  size_t variables = 0;
  for (Mode mode : {Mode::train, Mode::test, Mode::train}) {
    Tensors outputs = network->fprop(inputs, mode);
    ASSERT_EQ(outputs.size(), model.outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      EXPECT_EQ(toString(outputs[i].shape()),
                toString(withBatch(model.outputs[i])));
    EXPECT_EQ(program.parameterCount(), model.parameters);
    EXPECT_TRUE(variables == 0 || variables == program.variables().size());
    variables = program.variables().size();
  }
  int64_t found = 0;
  for (const Variable &variable : network->variables())
    found += variable.isTrainable() ? variable.size() : 0;
  EXPECT_EQ(found, model.parameters);
}

/// Returns numbers in [0, 1) without a pattern.
std::vector<float> noise(size_t count, uint32_t seed) {
  std::vector<float> numbers(count);
  for (float &number : numbers) {
    seed = seed * 1664525 + 1013904223;
    number = static_cast<float>(seed >> 8) / (1 << 24);
  }
  return numbers;
}

size_t sizeOf(const Shape &shape) {
  size_t size = 1;
  for (const Extent &extent : shape)
    size *= static_cast<size_t>(extent.value);
  return size;
}

/// Trains a network with small inputs.
class Training {
public:
  explicit Training(const Case &chosen)
      : model(chosen), rate(program.input("rate", f32, {})) {
    inputs = inputsOf(program, "x", model.smallInputs);
    Tensors outputs = model.makeSmall(rate)->fprop(inputs, Mode::train);
    Shapes shapes;
    for (const Tensor &output : outputs)
      shapes.push_back(withoutBatch(output.shape()));
    Tensors targets = inputsOf(program, "y", shapes);
    give("x", model.smallInputs);
    give("y", shapes);
    inputs.insert(inputs.end(), targets.begin(), targets.end());
    inputs.push_back(rate);
    define(outputs, model.loss(outputs, targets));
  }

  /// Runs a step with the dropout rate `rate` and returns the loss.
  double step(float rate) {
    std::vector<Input> given;
    for (size_t i = 0; i < names.size(); ++i)
      given.push_back({names[i], values[i]});
    given.push_back({"rate", rate});
    results = &context->run("train", given);
    return results->scalar("loss");
  }

  const Outputs &last() const { return *results; }
  /// Returns true if the network uses the dropout rate.
  bool hasDropout() const { return drops; }

private:
  void define(const Tensors &outputs, const Tensor &loss) {
    std::vector<Output> all = {{"loss", loss}};
    for (size_t i = 0; i < outputs.size(); ++i)
      all.push_back({"o" + std::to_string(i), outputs[i]});
    program.onWarning([this](const Warning &warning) {
      drops &= warning.message.find("'rate'") == std::string::npos;
    });
    program.function("train",
                     {.inputs = inputs,
                      .outputs = all,
                      .updates = Adam({.learningRate = 1e-4}).minimize(loss)});
    std::string path = testing::TempDir() + "zoo-" + std::to_string(getpid());
    program.compile(path, {.optimization = model.optimization,
                           .levels = {3},
                           .dims = "batch=" + std::to_string(model.batch)});
    context.emplace(Model::load(path).context({.threads = 2, .seed = 1}));
    std::remove(path.c_str());
  }

  void give(const std::string &name, const Shapes &shapes) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      names.push_back(name + std::to_string(i));
      values.push_back(noise(model.batch * sizeOf(shapes[i]),
                             static_cast<uint32_t>(values.size())));
    }
  }

  const Case &model;
  Program program{"zoo"};
  Tensor rate;
  Tensors inputs;
  std::vector<std::string> names;
  std::vector<std::vector<float>> values;
  std::optional<Context> context;
  const Outputs *results = nullptr;
  bool drops = true;
};

TEST_P(Zoo, Trains) {
  Training training(GetParam());
  double first = training.step(0);
  EXPECT_TRUE(std::isfinite(first));
  if (GetParam().check)
    GetParam().check(training.last());
  EXPECT_LT(training.step(0), first);
  if (training.hasDropout()) {
    EXPECT_TRUE(std::isfinite(training.step(0.25)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Zoo, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
