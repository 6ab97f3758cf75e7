/// Early stopping.
#ifndef TG_TRAINING_EARLY_STOPPER_HPP
#define TG_TRAINING_EARLY_STOPPER_HPP

#include "least_error.hpp"

#include <algorithm>
#include <ostream>

namespace tg {

struct EarlyStopperOptions {
  /// The last epoch of training.
  int64_t maxEpoch = 100;
  /// The number of consecutive epochs without progress after which training
  /// ends, as in Keras: 2 ends training with the second one. 0 acts like 1.
  /// None: training does not end for lack of progress.
  std::optional<int64_t> patience = {};
  /// The minimum decrease of the error that counts as progress, as a fraction
  /// of the error in [0, 1): 0.01 is one percent. With 0, any decrease counts.
  double minDecrease = 0;
};

/// The state of an EarlyStopper, with which training can continue in another
/// process. Its text form is a line of numbers that read back exactly.
struct EarlyStopperState {
  /// The last epoch, and the last epoch with progress; both are initially 0.
  int64_t epoch = 0, bestEpoch = 0;
  /// The number of epochs since the last progress.
  int64_t wait = 0;
  /// The error at the last progress; initially infinity.
  double bestError = std::numeric_limits<double>::infinity();
};

inline std::ostream &operator<<(std::ostream &stream,
                                const EarlyStopperState &state) {
  return stream << state.epoch << ' ' << state.bestEpoch << ' ' << state.wait
                << ' ' << detail::textOf(state.bestError);
}

/// Reads a state. Sets failbit and leaves `state` unchanged if there is none.
inline std::istream &operator>>(std::istream &stream,
                                EarlyStopperState &state) {
  EarlyStopperState found;
  stream >> found.epoch >> found.bestEpoch >> found.wait;
  detail::read(stream, found.bestError);
  if (stream)
    state = found;
  return stream;
}

/// Stops training when the error on validation data no longer decreases. An
/// error may be negative, such as the negative of an accuracy.
class EarlyStopper {
public:
  /// Throws std::invalid_argument for a patience below 0 or a minDecrease
  /// outside [0, 1).
  explicit EarlyStopper(EarlyStopperOptions choice = {}) : options(choice) {
    detail::expectFraction(options.minDecrease);
    detail::expectEpochs("a patience", options.patience.value_or(0));
  }

  /// Returns true if training continues after an epoch with this error. Epochs
  /// count from 1. 0 stands for the epoch after the one of the previous call.
  bool continueLearning(double validError, int64_t epoch = 0) {
    current.epoch = epoch ? epoch : current.epoch + 1;
    ++current.wait;
    if (detail::hasFallen(validError, current.bestError, options.minDecrease)) {
      current.bestError = validError;
      current.bestEpoch = current.epoch;
      current.wait = 0;
    }
    return goesOn();
  }

  /// Returns true if training continues after the epochs so far.
  bool goesOn() const {
    return current.epoch < options.maxEpoch &&
           (!options.patience ||
            current.wait < std::max<int64_t>(*options.patience, 1));
  }

  /// Resets the state.
  void reset() { current = {}; }

  /// Returns the state for saving, or continues from a saved state:
  ///
  ///   file << stopper.state() << '\n';
  ///   if (EarlyStopperState saved; file >> saved)
  ///     stopper.restore(saved);
  const EarlyStopperState &state() const { return current; }
  void restore(const EarlyStopperState &saved) { current = saved; }

  /// Returns the error at the last progress, initially infinity, and the epoch
  /// of the last progress, initially 0.
  double bestValidError() const { return current.bestError; }
  int64_t bestEpoch() const { return current.bestEpoch; }

private:
  EarlyStopperOptions options;
  EarlyStopperState current;
};

} // namespace tg

#endif // TG_TRAINING_EARLY_STOPPER_HPP
