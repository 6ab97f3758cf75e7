//===- Periods.cpp - callbacks at some steps and epochs -------------------===//
#include "Wrapper.h"

using namespace tg;
using namespace tg::training;

/// Returns true for each of `period` counts, and never for a period of 0.
static bool isDue(uint64_t count, uint64_t period) {
  return period && count % period == 0;
}

namespace {

class PeriodicTrigger : public Wrapper {
public:
  PeriodicTrigger(CallbackPtr wrapped, const Every &period)
      : Wrapper(std::move(wrapped)), every(period) {}

  void triggerStep(TrainingState &state) override {
    if (isDue(state.step(), every.steps))
      inner->triggerEpoch(state);
  }
  void triggerEpoch(TrainingState &state) override {
    // The step has triggered it already.
    if (isDue(state.step(), every.steps))
      return;
    if (isDue(state.epoch(), every.epochs))
      inner->triggerEpoch(state);
  }

private:
  Every every;
};

class PeriodicCallback : public Wrapper {
public:
  PeriodicCallback(CallbackPtr wrapped, const Every &period)
      : Wrapper(std::move(wrapped)), every(period) {}

  // Before a step or an epoch, it is not among the finished ones.
  void beforeEpoch(TrainingState &state) override {
    if (takesEpoch(state.epoch() + 1))
      inner->beforeEpoch(state);
  }
  void beforeStep(TrainingState &state) override {
    if (takesStep(state.step() + 1))
      inner->beforeStep(state);
  }
  void afterStep(TrainingState &state) override {
    if (takesStep(state.step()))
      inner->afterStep(state);
  }
  void triggerStep(TrainingState &state) override {
    if (takesStep(state.step()))
      inner->triggerStep(state);
  }
  void triggerEpoch(TrainingState &state) override {
    if (takesEpoch(state.epoch()))
      inner->triggerEpoch(state);
  }
  void afterEpoch(TrainingState &state) override {
    if (takesEpoch(state.epoch()))
      inner->afterEpoch(state);
  }

private:
  bool takesStep(uint64_t step) const {
    return !every.steps || isDue(step, every.steps);
  }
  bool takesEpoch(uint64_t epoch) const {
    return !every.epochs || isDue(epoch, every.epochs);
  }

  Every every;
};

class EnabledCallback : public Wrapper {
public:
  EnabledCallback(CallbackPtr wrapped,
                  std::function<bool(const TrainingState &)> asked)
      : Wrapper(std::move(wrapped)), condition(std::move(asked)) {}

  void beforeEpoch(TrainingState &state) override {
    if (condition(state))
      inner->beforeEpoch(state);
  }
  void beforeStep(TrainingState &state) override {
    if (condition(state))
      inner->beforeStep(state);
  }
  void afterStep(TrainingState &state) override {
    if (condition(state))
      inner->afterStep(state);
  }
  void triggerStep(TrainingState &state) override {
    if (condition(state))
      inner->triggerStep(state);
  }
  void triggerEpoch(TrainingState &state) override {
    if (condition(state))
      inner->triggerEpoch(state);
  }
  void afterEpoch(TrainingState &state) override {
    if (condition(state))
      inner->afterEpoch(state);
  }
  void summary(TrainingState &state, const Scalars &scalars) override {
    if (condition(state))
      inner->summary(state, scalars);
  }

private:
  std::function<bool(const TrainingState &)> condition;
};

} // namespace

CallbackPtr training::periodicTrigger(CallbackPtr callback,
                                      const Every &every) {
  if (!every.steps && !every.epochs)
    throw data::DataError(
        "expected a number of steps or epochs for a trigger, found neither");
  return std::make_shared<PeriodicTrigger>(std::move(callback), every);
}

CallbackPtr training::periodicCallback(CallbackPtr callback,
                                       const Every &every) {
  return std::make_shared<PeriodicCallback>(std::move(callback), every);
}

CallbackPtr
training::enableIf(CallbackPtr callback,
                   std::function<bool(const TrainingState &)> condition) {
  return std::make_shared<EnabledCallback>(std::move(callback),
                                           std::move(condition));
}
