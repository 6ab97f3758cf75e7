//===- Progress.cpp - lines about the progress of trainings ---------------===//
#include "Support.h"
#include "runtime/training/loop/Feed.h"
#include "tg/training/progress_bar.hpp"

#include <algorithm>
#include <deque>

using namespace tg;
using namespace tg::training;

namespace {

class ScalarPrinter : public Callback {
public:
  ScalarPrinter(std::ostream &out, std::vector<std::string> chosen)
      : stream(out), tags(std::move(chosen)) {}

  std::string name() const override { return "scalarPrinter"; }
  void summary(TrainingState &state, const Scalars &scalars) override {
    std::string line;
    for (const auto &[tag, value] : scalars)
      if (tags.empty() || std::ranges::find(tags, tag) != tags.end())
        line += (line.empty() ? "" : ", ") + tag + " " + shortText(value);
    if (!line.empty())
      stream << "step " + std::to_string(state.step()) + ": " + line + "\n"
             << std::flush;
  }

private:
  std::ostream &stream;
  std::vector<std::string> tags;
};

class StepBar : public Callback {
public:
  StepBar(std::ostream &out, uint64_t count, Clock time)
      : stream(out), steps(count), clock(std::move(time)) {}

  std::string name() const override { return "progressBar"; }
  void beforeTrain(TrainingState &state) override {
    const uint64_t end = steps ? steps : state.options().steps;
    if (!end)
      throw data::DataError("expected a number of steps for 'progressBar' or "
                            "the training, found none");
    names =
        scalarOutputs(findFunction(state.model(), state.options().function));
    before = state.step();
    bar.emplace(end > before ? end - before : 1, stream,
                ProgressBarOptions{.clock = clock});
  }
  void afterStep(TrainingState &state) override {
    ProgressBar::Values values;
    for (const std::string &name : names)
      values.emplace_back(name, state.outputs().scalar(name));
    bar->update(state.step() - before, values);
  }
  void afterTrain(TrainingState &) override {
    // A training that stops early leaves an open line.
    bar.reset();
  }

private:
  std::ostream &stream;
  uint64_t steps, before = 0;
  Clock clock;
  std::vector<std::string> names;
  std::optional<ProgressBar> bar;
};

class EstimatedTimeLeft : public Callback {
public:
  EstimatedTimeLeft(std::ostream &out, Clock time)
      : stream(out), clock(std::move(time)) {}

  std::string name() const override { return "estimatedTimeLeft"; }
  void beforeTrain(TrainingState &state) override {
    last = clock();
    lastStep = state.step();
  }
  void triggerEpoch(TrainingState &state) override {
    const double time = clock();
    durations.push_back(time - last);
    if (durations.size() > 5)
      durations.pop_front();
    const uint64_t steps = state.step() - lastStep;
    last = time;
    lastStep = state.step();
    double sum = 0;
    for (double duration : durations)
      sum += duration;
    const double mean = sum / static_cast<double>(durations.size());
    if (const std::optional<double> epochs = epochsLeft(state, steps))
      stream << "epoch " + std::to_string(state.epoch()) + ": " +
                    shortText(std::max(0.0, mean * *epochs)) + " s left\n"
             << std::flush;
  }

private:
  /// Returns the number of epochs until the end, of `steps` each.
  static std::optional<double> epochsLeft(const TrainingState &state,
                                          uint64_t steps) {
    std::optional<double> left;
    const TrainerOptions &options = state.options();
    if (options.epochs)
      left = static_cast<double>(options.epochs) -
             static_cast<double>(state.epoch());
    if (options.steps && steps) {
      const double epochs = (static_cast<double>(options.steps) -
                             static_cast<double>(state.step())) /
                            static_cast<double>(steps);
      left = left ? std::min(*left, epochs) : epochs;
    }
    return left;
  }

  std::ostream &stream;
  Clock clock;
  double last = 0;
  uint64_t lastStep = 0;
  std::deque<double> durations;
};

class Throughput : public Callback {
public:
  Throughput(std::ostream &out, Clock time)
      : stream(out), clock(std::move(time)) {}

  std::string name() const override { return "throughput"; }
  void beforeTrain(TrainingState &state) override { begin(state); }
  void triggerEpoch(TrainingState &state) override {
    const double seconds = clock() - last;
    const auto examples = static_cast<double>(state.examples() - before);
    if (seconds > 0)
      stream << "step " + std::to_string(state.step()) + ": " +
                    shortText(examples / seconds) + " examples/s\n"
             << std::flush;
    begin(state);
  }

private:
  void begin(const TrainingState &state) {
    last = clock();
    before = state.examples();
  }

  std::ostream &stream;
  Clock clock;
  double last = 0;
  uint64_t before = 0;
};

} // namespace

/// Returns a clock, the steady one by default.
static Clock orSteady(Clock clock) { return clock ? std::move(clock) : now; }

CallbackPtr training::scalarPrinter(std::ostream &stream,
                                    std::vector<std::string> tags) {
  return std::make_shared<ScalarPrinter>(stream, std::move(tags));
}

CallbackPtr training::progressBar(std::ostream &stream, uint64_t steps,
                                  Clock clock) {
  return std::make_shared<StepBar>(stream, steps, orSteady(std::move(clock)));
}

CallbackPtr training::estimatedTimeLeft(std::ostream &stream, Clock clock) {
  return std::make_shared<EstimatedTimeLeft>(stream,
                                             orSteady(std::move(clock)));
}

CallbackPtr training::throughput(std::ostream &stream, Clock clock) {
  return std::make_shared<Throughput>(stream, orSteady(std::move(clock)));
}
