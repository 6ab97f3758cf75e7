/// A learning rate schedule that reduces the rate when the error stops
/// decreasing.
#ifndef TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP
#define TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP

#include "least_error.hpp"

#include <algorithm>
#include <ostream>

namespace tg {

struct ReduceLROnPlateauOptions {
  /// The initial rate, above 0.
  double learningRate = 0.001;
  /// The factor by which the rate is multiplied; above 0 and below 1.
  double factor = 0.1;
  /// The number of consecutive epochs without progress after which the rate is
  /// reduced, as in Keras. 0 acts like 1.
  int64_t patience = 10;
  /// The minimum decrease of the error that counts as progress, as a fraction
  /// of the error in [0, 1): 0.01 is one percent. With 0, any decrease counts.
  double minDecrease = 1e-4;
  /// The number of epochs after a reduction of the rate that do not count
  /// towards the patience.
  int64_t cooldown = 0;
  /// The lower bound of the rate, at least 0.
  double minimum = 0;
};

/// The state of a ReduceLROnPlateau, with which training can continue in
/// another process. Its text form is a line of numbers that read back exactly.
struct ReduceLROnPlateauState {
  double learningRate = 0;
  /// The error at the last progress; initially infinity.
  double bestError = std::numeric_limits<double>::infinity();
  /// The number of epochs since the last progress, and the number of remaining
  /// cooldown epochs.
  int64_t wait = 0, cooldown = 0;
};

inline std::ostream &operator<<(std::ostream &stream,
                                const ReduceLROnPlateauState &state) {
  return stream << detail::textOf(state.learningRate) << ' '
                << detail::textOf(state.bestError) << ' ' << state.wait << ' '
                << state.cooldown;
}

/// Reads a state. Sets failbit and leaves `state` unchanged if there is none.
inline std::istream &operator>>(std::istream &stream,
                                ReduceLROnPlateauState &state) {
  ReduceLROnPlateauState found;
  detail::read(stream, found.learningRate);
  detail::read(stream, found.bestError);
  stream >> found.wait >> found.cooldown;
  if (stream)
    state = found;
  return stream;
}

/// Reduces the learning rate when the error on validation data stops
/// decreasing. The rate is a number for an input of the training function:
///
///   Tensor rate = program.input("learning_rate", f32);
///   Updates step = SGD({.learningRate = rate}).minimize(loss);
///   …
///   ReduceLROnPlateau schedule({.learningRate = 0.1, .patience = 3});
///   context.run("train", {…, {"learning_rate", float(schedule.rate())}});
///   schedule.finishEpoch(validError);
///
/// An error may be negative, such as the negative of an accuracy.
class ReduceLROnPlateau {
public:
  /// Throws std::invalid_argument for an option out of range.
  explicit ReduceLROnPlateau(ReduceLROnPlateauOptions choice = {})
      : options(choice) {
    detail::expectFraction(options.minDecrease);
    detail::expectEpochs("a patience", options.patience);
    detail::expectEpochs("a cooldown", options.cooldown);
    if (!(options.factor > 0 && options.factor < 1))
      throw std::invalid_argument("expected a factor above 0 and below 1, "
                                  "found " +
                                  std::to_string(options.factor));
    if (!(options.learningRate > 0) || !(options.minimum >= 0))
      throw std::invalid_argument(
          "expected a learning rate above 0 and a minimum of at least 0, "
          "found " +
          std::to_string(options.learningRate) + " and " +
          std::to_string(options.minimum));
    reset();
  }

  /// Returns the current rate.
  double rate() const { return now.learningRate; }

  /// Takes the error of an epoch and returns the rate of the next epoch.
  double finishEpoch(double validError) {
    if (now.cooldown > 0) {
      --now.cooldown;
      now.wait = 0;
    }
    if (detail::hasFallen(validError, now.bestError, options.minDecrease)) {
      now.bestError = validError;
      now.wait = 0;
    } else if (now.cooldown == 0 && ++now.wait >= options.patience) {
      now.learningRate =
          std::min(now.learningRate, std::max(now.learningRate * options.factor,
                                              options.minimum));
      now.cooldown = options.cooldown;
      now.wait = 0;
    }
    return now.learningRate;
  }

  /// Resets the state.
  void reset() {
    now = {};
    now.learningRate = options.learningRate;
  }

  /// Returns the state for saving, or continues from a saved state, as in
  /// EarlyStopper.
  const ReduceLROnPlateauState &state() const { return now; }
  void restore(const ReduceLROnPlateauState &saved) { now = saved; }

  /// Returns the error at the last progress, initially infinity.
  double bestValidError() const { return now.bestError; }

private:
  ReduceLROnPlateauOptions options;
  ReduceLROnPlateauState now;
};

} // namespace tg

#endif // TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP
