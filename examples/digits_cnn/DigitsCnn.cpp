/// Learns to classify handwritten digits with convolutions, and resumes after
/// an interruption.
///
///   digits_cnn <digits.csv> [directory] [seeds] [percent] [epochs]
///
/// writes digits_cnn.so and a checkpoint per seed, from which it resumes, into
/// the directory, by default one for temporary files. Fails if the mean
/// accuracy of the seeds is below the percentage. Trains at most the given
/// number of epochs.
#include "../Training.h"
#include "../digits/Data.h"
#include "Network.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace tg;
using namespace digits_cnn;
using digits::Digits;

namespace {
/// The training rows, the validation rows for early stopping, and the test rows
/// 1298 to 1797.
struct Parts {
  Digits training, validation, testing;
};
} // namespace

static Parts readParts(const std::string &path) {
  constexpr size_t validEnd = 1297;
  Digits all = digits::readDigits(path);
  if (all.size() <= validEnd)
    throw std::runtime_error(path + ": expected more than " +
                             std::to_string(validEnd) + " digits, found " +
                             std::to_string(all.size()));
  return {all.slice(0, trainingRows), all.slice(trainingRows, validEnd),
          all.slice(validEnd, all.size())};
}

/// Returns the images, each shifted by up to one pixel in each direction.
static Digits shifted(const Digits &digits, std::mt19937 &generator) {
  constexpr int width = 8;
  Digits moved{std::vector<float>(digits.images.size()), digits.labels};
  for (size_t row = 0; row < digits.size(); ++row) {
    int down = int(generator() % 3) - 1;
    int right = int(generator() % 3) - 1;
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x)
        if (int fromY = y - down, fromX = x - right;
            fromY >= 0 && fromY < width && fromX >= 0 && fromX < width)
          moved.images[row * digits::pixels + y * width + x] =
              digits.image(row)[fromY * width + fromX];
  }
  return moved;
}

/// Returns the loss and accuracy on digits that are not used for training.
static const Outputs &evaluate(Context &context, const Digits &digits) {
  return context.run("test",
                     {{"image", digits.images}, {"label", digits.labels}});
}

/// Trains on all digits once. The result depends on the seed and the epoch, not
/// on earlier calls.
static void trainEpoch(Context &context, const Digits &training, unsigned seed,
                       size_t epoch) {
  std::seed_seq words{size_t(seed), epoch};
  std::mt19937 generator(words);
  Digits digits = shifted(training, generator);
  Shuffled rows(Rows(digits.images, digits::pixels), Rows(digits.labels));
  ProgressBar bar(digits.size(), std::cout, {.verbose = example::verbosity()});
  for (auto [image, label] : rows.shuffle(generator, {.size = batchSize})) {
    const Outputs &outputs = context.run(
        "train", {{"image", image.values()}, {"label", label.values()}});
    bar.add(label.size(), {{"loss", outputs.scalar("loss")},
                           {"accuracy", outputs.scalar("accuracy")}});
  }
}

/// Trains to the end, resuming if possible; file names begin with the prefix.
static void train(Context &context, const Parts &parts, unsigned seed,
                  int64_t epochs, const std::string &prefix) {
  example::Training progress(prefix, {.maxEpoch = epochs, .patience = 13});
  if (size_t before = progress.resume(context))
    std::printf("seed %u goes on after epoch %zu\n", seed, before);
  while (progress.shouldContinue()) {
    trainEpoch(context, parts.training, seed, progress.epochs());
    double error = evaluate(context, parts.validation).scalar("loss");
    progress.finishEpoch(context, error);
    std::printf("epoch %2zu  validation loss %.4f\n", progress.epochs(), error);
  }
}

/// Returns the mean accuracy of networks trained from `seeds` seeds.
static double run(const std::string &data, const std::string &directory,
                  unsigned seeds, int64_t epochs) {
  Parts parts = readParts(data);
  std::string library = directory + "/digits_cnn.so";
  Program program("digits_cnn");
  defineNetwork(program);
  program.compile(library);
  Model model = Model::load(library);
  double sum = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Context context = model.context({.seed = seed});
    train(context, parts, seed, epochs,
          directory + "/digits_cnn-" + std::to_string(seed));
    double accuracy = evaluate(context, parts.testing).scalar("accuracy");
    std::printf("seed %u: %.1f %% of %zu digits it has not seen\n", seed,
                100 * accuracy, parts.testing.size());
    sum += accuracy;
  }
  return sum / seeds;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 6) {
    std::fprintf(stderr, "usage: digits_cnn <digits.csv> [directory] [seeds] "
                         "[percent] [epochs]\n");
    return 1;
  }
  try {
    double mean =
        run(argv[1], example::directoryFor(argv[0], argv[2]),
            argc > 3 ? std::max(1, std::atoi(argv[3])) : 1,
            argc > 5 ? std::max(1, std::atoi(argv[5])) : digits_cnn::maxEpochs);
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
