/// A learning rate that is reduced on a plateau of the error: |w - 3.3|
/// oscillates with constant steps, and smaller steps come closer. Training is
/// interrupted and resumed from a checkpoint.
#include "Scenario.h"

#include <tg/training.hpp>
using namespace tg;

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

int main() {
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

  std::string path = (std::filesystem::temp_directory_path() /
                      ("plateau-" + std::to_string(getpid()) + ".txt"))
                         .string();
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
