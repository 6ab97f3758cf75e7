/// Learns to reverse and to sort strings of digits: sequence to sequence with
/// attention and beam search.
///
///   translate [directory] [steps]
///
/// writes translate.so and its variables into the directory, by default one for
/// temporary files. Fails if less than 99 % of 12-digit strings that it was not
/// trained on are translated correctly.
#include "../Training.h"
#include "Network.h"

#include <cstdlib>
#include <numbers>
#include <optional>

using namespace tg;
using namespace translate;

namespace {
constexpr size_t defaultSteps = 2500, batchSize = 64, testSize = 1000;
constexpr double firstRate = 1e-2;

/// Strings of 12 digits that are excluded from training.
struct Unseen {
  std::set<std::string> all;

  explicit Unseen(std::mt19937 &generator) {
    while (all.size() < testSize)
      all.insert(randomDigits(generator, longest));
  }
  std::vector<Example> examples(Task task) const {
    std::vector<Example> list;
    for (const std::string &digits : all)
      list.push_back({task, digits});
    return list;
  }
};
} // namespace

/// Returns random examples. Three of four strings have 12 digits, the others a
/// random number from 1 on.
static std::vector<Example> randomExamples(std::mt19937 &generator,
                                           const Unseen &unseen) {
  std::vector<Example> examples;
  while (examples.size() < batchSize) {
    size_t length = generator() % 4 ? longest : generator() % longest + 1;
    Task task = generator() % 2 ? reversal : sorting;
    std::string digits = randomDigits(generator, length);
    if (!unseen.all.contains(digits))
      examples.push_back({task, digits});
  }
  return examples;
}

/// Returns the percentage of unseen strings whose best beam is right.
static double percentRight(Context &context, const Unseen &unseen, Task task) {
  const std::vector<Example> examples = unseen.examples(task);
  const Batch batch(examples);
  constexpr int64_t columns = longest + 1;
  std::span<const int64_t> symbols =
      context
          .run("translate",
               {{"source", Value(batch.source, {testSize, columns})},
                {"lengths", batch.lengths}})
          .values<int64_t>("symbols");
  size_t right = 0;
  for (size_t i = 0; i < examples.size(); ++i)
    right += textOf(symbols.subspan(i * beamWidth * columns, columns)) ==
             examples[i].translation();
  return 100.0 * double(right) / double(examples.size());
}

/// Prints the translations of one string, beam by beam.
static void show(Context &context, const Example &example) {
  constexpr int64_t columns = longest + 1;
  const Batch batch(std::span(&example, 1));
  const Outputs &outputs =
      context.run("translate", {{"source", Value(batch.source, {1, columns})},
                                {"lengths", batch.lengths}});
  std::printf("%s %s\n", example.task == reversal ? "reverse" : "sort",
              example.digits.c_str());
  for (size_t beam = 0; beam < beamWidth; ++beam)
    std::printf("  %-13s %.4f\n",
                textOf(outputs.values<int64_t>("symbols").subspan(
                           beam * columns, columns))
                    .c_str(),
                std::exp(double(outputs.values<float>("scores")[beam])));
}

/// Trains with a learning rate that follows a half cosine to almost 0.
static void train(Context &context, const Unseen &unseen,
                  std::mt19937 &generator, size_t steps) {
  constexpr size_t perLine = 250;
  std::optional<ProgressBar> bar;
  for (size_t step = 0; step < steps; ++step) {
    if (step % perLine == 0)
      bar.emplace(std::min(perLine, steps - step), std::cout,
                  ProgressBarOptions{.verbose = example::verbosity()});
    const Batch batch(randomExamples(generator, unseen));
    double rate =
        firstRate / 2 *
        (1 + std::cos(std::numbers::pi * double(step) / double(steps)));
    const std::vector<int64_t> shape = {batchSize, longest + 1};
    const Outputs &outputs =
        context.run("train", {{"source", Value(batch.source, shape)},
                              {"lengths", batch.lengths},
                              {"before", Value(batch.before, shape)},
                              {"target", Value(batch.target, shape)},
                              {"learning_rate", rate}});
    bar->add(1, {{"loss", outputs.scalar("loss")}});
  }
}

static void run(const std::string &directory, size_t steps) {
  std::mt19937 generator(1);
  const Unseen unseen(generator);
  Program program("translate");
  defineNetwork(program);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  program.compile(directory + "/translate.so");
  Context context = Model::load(directory + "/translate.so")
                        .context({.threads = 0, .seed = 1});
  train(context, unseen, generator, steps);
  context.save(directory + "/translate.safetensors");
  for (Task task : {reversal, sorting}) {
    show(context, {task, "314159265358"});
    double right = percentRight(context, unseen, task);
    std::printf("%.1f %% of %zu strings of 12 digits it has not seen\n", right,
                testSize);
    example::check(right >= 99, "at least 99 % right, found " +
                                    std::to_string(right) + " %");
  }
}

int main(int argc, char **argv) {
  if (argc > 3) {
    std::fprintf(stderr, "usage: translate [directory] [steps]\n");
    return 1;
  }
  try {
    run(example::directoryFor(argv[0], argc > 1 ? argv[1] : nullptr),
        argc > 2 ? size_t(std::max(1, std::atoi(argv[2]))) : defaultSteps);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
