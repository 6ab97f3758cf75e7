/// A learning rate that falls when the error does not.
#ifndef TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP
#define TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP

#include "least_error.hpp"

#include <algorithm>
#include <ostream>

namespace tg {

struct ReduceLROnPlateauOptions {
  /// The rate of the first epochs, above 0.
  double learningRate = 0.001;
  /// The factor by which the rate is multiplied. Above 0 and below 1.
  double factor = 0.1;
  /// After so many epochs without progress, one after the other, as Keras
  /// counts them. 0 is as 1.
  int64_t patience = 10;
  /// By which fraction of itself the error must be lower to be progress: 0.01
  /// is one percent. With 0 any decrease counts. At least 0 and below 1.
  double minDecrease = 1e-4;
  /// So many epochs after a decrease of the rate do not count.
  int64_t cooldown = 0;
  /// The lower bound of the rate, at least 0.
  double minimum = 0;
};

/// The state of a ReduceLROnPlateau, from which it can continue in another
/// process. As text it is a line of numbers that read back as the same values.
struct ReduceLROnPlateauState {
  double learningRate = 0;
  /// The error when it fell last, infinite before.
  double bestError = std::numeric_limits<double>::infinity();
  /// The epochs without progress since, and those that do not count yet.
  int64_t wait = 0, cooldown = 0;
};

inline std::ostream &operator<<(std::ostream &stream,
                                const ReduceLROnPlateauState &state) {
  return stream << detail::textOf(state.learningRate) << ' '
                << detail::textOf(state.bestError) << ' ' << state.wait << ' '
                << state.cooldown;
}

/// Sets failbit where there is no state, which then stays as it was.
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

/// Lowers the learning rate when the error on data that is not trained on falls
/// no more. The rate is a number for an input of the function that trains:
///
///   Tensor rate = program.input("learning_rate", f32);
///   Updates step = SGD({.learningRate = rate}).minimize(loss);
///   …
///   ReduceLROnPlateau schedule({.learningRate = 0.1, .patience = 3});
///   context.run("train", {…, {"learning_rate", float(schedule.rate())}});
///   schedule.finishEpoch(validError);
///
/// An error may be negative, as that of an accuracy is.
class ReduceLROnPlateau {
public:
  /// Throws std::invalid_argument for an option that is not in its range.
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

  /// The rate to train with now.
  double rate() const { return now.learningRate; }

  /// Takes the error after an epoch and returns the rate of the next one.
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

  /// Begins anew.
  void reset() {
    now = {};
    now.learningRate = options.learningRate;
  }

  /// Returns the state, to be saved, and continues from a saved one, as
  /// EarlyStopper does.
  const ReduceLROnPlateauState &state() const { return now; }
  void restore(const ReduceLROnPlateauState &saved) { now = saved; }

  /// The error when it fell last, infinite before.
  double bestValidError() const { return now.bestError; }

private:
  ReduceLROnPlateauOptions options;
  ReduceLROnPlateauState now;
};

} // namespace tg

#endif // TG_TRAINING_REDUCE_LR_ON_PLATEAU_HPP
