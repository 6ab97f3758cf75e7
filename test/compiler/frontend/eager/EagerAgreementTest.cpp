/// Trains the same network on the same data in both modes and expects the same
/// numbers, the same bits in exact mode, and files that both modes read. Images
/// that the data library resizes also have the same bits.
#include <tg/data/augment.hpp>
#include <tg/runtime.hpp>
#include <tg/tg.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

using namespace tg;

namespace {
constexpr int64_t rows = 8, width = 6, channels = 2;

/// A custom layer with an inner layer. The network also has layers with and
/// without variables, with random samples and with moving averages.
class Block : public BaseLayer {
protected:
  Tensor train(Tensor x) override {
    return relu(normalize(x)) + x * variable("scale", {}, ones());
  }

private:
  BatchNormalization normalize{{.momentum = 0.8}};
};

Sequential makeNetwork() {
  return Sequential({Conv2D({.filters = 3}), Block(), Flatten(),
                     Dropout({.rate = 0.25}),
                     Linear({.units = 4, .activation = tanh})});
}

std::vector<float> draw(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = uniform(generator);
  return numbers;
}

std::vector<float> images() { return draw(rows * width * width * channels, 1); }
std::vector<int32_t> labels() { return {0, 1, 2, 3, 3, 2, 1, 0}; }
const Shape imageShape = {rows, width, width, channels};

/// Builds the loss, in either mode.
Tensor lossOf(Sequential &network, const Tensor &image, const Tensor &label) {
  return meanSoftmaxCrossEntropy(network.trainFprop(image), label);
}

Adam optimizer() { return Adam({.learningRate = 0.01}); }

/// The network in an eager program.
struct Eager {
  ExecutionScope scope;
  Program program{"net"};
  Sequential network = makeNetwork();
  Tensor image = program.tensor(images(), imageShape);
  Tensor label = program.tensor(labels(), {rows});

  explicit Eager(EagerOptions options = {}) : scope(true, options) {
    program.setSeed(5);
  }
  float step() {
    Tensor loss;
    (void)optimizer().minimize(
        [&] { return loss = lossOf(network, image, label); });
    return static_cast<float>(loss.item());
  }
  std::vector<float> test() { return network.testFprop(image).values<float>(); }
};

struct Compiled {
  std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "eager-agreement.so";
  std::optional<Model> model;
  std::optional<Context> context;

  explicit Compiled(int level = 2) {
    ExecutionScope scope(false);
    Program program("net");
    Sequential network = makeNetwork();
    Tensor image = program.input("image", f32, imageShape);
    Tensor label = program.input("label", i32, {rows});
    Tensor loss = lossOf(network, image, label);
    program.function("train", {.inputs = {image, label},
                               .outputs = {{"loss", loss}},
                               .updates = optimizer().minimize(loss)});
    program.function("test", {.inputs = {image},
                              .outputs = {{"y", network.testFprop(image)}}});
    program.compile(path.string(), {.optimization = 1, .levels = {level}});
    model = Model::load(path.string());
    context = model->context({.seed = 5});
  }
  float step() {
    std::vector<float> image = images();
    std::vector<int32_t> label = labels();
    return context->run("train", {{"image", image}, {"label", label}})
        .scalar("loss");
  }
  std::vector<float> test() {
    std::vector<float> image = images();
    std::span<const float> y =
        context->run("test", {{"image", image}}).values<float>("y");
    return {y.begin(), y.end()};
  }
};

void expectNear(const std::vector<float> &found,
                const std::vector<float> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 2e-4) << i;
}

std::string file(const char *name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}
} // namespace

TEST(EagerAgreement, TrainingGivesTheSameLosses) {
  Eager eager;
  Compiled compiled;
  for (int step = 0; step < 8; ++step)
    EXPECT_NEAR(eager.step(), compiled.step(), 1e-4) << step;
  expectNear(eager.test(), compiled.test());
}

TEST(EagerAgreement, ExactTrainingGivesTheSameBits) {
  if (!__builtin_cpu_supports("x86-64-v3"))
    GTEST_SKIP() << "expected a CPU with fused multiply-adds";
  Eager eager({.exact = true});
  Compiled compiled(3);
  for (int step = 0; step < 8; ++step)
    EXPECT_EQ(eager.step(), compiled.step()) << step;
  EXPECT_EQ(eager.test(), compiled.test());
}

TEST(EagerAgreement, OnlyExactSumsKeepTheOrderOfCompiledCode) {
  auto sumOf = [](EagerOptions options) {
    ExecutionScope scope(true, options);
    // In f32, 1 is lost when it is added to 2^24, in f64 it is not.
    std::vector<float> numbers(4096, 1.0f);
    numbers[0] = 16777216.0f;
    Program program("sum");
    return reduceSum(program.tensor(numbers, {4096})).item();
  };
  EXPECT_EQ(sumOf({}), 16777216.0 + 4096);
  EXPECT_LT(sumOf({.exact = true}), 16777216.0 + 4095);
}

TEST(EagerAgreement, ResizedImagesHaveTheBitsOfTheDataLibrary) {
  ExecutionScope scope(true, {.exact = true});
  Program program("resize");
  const int64_t height = 13, width = 22;
  data::Feature image({TG_DTYPE_FLOAT, 32, 1}, {height, width, 3});
  std::vector<float> pixels = draw(image.size(), 9);
  pixels[40] = -0.0f;
  std::copy(pixels.begin(), pixels.end(), image.values<float>().begin());
  Tensor input = program.tensor(pixels, {1, height, width, 3});
  for (auto [rows, columns] :
       {std::pair<int64_t, int64_t>{13, 44}, {29, 7}, {6, 22}, {1, 50}})
    for (auto [mode, interpolation] :
         {std::pair{ResizeMode::linear, data::Interpolation::Bilinear},
          {ResizeMode::nearest, data::Interpolation::Nearest}}) {
      data::Feature resized =
          data::resize(image, {rows, columns}, interpolation);
      std::span<const float> values = resized.values<float>();
      EXPECT_EQ(resize(input, {.sizes = {rows, columns}, .mode = mode})
                    .values<float>(),
                std::vector<float>(values.begin(), values.end()))
          << rows << " x " << columns;
    }
}

TEST(EagerAgreement, LibrariesGoOnFromEagerFiles) {
  Eager eager;
  for (int step = 0; step < 3; ++step)
    eager.step();
  Saver(eager.program.variables()).save(file("eager.safetensors"));
  Compiled compiled;
  compiled.context->load(file("eager.safetensors"));
  expectNear(compiled.test(), eager.test());
  for (int step = 0; step < 3; ++step)
    EXPECT_NEAR(eager.step(), compiled.step(), 1e-4) << step;
}

TEST(EagerAgreement, EagerGoesOnFromFilesOfLibraries) {
  Compiled compiled;
  for (int step = 0; step < 3; ++step)
    compiled.step();
  compiled.context->save(file("library.safetensors"));
  Eager eager;
  // A first call creates the variables of the network; the slots are created by
  // the first step.
  eager.test();
  Saver(eager.network.variables()).restore(file("library.safetensors"));
  expectNear(eager.test(), compiled.test());
  for (int step = 0; step < 3; ++step)
    EXPECT_NEAR(eager.step(), compiled.step(), 1e-4) << step;
}
