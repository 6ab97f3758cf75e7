/// A callback that calls another one.
#ifndef TG_RUNTIME_TRAINING_CALLBACKS_WRAPPER_H
#define TG_RUNTIME_TRAINING_CALLBACKS_WRAPPER_H

#include "Support.h"

namespace tg::training {

/// Calls all functions of another callback. It has the name and the state of
/// that.
class Wrapper : public Callback {
public:
  /// Throws DataError for a null pointer.
  explicit Wrapper(CallbackPtr wrapped) : inner(std::move(wrapped)) {
    if (!inner)
      throw data::DataError("expected a callback, found a null pointer");
  }

  std::string name() const override { return inner->name(); }
  void beforeTrain(TrainingState &state) override { inner->beforeTrain(state); }
  void beforeEpoch(TrainingState &state) override { inner->beforeEpoch(state); }
  void beforeStep(TrainingState &state) override { inner->beforeStep(state); }
  void afterStep(TrainingState &state) override { inner->afterStep(state); }
  void triggerStep(TrainingState &state) override { inner->triggerStep(state); }
  void triggerEpoch(TrainingState &state) override {
    inner->triggerEpoch(state);
  }
  void afterEpoch(TrainingState &state) override { inner->afterEpoch(state); }
  void afterTrain(TrainingState &state) override { inner->afterTrain(state); }
  void summary(TrainingState &state, const Scalars &scalars) override {
    inner->summary(state, scalars);
  }
  std::string state() const override { return inner->state(); }
  void restore(const std::string &state) override { inner->restore(state); }

protected:
  CallbackPtr inner;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_CALLBACKS_WRAPPER_H
