/// Learns to classify handwritten digits: a network in C++ is compiled to
/// digits.so, trained, saved, loaded again and evaluated, and served by
/// serve.so.
///
///   digits <digits.csv> [directory] [seeds] [percent]
///
/// writes digits.so, digits.safetensors and serve.so, a library without
/// training that contains the trained weights, into the directory, by default
/// one for temporary files. Fails if the mean accuracy of the seeds is below
/// the percentage.
#include "../Training.h"
#include "Network.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <random>

using namespace tg;
using digits::Digits;

namespace {
constexpr size_t trainingRows = 1297, batchSize = 32, epochs = 40;
constexpr double firstRate = 6e-3;
} // namespace

/// Returns the probabilities of ten classes for each digit.
static std::span<const float> classify(Context &context, const Digits &digits) {
  return context.run("test", {{"image", digits.images}})
      .values<float>("probabilities");
}

/// Returns the fraction of digits whose most probable class is the label.
static double testAccuracy(Context &context, const Digits &digits) {
  std::span<const float> probabilities = classify(context, digits);
  size_t right = 0;
  for (size_t row = 0; row < digits.size(); ++row) {
    const float *first = probabilities.data() + row * 10;
    right += std::max_element(first, first + 10) - first == digits.labels[row];
  }
  return double(right) / double(digits.size());
}

/// Trains on all digits once in a new order, and prints the means.
static void trainEpoch(Context &context,
                       SequentialIterator<float, int32_t> rows, double rate) {
  ProgressBar bar(rows.size(), std::cout, {.verbose = example::verbosity()});
  for (auto [image, label] : rows) {
    const Outputs &outputs = context.run("train", {{"image", image.values()},
                                                   {"label", label.values()},
                                                   {"learning_rate", rate}});
    bar.add(label.size(), {{"loss", outputs.scalar("loss")},
                           {"accuracy", outputs.scalar("accuracy")}});
  }
}

/// Trains from the context's variables, and prints a line or two per epoch.
static void train(Context &context, const Digits &training,
                  const Digits &testing, unsigned seed) {
  std::mt19937 generator(seed);
  Shuffled rows(Rows(training.images, digits::pixels), Rows(training.labels));
  for (size_t epoch = 0; epoch < epochs; ++epoch) {
    // The learning rate follows a half cosine from the first rate to almost 0.
    double rate = firstRate / 2 *
                  (1 + std::cos(std::numbers::pi * double(epoch) / epochs));
    trainEpoch(context, rows.shuffle(generator, {.size = batchSize}), rate);
    std::printf("epoch %2zu  test %.1f %%\n", epoch + 1,
                100 * testAccuracy(context, testing));
  }
}

/// Compiles the program to a library for inference: the function `test` and the
/// trained weights in one file. Throws if its results differ from those of the
/// trained context.
static void serve(const Program &program, const std::string &weights,
                  const std::string &path, Context &trained,
                  const Digits &digits) {
  program.compile(path, {.functions = {"test"}, .weights = weights});
  Context serving = Model::load(path).context();
  std::span<const float> expected = classify(trained, digits);
  std::span<const float> found = classify(serving, digits);
  if (std::memcmp(found.data(), expected.data(), expected.size_bytes()) != 0)
    throw std::runtime_error(path +
                             " gives other results than the trained model");
  std::printf("%s gives the same results, bit for bit\n", path.c_str());
}

/// Returns the mean accuracy of networks trained from `seeds` seeds.
static double run(const std::string &data, const std::string &directory,
                  unsigned seeds) {
  Digits all = digits::readDigits(data);
  if (all.size() <= trainingRows)
    throw std::runtime_error(data + ": expected more than " +
                             std::to_string(trainingRows) + " digits, found " +
                             std::to_string(all.size()));
  Digits training = all.slice(0, trainingRows);
  Digits testing = all.slice(trainingRows, all.size());
  std::string library = directory + "/digits.so";
  std::string variables = directory + "/digits.safetensors";
  Program program("digits");
  digits::defineNetwork(program);
  program.compile(library);

  Model model = Model::load(library);
  double sum = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Context context = model.context({.seed = seed});
    train(context, training, testing, seed);
    context.save(variables);

    Context reloaded = model.context();
    reloaded.load(variables);
    double accuracy = testAccuracy(reloaded, testing);
    std::printf("seed %u: %.1f %% of %zu digits it has not seen\n", seed,
                100 * accuracy, testing.size());
    if (accuracy != testAccuracy(context, testing))
      throw std::runtime_error("the reloaded variables give another accuracy");
    sum += accuracy;
    if (seed == seeds)
      serve(program, variables, directory + "/serve.so", context, testing);
  }
  return sum / seeds;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 5) {
    std::fprintf(stderr, "usage: digits <digits.csv> [directory] [seeds] "
                         "[percent]\n");
    return 1;
  }
  try {
    double mean = run(argv[1], example::directoryFor(argv[0], argv[2]),
                      argc > 3 ? std::max(1, std::atoi(argv[3])) : 1);
    std::printf("mean accuracy %.2f %%\n", 100 * mean);
    if (argc < 5 || 100 * mean >= std::atof(argv[4]))
      return 0;
    std::fprintf(stderr, "expected a mean accuracy of at least %s %%\n",
                 argv[4]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
