//===- Monitor.cpp - numbers that depend on scalars -----------------------===//
#include "Support.h"

#include <algorithm>
#include <cmath>
#include <deque>

using namespace tg;
using namespace tg::training;

namespace {

class MonitoredNumber : public Callback {
public:
  MonitoredNumber(std::string number, std::string watched,
                  std::function<double(double)> changing,
                  const MonitorOptions &chosen)
      : input(std::move(number)), tag(std::move(watched)),
        change(std::move(changing)), options(chosen) {}

  std::string name() const override {
    return "monitoredNumber(" + input + ", " + tag + ")";
  }
  void summary(TrainingState &state, const Scalars &scalars) override {
    const std::optional<double> value = find(scalars, tag);
    if (!value)
      return;
    history.push_back(options.increases ? -*value : *value);
    if (history.size() > options.last + 1)
      history.pop_front();
    if (history.size() <= options.last || hasFallen())
      return;
    state.set(input, change(state.get(input)));
    history.clear();
  }
  std::string state() const override {
    std::string text;
    for (double value : history)
      text += (text.empty() ? "" : " ") + bitsText(value);
    return text;
  }
  void restore(const std::string &text) override {
    StateReader reader(text, name());
    std::deque<double> saved;
    while (!reader.isAtEnd())
      saved.push_back(reader.number());
    if (saved.size() > options.last + 1)
      reader.fail();
    history = std::move(saved);
  }

private:
  /// Returns true if a value is below the first one by more than the threshold.
  bool hasFallen() const {
    return std::any_of(history.begin() + 1, history.end(), [&](double value) {
      return value < history.front() - options.threshold;
    });
  }

  std::string input, tag;
  std::function<double(double)> change;
  MonitorOptions options;
  /// The last values since the last change, negative for `increases`.
  std::deque<double> history;
};

} // namespace

CallbackPtr training::monitoredNumber(const std::string &name,
                                      const std::string &tag,
                                      std::function<double(double)> change,
                                      const MonitorOptions &options) {
  if (!options.last || !(options.threshold >= 0))
    throw data::DataError("expected to monitor 1 or more values with a "
                          "threshold of 0 or more, found " +
                          std::to_string(options.last) + " and " +
                          std::to_string(options.threshold));
  return std::make_shared<MonitoredNumber>(name, tag, std::move(change),
                                           options);
}
