/// Learns the documentation of this source tree character by character, and
/// writes similar text.
///
///   char_lm <root of the source tree> [directory] [epochs | small]
/// writes char_lm.so, its variables, and model.so, which char_lm_sample runs,
/// into the directory, by default one for temporary files. `small` trains a
/// network of a tenth of the parameters for some seconds. Fails unless the
/// network needs fewer bits per character of an unseen text than a trigram
/// model.
#include "../Training.h"
#include "Network.h"

#include <cstdlib>
#include <numbers>

using namespace tg;
using namespace char_lm;

namespace {
/// A network and its training.
struct Recipe {
  Sizes sizes = {};
  size_t epochs = 8;
  double firstRate = 5e-3;
};

using Text = std::span<const int32_t>;

/// The training text, divided into rows that are read in parallel.
struct Streams {
  Text text;
  Sizes sizes;

  size_t rowSize() const { return (text.size() - 1) / size_t(sizes.streams); }
  /// Returns the number of steps of an epoch.
  size_t windows() const { return rowSize() / size_t(sizes.window); }
  /// Returns the window with this index of each row, shifted by `shift`
  /// characters.
  std::vector<int32_t> window(size_t index, size_t shift) const {
    std::vector<int32_t> all;
    const size_t length = size_t(sizes.window);
    for (size_t row = 0; row < size_t(sizes.streams); ++row) {
      Text slice =
          text.subspan(row * rowSize() + index * length + shift, length);
      all.insert(all.end(), slice.begin(), slice.end());
    }
    return all;
  }
};
} // namespace

/// Returns the bits per character, each predicted from all characters before
/// it.
static double testBits(Context &context, Text text) {
  const size_t last = text.size() - 1;
  const std::vector<int64_t> shape = {1, int64_t(last)};
  return context
      .run("test", {{"text", Value(text.first(last), shape)},
                    {"next", Value(text.subspan(1), shape)}})
      .scalar("bits");
}

/// Trains from the context's variables, and prints a line or two per epoch. The
/// learning rate follows a half cosine to almost 0.
static void train(Context &context, const Streams &streams, Text testing,
                  const Recipe &recipe) {
  const size_t windows = streams.windows(), epochs = recipe.epochs;
  for (size_t epoch = 0; epoch < epochs; ++epoch) {
    ProgressBar bar(windows, std::cout, {.verbose = example::verbosity()});
    for (size_t step = 0; step < windows; ++step) {
      double done = double(epoch * windows + step) / double(epochs * windows);
      double rate =
          recipe.firstRate / 2 * (1 + std::cos(std::numbers::pi * done));
      const Outputs &outputs =
          context.run("train", {{"text", streams.window(step, 0)},
                                {"next", streams.window(step, 1)},
                                {"keep", step ? 1.0 : 0.0},
                                {"learning_rate", rate}});
      bar.add(1, {{"bits", outputs.scalar("bits")}});
    }
    std::printf("epoch %2zu  test %.3f bits per character\n", epoch + 1,
                testBits(context, testing));
  }
}

static void run(const std::string &root, const std::string &directory,
                const Recipe &recipe) {
  const std::vector<int32_t> text = readDocumentation(root);
  const size_t trained = text.size() / 10 * 9;
  Streams streams{Text(text).first(trained), recipe.sizes};
  Text testing = Text(text).subspan(trained);
  std::printf("%zu characters, %zu of them for testing\n", text.size(),
              testing.size());
  example::check(streams.windows() > 0 && testing.size() > 1,
                 "the READMEs of a source tree in '" + root + "'");
  double trigramBits = CountModel(streams.text).bits(testing, 1);
  std::printf("trigram model: %.3f bits per character\n", trigramBits);

  const std::string library = directory + "/char_lm.so";
  Program program("char_lm");
  defineNetwork(program, recipe.sizes);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  program.compile(library);
  Context context = Model::load(library).context({.threads = 0, .seed = 1});
  train(context, streams, testing, recipe);
  const std::string variables = directory + "/char_lm.safetensors";
  context.save(variables);
  program.compile(directory + "/model.so",
                  {.functions = {"sample"}, .weights = variables});
  double networkBits = testBits(context, testing);
  example::check(networkBits < trigramBits,
                 "fewer bits than " + std::to_string(trigramBits) + ", found " +
                     std::to_string(networkBits));
}

/// Returns the training that the third argument names.
static Recipe parseRecipe(const char *text) {
  if (std::string_view(text) == "small")
    return {.sizes = small, .epochs = 4, .firstRate = 1.5e-2};
  return {.epochs = size_t(std::max(1, std::atoi(text)))};
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: char_lm <root of the source tree> [directory] "
                         "[epochs | small]\n");
    return 1;
  }
  try {
    run(argv[1], example::directoryFor(argv[0], argc > 2 ? argv[2] : nullptr),
        argc > 3 ? parseRecipe(argv[3]) : Recipe());
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
