/// Learns which pixels of an image belong to shapes, and draws the results.
///
///   segmentation [directory] [epochs] [--resume]
///
/// writes segmentation.so, a checkpoint and overlays.png, which compares the
/// pixels of shapes with the predicted ones beside each image. Fails below an
/// intersection over union of 0.90.
#include "../Training.h"
#include "Network.h"
#include "Png.h"
#include "Shapes.h"

#include <cstring>

using namespace tg;
using namespace example;
using namespace segmentation;

namespace {
constexpr size_t batchSize = 16, trainingImages = 384, testImages = 96;
constexpr double minOverlap = 0.90;

/// The results of a network for images.
struct Prediction {
  std::vector<float> probabilities;
  double loss;
};
} // namespace

static Prediction predict(Context &context, const Shapes &shapes) {
  const Outputs &outputs =
      context.run("test", {{"image", shapes.images}, {"mask", shapes.masks}});
  std::span<const float> values = outputs.values<float>("probability");
  return {{values.begin(), values.end()}, outputs.scalar("loss")};
}

/// Returns the number of pixels that are both in a shape and predicted, divided
/// by the number that are either.
static double intersectionOverUnion(std::span<const float> probabilities,
                                    std::span<const float> masks) {
  size_t both = 0, any = 0;
  for (size_t i = 0; i < masks.size(); ++i) {
    const bool isFound = probabilities[i] > 0.5f, isShape = masks[i] > 0.5f;
    both += isFound && isShape;
    any += isFound || isShape;
  }
  return any ? double(both) / double(any) : 1;
}

static void trainEpoch(Context &context, const Shapes &shapes, size_t epoch,
                       double rate) {
  // The order of the images depends only on the epoch.
  std::mt19937 generator(static_cast<unsigned>(epoch));
  Shuffled rows(shapes.imageRows(), shapes.maskRows());
  ProgressBar bar(shapes.size(), std::cout, {.verbose = verbosity()});
  for (auto [image, mask] : rows.shuffle(generator, {.size = batchSize})) {
    const Outputs &outputs = context.run("train", {{"image", image.values()},
                                                   {"mask", mask.values()},
                                                   {"learning_rate", rate}});
    bar.add(image.size(), {{"loss", outputs.scalar("loss")}});
  }
}

/// Draws an image and, beside it, the image in grey with missed pixels of
/// shapes in green, wrong predictions in red and right predictions in yellow.
static void draw(Picture &picture, size_t left, size_t top,
                 std::span<const float> image, std::span<const float> mask,
                 std::span<const float> probabilities) {
  constexpr size_t scale = 4;
  for (size_t y = 0; y < side * scale; ++y)
    for (size_t x = 0; x < side * scale; ++x) {
      const size_t pixel = y / scale * side + x / scale;
      const float *colour = image.data() + pixel * 3;
      picture.set(left + x, top + y, {colour[0], colour[1], colour[2]});
      const float grey = (colour[0] + colour[1] + colour[2]) / 6;
      const float found = probabilities[pixel] > 0.5f ? 0.5f : 0;
      const float truth = mask[pixel] > 0.5f ? 0.5f : 0;
      picture.set(left + side * scale + 4 + x, top + y,
                  {grey + found, grey + truth, grey});
    }
}

static void drawAll(const std::string &path, const Shapes &shapes,
                    const std::vector<float> &probabilities) {
  constexpr size_t columns = 3, rows = 4, cell = side * 4 + 4;
  Picture picture(columns * (2 * cell + 8), rows * cell);
  const Rows<float> found(probabilities, side * side);
  for (size_t i = 0; i < columns * rows; ++i)
    draw(picture, i % columns * (2 * cell + 8), i / columns * cell,
         shapes.imageRows()[i], shapes.maskRows()[i], found[i]);
  picture.write(path);
  std::printf("%s: green pixels were missed, red ones are wrong, yellow ones "
              "are right\n",
              path.c_str());
}

static void runExample(const std::string &directory, int64_t epochs,
                       bool resumes) {
  Program program("segmentation");
  defineNetwork(program, side);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  const std::string prefix = directory + "/segmentation";
  program.compile(prefix + ".so");
  Context context =
      Model::load(prefix + ".so").context({.threads = 0, .seed = 1});
  const Shapes training = makeShapes(trainingImages, 1);
  const Shapes testing = makeShapes(testImages, 2);

  Training progress(prefix, {.maxEpoch = epochs, .patience = 7});
  if (resumes)
    std::printf("%zu epochs were trained before\n", progress.resume(context));
  while (progress.shouldContinue()) {
    const size_t epoch = progress.epochs() + 1;
    trainEpoch(context, training, epoch, 1e-2 * std::pow(0.9, double(epoch)));
    const Prediction prediction = predict(context, testing);
    std::printf("epoch %2zu  test loss %.4f  intersection over union %.3f\n",
                epoch, prediction.loss,
                intersectionOverUnion(prediction.probabilities, testing.masks));
    progress.finishEpoch(context, prediction.loss);
  }
  const Prediction prediction = predict(context, testing);
  drawAll(directory + "/overlays.png", testing, prediction.probabilities);
  const double overlap =
      intersectionOverUnion(prediction.probabilities, testing.masks);
  check(overlap >= minOverlap, "an intersection over union of at least " +
                                   std::to_string(minOverlap) + ", found " +
                                   std::to_string(overlap));
}

int main(int argc, char **argv) {
  bool resumes = argc > 1 && std::strcmp(argv[argc - 1], "--resume") == 0;
  argc -= resumes;
  try {
    const int64_t epochs = argc > 2 ? std::atoll(argv[2]) : 16;
    if (argc > 3 || epochs < 1)
      throw std::runtime_error(
          "usage: segmentation [directory] [epochs] [--resume]");
    runExample(directoryFor(argv[0], argc > 1 ? argv[1] : nullptr), epochs,
               resumes);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
