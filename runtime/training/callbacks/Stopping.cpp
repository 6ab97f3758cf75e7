//===- Stopping.cpp - ends of trainings -----------------------------------===//
#include "Support.h"

#include <sstream>

using namespace tg;
using namespace tg::training;

namespace {

class EarlyStopping : public Callback {
public:
  EarlyStopping(std::string watched, const EarlyStopperOptions &options)
      : tag(std::move(watched)), stopper(options) {}

  std::string name() const override { return "earlyStopping(" + tag + ")"; }
  void summary(TrainingState &state, const Scalars &scalars) override {
    const std::optional<double> value = find(scalars, tag);
    if (value && !stopper.continueLearning(*value))
      state.stop("'" + tag + "' was least at value " +
                 std::to_string(stopper.bestEpoch()) + " of " +
                 std::to_string(stopper.state().epoch) + ": " +
                 shortText(stopper.bestValidError()));
  }
  std::string state() const override {
    std::ostringstream text;
    text << stopper.state();
    return text.str();
  }
  void restore(const std::string &text) override {
    std::istringstream stream(text);
    EarlyStopperState saved;
    if (!(stream >> saved))
      StateReader(text, name()).fail();
    stopper.restore(saved);
  }

private:
  std::string tag;
  EarlyStopper stopper;
};

class StopWhen : public Callback {
public:
  StopWhen(std::function<bool(const TrainingState &)> asked, std::string why)
      : condition(std::move(asked)), reason(std::move(why)) {}

  std::string name() const override { return "stopWhen"; }
  void triggerStep(TrainingState &state) override {
    if (condition(state))
      state.stop(reason);
  }

private:
  std::function<bool(const TrainingState &)> condition;
  std::string reason;
};

} // namespace

/// Makes an object. Throws DataError in place of std::invalid_argument.
template <typename Function> static CallbackPtr checked(Function make) {
  try {
    return make();
  } catch (const std::invalid_argument &error) {
    throw data::DataError(error.what());
  }
}

CallbackPtr training::earlyStopping(const std::string &tag,
                                    const EarlyStopperOptions &options) {
  return checked([&] { return std::make_shared<EarlyStopping>(tag, options); });
}

CallbackPtr
training::stopWhen(std::function<bool(const TrainingState &)> condition,
                   const std::string &reason) {
  return std::make_shared<StopWhen>(std::move(condition), reason);
}

namespace {

class ReduceOnPlateau : public Callback {
public:
  ReduceOnPlateau(std::string number, std::string watched,
                  const ReduceLROnPlateauOptions &options)
      : input(std::move(number)), tag(std::move(watched)), schedule(options) {}

  std::string name() const override {
    return "reduceOnPlateau(" + input + ", " + tag + ")";
  }
  void beforeTrain(TrainingState &state) override {
    // A resumed training has the number, which others may have changed.
    if (!state.step())
      state.set(input, schedule.rate());
  }
  void summary(TrainingState &state, const Scalars &scalars) override {
    if (const std::optional<double> value = find(scalars, tag))
      state.set(input, schedule.finishEpoch(*value));
  }
  std::string state() const override {
    std::ostringstream text;
    text << schedule.state();
    return text.str();
  }
  void restore(const std::string &text) override {
    std::istringstream stream(text);
    ReduceLROnPlateauState saved;
    if (!(stream >> saved))
      StateReader(text, name()).fail();
    schedule.restore(saved);
  }

private:
  std::string input, tag;
  ReduceLROnPlateau schedule;
};

} // namespace

CallbackPtr training::reduceOnPlateau(const std::string &name,
                                      const std::string &tag,
                                      const ReduceLROnPlateauOptions &options) {
  return checked(
      [&] { return std::make_shared<ReduceOnPlateau>(name, tag, options); });
}
