/// Tools for training: iterators, records of arrays, early stopping, and a
/// learning rate that is reduced on a plateau of the error: |w - 3.3|
/// oscillates with constant steps, and smaller steps come closer. Training is
/// interrupted and resumed from a checkpoint.
#include "Scenario.h"

#include <tg/data/arrays.hpp>
#include <tg/data/batch_features.hpp>
#include <tg/data/loader.hpp>
#include <tg/training.hpp>
using namespace tg;

/// Returns the path of a temporary file of this process.
static std::string temporary(const std::string &name) {
  return (std::filesystem::temp_directory_path() /
          ("t11-" + std::to_string(getpid()) + "-" + name))
      .string();
}

//===----------------------------------------------------------------------===//
// Iterators, records, early stopping
//===----------------------------------------------------------------------===//

/// Prints the sizes of batches, and throws if they are others.
template <typename Batches>
static void expectSizes(const Batches &batches,
                        const std::vector<size_t> &expected) {
  std::vector<size_t> sizes;
  for (const auto &[rows] : batches)
    sizes.push_back(rows.size());
  for (size_t size : sizes)
    std::printf("%zu ", size);
  std::printf("of %zu examples\n", batches.size());
  check(sizes == expected, "other sizes of batches");
}

static void iterate() {
  std::vector<float> x(100 * 50, 1);
  Rows<float> rows(x, 50);
  expectSizes(SequentialIterator({.size = 32}, rows), {32, 32, 32, 4});
  expectSizes(SequentialIterator({.size = 32, .dropsRemainder = true}, rows),
              {32, 32, 32});
  expectSizes(SequentialIterator({.size = 32}, rows).slice(10, 50), {32, 8});
  expectSizes(StepIterator(40, {.size = 32}, rows), {32, 32, 20});
}

/// Writes X [100, 50, 30] and y [100, 10], and reads them back: as arrays, and
/// as shuffled batches.
static void storeRecords() {
  const tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
  data::Feature x(f32, {100, 50, 30}), y(f32, {100, 10});
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (data::Feature *array : {&x, &y})
    for (float &element : array->values<float>())
      element = uniform(generator);
  std::string path = temporary("arrays.tfrecord");
  data::writeTFRecords(path, {{"X", x}, {"y", y}});
  check(data::verifyTFRecords(path) == 100, "100 records");
  const std::vector<data::ExampleFeature> features = {
      data::rawFeature("X", f32, {50, 30}), data::rawFeature("y", f32, {10})};
  const auto same = [](const data::Feature &a, const data::Feature &b) {
    return a.shape() == b.shape() &&
           std::ranges::equal(a.values<float>(), b.values<float>());
  };
  const std::vector<data::NamedFeature> read = data::readArrays(
      data::readBatchFeatures({path}, features, {.shuffles = false}));
  check(same(read[0].array, x) && same(read[1].array, y),
        "the arrays that were written");

  data::Loader loader(
      data::readBatchFeatures({path}, features, {.size = 32, .seed = 5}),
      {.threads = 2});
  size_t found = 0;
  while (const data::Example *batch = loader.next())
    for (int64_t i = 0; i < batch->features[0].shape()[0]; ++i)
      for (int64_t row = 0; row < 100; ++row)
        found += same(batch->features[0].row(i), x.row(row)) &&
                 same(batch->features[1].row(i), y.row(row));
  std::printf("%zu records in shuffled batches\n", found);
  check(found == 100, "each record once");
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".tgindex");
}

static void stopEarly() {
  // 0.95, 0.92 and 0.91 are not less than 1.0 by 10 percent.
  EarlyStopper stopper({.patience = 3, .minDecrease = 0.1});
  std::string answers;
  for (double error : {1.0, 0.95, 0.92, 0.91})
    answers += stopper.continueLearning(error) ? 'T' : 'F';
  std::printf("%s\n", answers.c_str());
  check(answers == "TTTF", "an end after the fourth error");
  std::ostringstream text;
  ProgressBar bar(4, text, {.verbose = 2, .clock = [] { return 0.0; }});
  for (double loss : {1, 2, 3, 6})
    bar.add(1, {{"loss", loss}});
  check(text.str() == "4/4 - 0.0s - loss: 3.0000\n",
        "the mean of the losses, found " + text.str());
}

//===----------------------------------------------------------------------===//
// A smaller rate on a plateau
//===----------------------------------------------------------------------===//

/// The state of training in one process.
struct Progress {
  ReduceLROnPlateau schedule{
      {.learningRate = 1, .factor = 0.1, .patience = 2, .minimum = 1e-3}};
  EarlyStopper stopper{{.maxEpoch = 60, .patience = 6}};

  void save(const std::string &path) const {
    std::ofstream(path) << schedule.state() << '\n' << stopper.state() << '\n';
  }
  void restore(const std::string &path) {
    std::ifstream file(path);
    ReduceLROnPlateauState rate;
    EarlyStopperState stop;
    check(bool(file >> rate >> stop), "the states of a training");
    schedule.restore(rate);
    stopper.restore(stop);
  }
};

/// Trains for `epochs` epochs, or to the end; returns the learning rates.
static std::vector<double> train(Context &context, Progress &progress,
                                 int64_t epochs) {
  std::vector<double> rates;
  while (progress.stopper.goesOn() && epochs-- > 0) {
    rates.push_back(progress.schedule.rate());
    context.run("train", {{"learning_rate", float(rates.back())}});
    double error = context.run("error", {}).scalar("error");
    std::printf("rate %-6g error %.4f\n", rates.back(), error);
    progress.schedule.finishEpoch(error);
    progress.stopper.continueLearning(error);
  }
  return rates;
}

static void reduceRate() {
  Program program("plateau");
  Tensor rate = program.input("learning_rate", f32, {});
  Variable w = program.variable("w", f32, {}, zeros());
  Tensor error = abs(w - 3.3);
  program.function("train",
                   {.inputs = {rate},
                    .updates = SGD({.learningRate = rate}).minimize(error)});
  program.function("error", {.outputs = {{"error", error}}});
  Model model = load(program);

  Progress whole;
  Context context = model.context({.seed = 1});
  std::vector<double> rates = train(context, whole, 100);
  check(rates.front() == 1 && std::abs(rates.back() - 1e-3) < 1e-9,
        "a rate from 1 to 0.001");
  check(whole.stopper.bestValidError() < 1e-3, "an error below 0.001");

  std::string path = temporary("plateau.txt");
  Context interrupted = model.context({.seed = 1});
  Progress before, after;
  std::vector<double> resumedRates = train(interrupted, before, 12);
  before.save(path);
  after.restore(path);
  std::filesystem::remove(path);
  for (double resumedRate : train(interrupted, after, 100))
    resumedRates.push_back(resumedRate);
  check(resumedRates == rates, "the same rates after a restart");
}

int main() {
  iterate();
  storeRecords();
  stopEarly();
  reduceRate();
}
