/// Trains, evaluates, runs or exports the network that a configuration
/// describes.
///
///   configured train|eval|predict|export config.json digits.csv [directory]
#include "../Example.h"
#include "../digits/Data.h"
#include "Hooks.h"
#include "Network.h"

using namespace tg;
using namespace configured;
using example::check;

namespace {
/// The configuration, the data and the program, which all modes use.
struct Run {
  Config config;
  digits::Digits training, unseen;
  std::string directory;
  Program program{"configured"};

  std::string path(const char *name) const { return directory + "/" + name; }
};
} // namespace

/// Returns the most likely class of each image.
static std::vector<int32_t> classify(Context &context,
                                     const digits::Digits &data) {
  const Outputs &found = context.run("test", {{"image", data.images}});
  std::span<const float> all = found.values<float>("probabilities");
  std::vector<int32_t> classes;
  for (size_t row = 0; row < data.size(); ++row) {
    auto likely = all.subspan(10 * row, 10);
    classes.push_back(static_cast<int32_t>(
        std::max_element(likely.begin(), likely.end()) - likely.begin()));
  }
  return classes;
}

static double accuracyOf(Context &context, const digits::Digits &data) {
  std::vector<int32_t> classes = classify(context, data);
  size_t right = 0;
  for (size_t row = 0; row < data.size(); ++row)
    right += classes[row] == data.labels[row];
  return double(right) / double(data.size());
}

static Context load(const Run &run, const char *library) {
  return Model::load(run.path(library)).context({.seed = 1});
}

static void train(Run &run) {
  run.program.compile(run.path("model.so"));
  Context context = load(run, "model.so");
  const std::vector<Hook> hooks = {
      logLoss(50), examplesPerSecond(),
      keepBestCheckpoint(context, run.path("best.safetensors"))};
  auto notify = [&](const Event &event) {
    for (const Hook &hook : hooks)
      hook(event);
  };
  Shuffled rows(Rows(run.training.images, digits::pixels),
                Rows(run.training.labels));
  std::mt19937 generator(1);
  Event event;
  for (int64_t epoch = 0; epoch < run.config.epochs; ++epoch) {
    event.isEpoch = false;
    for (auto [image, label] :
         rows.shuffle(generator, {.size = run.config.batch})) {
      event.loss = context
                       .run("train", {{"image", image.values()},
                                      {"label", label.values()}})
                       .scalar("loss");
      event.examples = label.size();
      ++event.step;
      notify(event);
    }
    notify({event.step, 0, event.loss, true, accuracyOf(context, run.unseen)});
  }
}

static void evaluate(Run &run) {
  Context context = load(run, "model.so");
  context.load(run.path("best.safetensors"));
  double accuracy = accuracyOf(context, run.unseen);
  std::printf("accuracy %.4f\n", accuracy);
  check(accuracy > 0.93, "an accuracy above 0.93");
}

static void predict(Run &run) {
  Context context = load(run, "model.so");
  context.load(run.path("best.safetensors"));
  std::vector<int32_t> classes = classify(context, run.unseen.slice(0, 10));
  for (size_t row = 0; row < classes.size(); ++row)
    std::printf("image %zu is a %d\n", row, classes[row]);
}

/// Exports the inference function with the weights as one library.
static void exportModel(Run &run) {
  run.program.compile(
      run.path("serve.so"),
      {.functions = {"test"}, .weights = run.path("best.safetensors")});
  Context trained = load(run, "model.so");
  trained.load(run.path("best.safetensors"));
  Context server = Model::load(run.path("serve.so")).context();
  check(classify(server, run.unseen) == classify(trained, run.unseen),
        "the classes of the trained model");
  std::printf("wrote %s\n", run.path("serve.so").c_str());
}

static void runMode(const std::string &mode, Run &run) {
  const std::map<std::string, void (*)(Run &)> modes = {
      {"train", train},
      {"eval", evaluate},
      {"predict", predict},
      {"export", exportModel}};
  auto found = modes.find(mode);
  check(found != modes.end(),
        "a mode: train, eval, predict or export, found '" + mode + "'");
  found->second(run);
}

int main(int argc, char **argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: configured <train | eval | predict | export> "
                         "<configuration> <digits.csv> [directory]\n");
    return 1;
  }
  try {
    digits::Digits data = digits::readDigits(argv[3]);
    Run run{readConfig(argv[2]), data.slice(0, 1297),
            data.slice(1297, data.size()),
            example::directoryFor(argv[0], argc == 5 ? argv[4] : nullptr)};
    defineNetwork(run.program, run.config);
    runMode(argv[1], run);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
