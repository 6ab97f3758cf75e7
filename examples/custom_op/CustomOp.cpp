/// Trains a network with an operation of the user, after a check of its
/// gradients.
///
///   custom_op [directory [cuda]]
///
/// With `cuda` it also trains on a GPU, where the operation is a CUDA kernel,
/// and compares the losses.
#include "../Example.h"
#include "Network.h"

using namespace tg;
using namespace example;

/// Compares the gradients of the network with central differences.
static void checkNetwork(const Program &program) {
  const GradientReport report = checkGradients(program, {.dims = "n=6"});
  std::printf("%s", report.text.c_str());
  check(report.isRight(), "right gradients");
}

/// Trains for 300 steps. Returns the losses.
static std::vector<float> train(const Model &model) {
  Context context = model.context({.seed = 1});
  context.registerHost("biased_swish", [](std::span<const HostInput> inputs,
                                          std::span<const HostOutput> outputs) {
    custom_op::swish(inputs[0].values<float>(), inputs[1].values<float>(),
                     outputs[0].values<float>());
  });
  context.registerHost("swish_slope", [](std::span<const HostInput> inputs,
                                         std::span<const HostOutput> outputs) {
    custom_op::slope(inputs[0].values<float>(), inputs[1].values<float>(),
                     inputs[2].values<float>(), outputs[0].values<float>());
  });
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> x(64 * 4), y(64), losses;
  for (int step = 0; step < 300; ++step) {
    for (size_t row = 0; row < y.size(); ++row) {
      y[row] = 0;
      for (size_t i = 4 * row; i < 4 * row + 4; ++i)
        y[row] += std::abs(x[i] = uniform(generator));
    }
    losses.push_back(
        float(context.run("train", {{"x", x}, {"y", y}}).scalar("loss")));
  }
  return losses;
}

static void runExample(const std::string &directory, bool usesGpu) {
  std::string library = directory + "/custom_op.so";
  Program program("custom_op");
  custom_op::defineNetwork(program);
  checkNetwork(program);
  ModelOptions options;
  if (usesGpu)
    options.targets = {"cpu", "cuda"};
  program.compile(library, options);

  const std::vector<float> losses = train(Model::load(library));
  std::printf("loss %.4f at first, %.4f after 300 steps\n", losses.front(),
              losses.back());
  check(losses.back() < 0.1 * losses.front(), "a tenth of the first loss");
  if (!usesGpu)
    return;
  const Model onGpu = Model::load(library, {.device = {TG_DEVICE_CUDA, 0}});
  check(train(onGpu) == losses, "equal losses on the GPU");
  std::printf("equal losses on the GPU\n");
}

int main(int argc, char **argv) {
  try {
    runExample(directoryFor(argv[0], argc > 1 ? argv[1] : nullptr),
               argc > 2 && std::string(argv[2]) == "cuda");
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
