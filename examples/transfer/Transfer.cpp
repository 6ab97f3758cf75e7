/// Two kinds of data share what follows their first layers: what one teaches,
/// the other uses.
///
///   transfer [directory]
#include "../Example.h"
#include "Network.h"

using namespace tg;
using namespace example;
using namespace transfer;

namespace {
constexpr size_t batchSize = 32, steps1 = 1000, steps2 = 50;

/// Rows of one kind and their classes.
struct Rows {
  Matrix x;
  std::vector<int32_t> label;

  std::span<const int32_t> labels(size_t first, size_t count) const {
    return {label.data() + first, count};
  }
};

/// What a class looks like in both kinds: a code of ten numbers, which each
/// kind shows in its own way, and noise.
class World {
public:
  explicit World(unsigned seed) : generator(seed) {
    codes = normal(classes, codeWidth, 1);
  }

  /// The way in which a kind of so many numbers shows codes.
  Matrix view(size_t width) {
    return normal(codeWidth, width, 1 / std::sqrt(float(codeWidth)));
  }
  Rows draw(const Matrix &view, size_t count) {
    std::vector<int32_t> label(count);
    for (int32_t &number : label)
      number = int32_t(generator() % classes);
    return show(view, std::move(label));
  }
  /// Rows of these classes.
  Rows show(const Matrix &view, std::vector<int32_t> label) {
    Rows rows{normal(label.size(), view.columns, 0.5f), std::move(label)};
    for (size_t i = 0; i < rows.label.size(); ++i)
      for (size_t j = 0; j < codeWidth; ++j)
        for (size_t k = 0; k < view.columns; ++k)
          rows.x.elements[i * view.columns + k] +=
              codes.elements[rows.label[i] * codeWidth + j] *
              view.elements[j * view.columns + k];
    return rows;
  }

private:
  static constexpr size_t codeWidth = 10;

  Matrix normal(size_t rows, size_t columns, float deviation) {
    std::normal_distribution<float> distribution(0, deviation);
    Matrix matrix{rows, columns, std::vector<float>(rows * columns)};
    for (float &element : matrix.elements)
      element = distribution(generator);
    return matrix;
  }

  std::mt19937 generator;
  Matrix codes;
};
} // namespace

/// Trains on so many batches of one kind, from the first rows on again and
/// again.
static void train(Context &context, const std::string &kind, const Rows &rows,
                  size_t steps) {
  size_t whole = rows.label.size() / batchSize;
  for (size_t step = 0; step < steps; ++step) {
    size_t first = step % whole * batchSize;
    context.run("train" + kind, {{"x" + kind, rows.x.slice(first, batchSize)},
                                 {"label", rows.labels(first, batchSize)}});
  }
}

/// The share of rows whose class is found; checks that answers are
/// probabilities.
static double test(Context &context, const std::string &kind,
                   const Rows &rows) {
  size_t count = rows.label.size();
  const Outputs &outputs =
      context.run("test" + kind, {{"x" + kind, rows.x.slice(0, count)},
                                  {"label", rows.labels(0, count)}});
  checkRowSums(outputs.values<float>("y"), classes, 1);
  return outputs.scalar("accuracy");
}

/// Trains on both kinds at once, each pair of rows of one class.
static void trainTogether(Context context, const Rows &rows1,
                          const Rows &rows2) {
  double first = 0, last = 0;
  for (auto [begin, count] : batches(rows1.label.size(), batchSize)) {
    last = context
               .run("train", {{"x1", rows1.x.slice(begin, count)},
                              {"x2", rows2.x.slice(begin, count)},
                              {"label", rows1.labels(begin, count)}})
               .scalar("loss");
    if (begin == 0)
      first = last;
  }
  std::printf("both kinds at once: loss %.3f, then %.3f\n", first, last);
  check(last < first, "the loss to fall");
}

static void runExample(const std::string &directory) {
  std::string library = directory + "/transfer.so";
  Program program("transfer");
  defineNetwork(program);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 50500, "50500 parameters");
  program.compile(library);
  Model model = Model::load(library);

  std::printf("accuracy on the second kind after %zu steps of it\n", steps2);
  for (unsigned seed : {1, 2, 3}) {
    World world(seed);
    Matrix view1 = world.view(x1Width), view2 = world.view(x2Width);
    Rows rows1 = world.draw(view1, 3200), rows2 = world.draw(view2, 320);
    Rows unseen = world.draw(view2, 1000);

    Context scratch = model.context({.seed = seed});
    train(scratch, "2", rows2, steps2);
    double without = test(scratch, "2", unseen);

    Context transferred = model.context({.seed = seed});
    train(transferred, "1", rows1, steps1);
    train(transferred, "2", rows2, steps2);
    double with = test(transferred, "2", unseen);
    std::printf("  seed %u: %.3f from scratch, %.3f after %zu steps of the "
                "first kind\n",
                seed, without, with, steps1);
    check(with > without + 0.15, "what the first kind teaches to help");
    check(test(transferred, "1", rows1) > 0.9, "the first kind to be known");
    if (seed == 1)
      trainTogether(model.context({.seed = seed}), rows1,
                    world.show(view2, rows1.label));
  }
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
