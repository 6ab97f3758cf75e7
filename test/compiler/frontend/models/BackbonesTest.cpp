//===- BackbonesTest.cpp - training steps of the backbones ----------------===//
#include "tg/runtime.hpp"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <tg/tg.h>
#include <unistd.h>

using namespace tg;

namespace {

struct Case {
  const char *name;
  Layer (*make)();
  /// The height and width of the images, which have 3 channels.
  int64_t extent;
  size_t variables;
  /// The -O level: 2 if the steps would otherwise take longer than compiling
  /// vectorized code.
  int optimization = 1;
};

/// Prints a case for GoogleTest.
void PrintTo(const Case &model, std::ostream *stream) { *stream << model.name; }

/// One model of each kind: VGG19, ResNet50, 101 and 152 only have more layers.
const Case kCases[] = {
    {"VGG16", [] { return Layer(VGG16()); }, 32, 52, 2},
    {"ResNetBase",
     [] {
       return Layer(ResNetBase({.layers = {1, 1, 1, 1}}));
     },
     32, 116},
    {"ResNetSmall", [] { return Layer(ResNetSmall()); }, 32, 60},
    {"DenseNet",
     [] {
       return Layer(
           DenseNet({.blocks = 3, .growthRate = 4, .layersPerBlock = 2}));
     },
     16, 48},
    {"UNet", [] { return Layer(UNet()); }, 16, 88},
    {"AlexNet", [] { return Layer(AlexNet({.classes = 3, .rate = 0.0})); }, 67,
     16},
};

class Backbones : public testing::TestWithParam<Case> {
protected:
  /// Returns numbers in [0, 1) without a pattern.
  static std::vector<float> noise(size_t count, uint32_t seed) {
    std::vector<float> numbers(count);
    for (float &number : numbers) {
      seed = seed * 1664525 + 1013904223;
      number = static_cast<float>(seed >> 8) / (1 << 24);
    }
    return numbers;
  }

  /// Compiles a training step for batches of four images.
  Context compile() {
    const Case &model = GetParam();
    Program program("images");
    Tensor image =
        program.input("image", f32, {4, model.extent, model.extent, 3});
    Tensor output = model.make()->trainFprop(image);
    Tensor target = program.input("target", f32, output.shape());
    Tensor loss = meanSquaredError(output, target);
    std::vector<Gradient> found = gradients(loss);
    EXPECT_EQ(found.size(), model.variables);
    std::vector<Operand> sizes;
    for (const Gradient &gradient : found)
      sizes.push_back(reduceSum(square(gradient.value)));
    Tensor all = stack(sizes);
    program.function("train",
                     {.inputs = {image, target},
                      .outputs = {{"loss", loss}, {"sizes", all}},
                      .updates = Adam({.learningRate = 1e-5}).apply(found)});
    images = noise(size_t(4 * model.extent * model.extent * 3), 1);
    size_t count = 1;
    for (const Extent &extent : output.shape())
      count *= static_cast<size_t>(extent.value);
    targets = noise(count, 2);
    std::string path =
        testing::TempDir() + "backbone-" + std::to_string(getpid());
    program.compile(path, {.optimization = model.optimization, .levels = {3}});
    Context context = Model::load(path).context({.threads = 2, .seed = 1});
    std::remove(path.c_str());
    return context;
  }

  std::vector<float> images, targets;
};

TEST_P(Backbones, Train) {
  Context context = compile();
  double first = 0;
  for (int step = 0; step < 3; ++step) {
    const Outputs &found =
        context.run("train", {{"image", images}, {"target", targets}});
    double loss = found.scalar("loss");
    EXPECT_TRUE(std::isfinite(loss));
    for (float size : found.values<float>("sizes"))
      EXPECT_TRUE(std::isfinite(size)) << step;
    if (step == 0)
      first = loss;
    else
      EXPECT_LT(loss, first) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Backbones, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
