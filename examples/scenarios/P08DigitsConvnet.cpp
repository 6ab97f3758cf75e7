/// Tensorpack's convolutional network for handwritten digits, 836,522
/// parameters of an image [28, 28, 1]: an argscope, a chain, a penalty of the
/// weights of its fc layers, and a learning rate that decays by a factor of 0.3
/// every 4,680 steps. It is trained for some epochs on 1,297 digits of 8x8
/// pixels resized to 28x28, and tested on 500 others.
#include "../digits/Data.h"
#include "SymbolicScenario.h"

#include <random>
#include <tg/training.hpp>
using namespace tg;
namespace sym = tg::symbolic;

static Tensor logitsOf(Tensor image) {
  sym::ArgScope scope(sym::Conv2D,
                      {.filters = 32, .kernelSize = 3, .activation = relu});
  return sym::LinearWrap(image * 2.0 - 1.0)
      .Conv2D("conv0")
      .MaxPooling("pool0", 2)
      .Conv2D("conv1")
      .Conv2D("conv2")
      .MaxPooling("pool1", 2)
      .Conv2D("conv3")
      .FullyConnected("fc0", 512, {.activation = relu})
      .Dropout("dropout", {.rate = 0.5})
      .FullyConnected("fc1", 10)();
}

/// Defines the functions `train` and `test` of digits, which are resized.
static void define(Program &program) {
  Tensor digit = program.input("image", f32, {dim("batch"), 8, 8, 1});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor image = resize(digit, {.sizes = {28, 28}});
  {
    sym::TowerContext tower(program, "", {.isTraining = true});
    Tensor logits = logitsOf(image);
    Tensor loss = meanSoftmaxCrossEntropy(logits, label);
    Tensor total = loss + 1e-5 * sym::regularizeCost("fc.*/W", l2Loss);
    Schedule rate = exponentialDecay(
        {.rate = 1e-3, .factor = 0.3, .steps = 4680, .staircase = true});
    sym::trainFunction(
        program, "train",
        {.inputs = {digit, label},
         .outputs = {{"loss", loss}},
         .updates = Adam({.learningRate = rate}).minimize(total)});
  }
  VariableScope reuse(program, "", {.reuse = Reuse::yes});
  sym::TowerContext tower(program, "predict", {.isTraining = false});
  program.function(
      "test", {.inputs = {digit, label},
               .outputs = {{"accuracy", accuracy(logitsOf(image), label)}}});
}

int main() {
  constexpr size_t trained = 1297;
  Program program("digits");
  define(program);
  std::printf("%ld parameters\n", long(program.parameterCount()));
  check(program.parameterCount() == 836522, "836522 parameters");

  digits::Digits all = digits::readDigits(TG_DIGITS);
  digits::Digits training = all.slice(0, trained);
  digits::Digits testing = all.slice(trained, all.size());
  Context context =
      load(program, {.optimization = 2}).context({.threads = 2, .seed = 1});
  std::mt19937 generator(1);
  Shuffled rows(Rows(training.images, digits::pixels), Rows(training.labels));
  double accuracy = 0;
  for (int epoch = 1; epoch <= 6; ++epoch) {
    double loss = 0;
    for (auto [image, label] : rows.shuffle(generator, {.size = 32}))
      loss = context
                 .run("train",
                      {{"image", image.values()}, {"label", label.values()}})
                 .scalar("loss");
    accuracy =
        context
            .run("test", {{"image", testing.images}, {"label", testing.labels}})
            .scalar("accuracy");
    std::printf("epoch %d: loss %.3f, %.1f %% of %zu digits wrong\n", epoch,
                loss, 100 * (1 - accuracy), testing.size());
  }
  check(accuracy > 0.93, "an accuracy above 0.93 on the other digits");
}
