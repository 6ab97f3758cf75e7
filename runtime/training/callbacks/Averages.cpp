//===- Averages.cpp - moving averages of scalar outputs -------------------===//
#include "Support.h"

#include <cmath>

using namespace tg;
using namespace tg::training;

namespace {

class MovingAverages : public Callback {
public:
  MovingAverages(std::vector<std::string> outputs, double kept)
      : names(std::move(outputs)), averages(names.size()), decay(kept) {}

  std::string name() const override { return "movingAverages"; }
  void afterStep(TrainingState &state) override {
    ++steps;
    for (size_t i = 0; i < names.size(); ++i)
      averages[i] =
          decay * averages[i] + (1 - decay) * state.outputs().scalar(names[i]);
  }
  void triggerStep(TrainingState &state) override {
    const uint64_t period = state.options().summarySteps;
    if (!period || state.step() % period)
      return;
    const double weight = 1 - std::pow(decay, static_cast<double>(steps));
    for (size_t i = 0; i < names.size(); ++i)
      state.log(names[i] + "-summary", averages[i] / weight);
  }
  std::string state() const override {
    std::string text = std::to_string(steps);
    for (double average : averages)
      text += " " + bitsText(average);
    return text;
  }
  void restore(const std::string &text) override {
    StateReader reader(text, name());
    const auto count = reader.whole<uint64_t>();
    std::vector<double> saved;
    for (size_t i = 0; i < names.size(); ++i)
      saved.push_back(reader.number());
    reader.finish();
    steps = count;
    averages = std::move(saved);
  }

private:
  std::vector<std::string> names;
  std::vector<double> averages; // from 0
  double decay;
  uint64_t steps = 0;
};

} // namespace

CallbackPtr training::movingAverages(std::vector<std::string> outputs,
                                     double decay) {
  if (!(decay >= 0 && decay < 1))
    throw data::DataError("expected a decay from 0 to below 1, found " +
                          std::to_string(decay));
  return std::make_shared<MovingAverages>(std::move(outputs), decay);
}
