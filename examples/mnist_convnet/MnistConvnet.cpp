/// Converts, shows and classifies the digits of MNIST with an estimator.
///
///   mnist_convnet convert IDX RECORDS [--workers=4]
///   mnist_convnet visualize RECORDS IMAGES [--count=10]
///   mnist_convnet train RECORDS --output_dir=RUN [--hparams=batch_size=64 ...]
///   mnist_convnet resume RECORDS --output_dir=RUN [...]
///
/// IDX has the files of MNIST, plain or as .gz. `resume` is `train` for a
/// directory that has a checkpoint.
#include "Flags.h"
#include "Model.h"
#include "Records.h"

#include <tg/training/checkpoints.hpp>

#include <csignal>

using namespace tg;
using namespace mnist_convnet;

/// The estimator that signals stop.
static const Estimator *running = nullptr;

static void onSignal(int) { running->requestStop(); }

/// Returns the batches of a part of the records in a directory.
static InputData open(const std::string &records, const std::string &part,
                      const HParams &params, int64_t seed) {
  const int64_t size = params.get<int64_t>("image_size");
  nlohmann::json description = describe(records, part);
  description["features"] = {
      {"image", {{"type", "png"}, {"shape", {size, size, 1}}}},
      {"label", {{"type", "i32"}}}};
  description["batch"] = params.get<int64_t>("batch_size");
  if (part == "train") {
    description["shuffle"] = true;
    description["seed"] = seed;
    description["remainder"] = "drop";
  }
  const std::string source = description.dump();
  return InputData(data::openSource(source), {"label"},
                   data::describeSource(source));
}

/// Makes the experiment of a run, with the records of a directory.
static Experiment makeExperiment(const std::string &records, const Flags &flags,
                                 const RunConfig &config,
                                 const HParams &params) {
  const auto input = [=](const std::string &part) {
    return [=] { return open(records, part, params, config.seed); };
  };
  return Experiment(Estimator(convnetClassifier, config, params),
                    input("train"), input("test"),
                    {{"accuracy",
                      {.metric = std::make_shared<training::Accuracy>(),
                       .label = "label",
                       .prediction = "class"}}},
                    {.trainSteps = flags.number("train_steps"),
                     .evalSteps = flags.number("eval_steps"),
                     .evalFrequency = flags.number("eval_frequency")});
}

static void expect(const Flags &flags, const std::string &flag,
                   const std::string &only) {
  if (flags.text(flag) != only)
    throw std::invalid_argument("--" + flag + ": expected " + only +
                                ", found '" + flags.text(flag) + "'");
}

/// Returns the configuration of a run.
static RunConfig makeConfig(const Flags &flags) {
  expect(flags, "model", "convnet_classifier");
  expect(flags, "dataset", "mnist");
  RunConfig config{.directory = flags.text("output_dir"),
                   .saveSteps = flags.number("save_checkpoints_steps"),
                   .summarySteps = flags.number("save_summary_steps"),
                   .seed = static_cast<int64_t>(flags.number("seed")),
                   .threads = static_cast<uint32_t>(flags.number("threads")),
                   .notice = [](const std::string &text) {
                     std::fprintf(stderr, "%s\n", text.c_str());
                   }};
  if (flags.number("num_gpus")) {
    config.device = {TG_DEVICE_CUDA, 0};
    config.compilation.targets = {"cpu", "cuda"};
  }
  return config;
}

/// Runs a schedule. Returns the exit status: 143 after SIGTERM.
static int train(const std::string &records, const Flags &flags) {
  HParams params = defaultParams();
  params.parse(flags.text("hparams"));
  const auto make = [&](const RunConfig &config, const HParams &given) {
    Experiment made = makeExperiment(records, flags, config, given);
    static const Estimator estimator = made.estimator();
    running = &estimator;
    std::signal(SIGTERM, onSignal);
    std::signal(SIGINT, onSignal);
    return made;
  };
  const ExperimentResult result =
      runExperiment(make, makeConfig(flags), flags.text("schedule"), params);
  if (result.training)
    std::printf("step %llu, resumed at step %llu\n",
                static_cast<unsigned long long>(result.training->step),
                static_cast<unsigned long long>(result.training->resumedAt));
  if (result.evaluation) {
    std::printf("step %llu",
                static_cast<unsigned long long>(result.evaluation->step));
    for (const auto &[tag, value] : result.evaluation->values)
      std::printf("  %s %.4f", tag.c_str(), value);
    std::printf("\n");
  }
  return running->isStopRequested() ? 143 : 0;
}

/// Runs a command with its two names and its flags.
static int run(const std::string &command,
               const std::vector<std::string> &names, const Flags &flags) {
  const bool isTraining = command == "train" || command == "resume";
  if (names.size() != (isTraining ? 1 : 2) ||
      (!isTraining && command != "convert" && command != "visualize"))
    throw std::invalid_argument(
        "usage: mnist_convnet convert IDX RECORDS | visualize RECORDS IMAGES | "
        "train RECORDS --output_dir=RUN | resume RECORDS --output_dir=RUN");
  if (command == "convert") {
    convert(names[0], names[1],
            std::max(1u, static_cast<unsigned>(flags.number("workers"))));
    return 0;
  }
  if (command == "visualize") {
    visualize(names[0], names[1], flags.number("count"));
    return 0;
  }
  if (command == "resume" &&
      training::checkpointSteps(flags.text("output_dir")).empty())
    throw std::invalid_argument(
        "--output_dir: expected a directory with a checkpoint, found '" +
        flags.text("output_dir") + "'");
  return train(names[0], flags);
}

int main(int argc, char **argv) {
  try {
    std::vector<std::string> names;
    const Flags flags(argc, argv, names);
    const std::string command = names.empty() ? "" : names.front();
    if (!names.empty())
      names.erase(names.begin());
    return run(command, names, flags);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "mnist_convnet: %s\n", error.what());
    return 1;
  }
}
