/// Two kinds of data share all layers after their first ones, so training on
/// one kind helps the other.
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
struct Labelled {
  Matrix x;
  std::vector<int32_t> label;

  SequentialIterator<float, int32_t> batches() const {
    return {{.size = batchSize, .dropsRemainder = true}, x.view(), label};
  }
};

/// A generator of both kinds of data. A class is a code of ten numbers, which
/// each kind transforms differently and adds noise to.
class World {
public:
  explicit World(unsigned seed) : generator(seed) {
    codes = normal(classes, codeWidth, 1);
  }

  /// Returns a random transformation of codes to rows of `width` numbers.
  Matrix view(size_t width) {
    return normal(codeWidth, width, 1 / std::sqrt(float(codeWidth)));
  }
  /// Returns rows of random classes.
  Labelled makeRows(const Matrix &view, size_t count) {
    std::vector<int32_t> label(count);
    for (int32_t &element : label)
      element = int32_t(generator() % classes);
    return rowsOf(view, std::move(label));
  }
  /// Returns rows of these classes.
  Labelled rowsOf(const Matrix &view, std::vector<int32_t> label) {
    Labelled rows{normal(label.size(), view.columns, 0.5f), std::move(label)};
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

/// Trains on `steps` batches of one kind, repeating the rows.
static void train(Context &context, const std::string &kind,
                  const Labelled &rows, size_t steps) {
  SequentialIterator batches = rows.batches();
  for (size_t step = 0; step < steps; ++step) {
    auto [x, label] = batches[step % batches.batchCount()];
    context.run("train" + kind,
                {{"x" + kind, x.values()}, {"label", label.values()}});
  }
}

/// Returns the fraction of rows whose class is right, and checks that outputs
/// are probabilities.
static double test(Context &context, const std::string &kind,
                   const Labelled &rows) {
  const Outputs &outputs = context.run(
      "test" + kind, {{"x" + kind, rows.x.elements}, {"label", rows.label}});
  checkRowSums(outputs.values<float>("y"), classes, 1);
  return outputs.scalar("accuracy");
}

/// Trains on both kinds at once, with pairs of rows of the same class.
static void trainTogether(Context context, const Labelled &rows1,
                          const Labelled &rows2) {
  std::vector<double> losses;
  for (auto [x1, x2, label] :
       SequentialIterator({.size = batchSize}, rows1.x.view(), rows2.x.view(),
                          Rows(rows1.label)))
    losses.push_back(context
                         .run("train", {{"x1", x1.values()},
                                        {"x2", x2.values()},
                                        {"label", label.values()}})
                         .scalar("loss"));
  std::printf("both kinds at once: loss %.3f, then %.3f\n", losses.front(),
              losses.back());
  check(losses.back() < losses.front(), "the loss to fall");
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

  std::printf("accuracy on the second kind after %zu steps on it\n", steps2);
  for (unsigned seed : {1, 2, 3}) {
    World world(seed);
    Matrix view1 = world.view(x1Width);
    Matrix view2 = world.view(x2Width);
    Labelled rows1 = world.makeRows(view1, 3200);
    Labelled rows2 = world.makeRows(view2, 320);
    Labelled unseen = world.makeRows(view2, 1000);

    Context scratch = model.context({.seed = seed});
    train(scratch, "2", rows2, steps2);
    double scratchAccuracy = test(scratch, "2", unseen);

    Context transferred = model.context({.seed = seed});
    train(transferred, "1", rows1, steps1);
    train(transferred, "2", rows2, steps2);
    double with = test(transferred, "2", unseen);
    std::printf("  seed %u: %.3f from scratch, %.3f after %zu steps of the "
                "first kind\n",
                seed, scratchAccuracy, with, steps1);
    check(with > scratchAccuracy + 0.15, "training on the first kind to help");
    check(test(transferred, "1", rows1) > 0.9,
          "an accuracy above 0.9 on the first kind");
    if (seed == 1)
      trainTogether(model.context({.seed = seed}), rows1,
                    world.rowsOf(view2, rows1.label));
  }
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
