/// Convolutional networks that learn to classify images and texts, with
/// progress, early stopping and checkpoints to resume from.
///
///   cifar10 [--network allcnn|vgg19|resnet|densenet|mnist|characters]
///           [--epochs N] [--examples N] [--resume] [directory [files ...]]
///
/// Files are those of the binary version of CIFAR-10, the last of them for
/// testing, or the four of MNIST. Without files it learns generated examples.
#include "../Training.h"
#include "Data.h"
#include "Networks.h"

#include <charconv>
#include <cstring>

using namespace tg;
using namespace example;
using namespace cifar10;

namespace {
constexpr size_t batchSize = 32;

/// The options of the command line.
struct CommandLine {
  std::string network = "allcnn";
  int64_t epochs = 100;
  size_t examples = 2048;
  bool resumes = false;
  const char *directory = nullptr;
  std::vector<std::string> files;
};
} // namespace

template <typename T>
static T parseNumber(const char *option, const char *text) {
  T number = 0;
  const char *end = text + std::strlen(text);
  auto [after, status] = std::from_chars(text, end, number);
  if (status != std::errc() || after != end || number < 1)
    throw std::runtime_error(std::string(option) + " '" + text +
                             "', expected a positive number");
  return number;
}

static CommandLine parseCommandLine(int argc, char **argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    auto value = [&] {
      if (++i == argc)
        throw std::runtime_error("'" + word + "' has no value");
      return argv[i];
    };
    if (word == "--network")
      line.network = value();
    else if (word == "--epochs")
      line.epochs = parseNumber<int64_t>("--epochs", value());
    else if (word == "--examples")
      line.examples = parseNumber<size_t>("--examples", value());
    else if (word == "--resume")
      line.resumes = true;
    else if (word.starts_with("--"))
      throw std::runtime_error(
          "'" + word +
          "' is no option, expected --network, --epochs, --examples or "
          "--resume");
    else if (!line.directory)
      line.directory = argv[i];
    else
      line.files.push_back(word);
  }
  if (line.files.size() == 1)
    throw std::runtime_error(
        "expected files for training and one for testing, found only '" +
        line.files[0] + "'");
  return line;
}

/// Runs a function of the model on all rows once. Prints and returns the means.
template <typename T>
static ProgressBar runEpoch(Context &context, const std::string &function,
                            SequentialIterator<T, int32_t> rows) {
  ProgressBar bar(rows.size(), std::cout, {.verbose = verbosity()});
  for (auto [x, label] : rows) {
    const Outputs &outputs =
        context.run(function, {{"x", x.values()}, {"label", label.values()}});
    bar.add(label.size(), {{"loss", outputs.scalar("loss")},
                           {"accuracy", outputs.scalar("accuracy")}});
  }
  return bar;
}

/// Trains a network, resuming if requested, and checks that its loss falls.
template <typename T>
static void train(const Program &program, const CommandLine &line,
                  const std::string &directory, const Examples<T> &training,
                  const Examples<T> &testing) {
  const std::string prefix = directory + "/" + line.network;
  program.compile(prefix + ".so");
  Context context =
      Model::load(prefix + ".so").context({.threads = 0, .seed = 1});
  Training progress(prefix, {.maxEpoch = line.epochs, .patience = 6});
  if (line.resumes)
    std::printf("%zu epochs were trained before\n", progress.resume(context));
  SequentialIterator tests({.size = batchSize}, testing.rows(),
                           Rows(testing.labels));
  std::vector<double> losses;
  while (progress.shouldContinue()) {
    std::printf("epoch %zu\n", progress.epochs() + 1);
    // The order of the examples depends only on the epoch.
    std::mt19937 generator(static_cast<unsigned>(progress.epochs()) + 1);
    Shuffled rows(training.rows(), Rows(training.labels));
    losses.push_back(
        runEpoch(context, "train", rows.shuffle(generator, {.size = batchSize}))
            .mean("loss"));
    progress.finishEpoch(context,
                         runEpoch(context, "test", tests).mean("loss"));
  }
  std::printf("the variables are in %s\n", progress.variables().c_str());
  check(losses.size() < 2 || losses.back() < losses.front(),
        "the loss to fall");
}

/// Prints and checks the number of parameters of the network.
static void checkParameters(const Program &program, int64_t expected) {
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == expected,
        std::to_string(expected) + " parameters");
}

namespace {
/// A network for the images of CIFAR-10.
struct CifarNetwork {
  const char *name;
  Sequential (*make)(int64_t classes);
  int64_t parameters;
};

constexpr CifarNetwork cifarNetworks[] = {{"allcnn", allCnn, 1'370'910},
                                          {"vgg19", vgg19, 20'040'522},
                                          {"resnet", resNet, 396'414},
                                          {"densenet", denseNet, 20'154}};
} // namespace

static void trainCifar(const CifarNetwork &network, const CommandLine &line,
                       const std::string &directory) {
  constexpr int64_t side = 32, channels = 3;
  Program program(network.name);
  defineTraining(program, network.make(10), f32, {side, side, channels});
  checkParameters(program, network.parameters);
  if (line.files.empty())
    return train(program, line, directory,
                 makeImages(line.examples, side, channels, 1),
                 makeImages(line.examples / 4 + 1, side, channels, 2));
  const std::span<const std::string> files = line.files;
  train(program, line, directory,
        takeImages(readCifar10(files.first(files.size() - 1))),
        takeImages(readCifar10(files.last(1))));
}

static void trainMnist(const CommandLine &line, const std::string &directory) {
  constexpr int64_t side = 28, channels = 1;
  const std::vector<std::string> &files = line.files;
  check(files.empty() || files.size() == 4,
        "4 files: images and labels for training and for testing");
  Program program("mnist");
  defineTraining(program, mnistCnn(10), f32, {side, side, channels});
  checkParameters(program, 456'906);
  if (files.empty())
    return train(program, line, directory,
                 makeImages(line.examples, side, channels, 1),
                 makeImages(line.examples / 4 + 1, side, channels, 2));
  train(program, line, directory, takeImages(readMnist(files[0], files[1])),
        takeImages(readMnist(files[2], files[3])));
}

static void trainCharacters(const CommandLine &line,
                            const std::string &directory) {
  check(line.files.empty(), "no files, because the texts are generated");
  Program program("characters");
  defineTraining(program, characterCnn(10), i32, {50, 20});
  checkParameters(program, 33'866);
  train(program, line, directory, makeTexts(line.examples, 1),
        makeTexts(line.examples / 4 + 1, 2));
}

static void trainNetwork(const CommandLine &line,
                         const std::string &directory) {
  for (const CifarNetwork &network : cifarNetworks)
    if (line.network == network.name)
      return trainCifar(network, line, directory);
  if (line.network == "mnist")
    return trainMnist(line, directory);
  if (line.network == "characters")
    return trainCharacters(line, directory);
  throw std::runtime_error(
      "no network '" + line.network +
      "', expected allcnn, vgg19, resnet, densenet, mnist or characters");
}

int main(int argc, char **argv) {
  try {
    const CommandLine line = parseCommandLine(argc, argv);
    const std::string directory = directoryFor(argv[0], line.directory);
    trainNetwork(line, directory);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
