/// When to stop training.
#ifndef TG_TRAINING_EARLY_STOPPER_HPP
#define TG_TRAINING_EARLY_STOPPER_HPP

#include "least_error.hpp"

#include <algorithm>
#include <ostream>

namespace tg {

struct EarlyStopperOptions {
  /// Training ends with this epoch at the latest.
  int64_t maxEpoch = 100;
  /// It ends after so many epochs without progress, one after the other, as
  /// Keras counts them: 2 ends it with the second one. 0 is as 1. None: not
  /// because of that.
  std::optional<int64_t> patience = {};
  /// By which fraction of itself the error must be lower to be progress: 0.01
  /// is one percent. With 0 any decrease counts. At least 0 and below 1.
  double minDecrease = 0;
};

/// The state of an EarlyStopper, from which it can continue in another process.
/// As text it is a line of numbers that read back as the same values.
struct EarlyStopperState {
  /// The last epoch, and that in which the error fell last; 0 before.
  int64_t epoch = 0, bestEpoch = 0;
  /// The epochs without progress since.
  int64_t wait = 0;
  /// The error when it fell last, infinite before.
  double bestError = std::numeric_limits<double>::infinity();
};

inline std::ostream &operator<<(std::ostream &stream,
                                const EarlyStopperState &state) {
  return stream << state.epoch << ' ' << state.bestEpoch << ' ' << state.wait
                << ' ' << detail::textOf(state.bestError);
}

/// Sets failbit where there is no state, which then stays as it was.
inline std::istream &operator>>(std::istream &stream,
                                EarlyStopperState &state) {
  EarlyStopperState found;
  stream >> found.epoch >> found.bestEpoch >> found.wait;
  detail::read(stream, found.bestError);
  if (stream)
    state = found;
  return stream;
}

/// Stops training when the error on data that is not trained on falls no more.
/// An error may be negative, as that of an accuracy is.
class EarlyStopper {
public:
  /// Throws std::invalid_argument for a patience below 0 or a minDecrease that
  /// is no fraction.
  explicit EarlyStopper(EarlyStopperOptions choice = {}) : options(choice) {
    detail::expectFraction(options.minDecrease);
    detail::expectEpochs("a patience", options.patience.value_or(0));
  }

  /// Returns true if training goes on after an epoch with this error. Epochs
  /// count from 1; 0 stands for the one after that of the call before.
  bool continueLearning(double validError, int64_t epoch = 0) {
    seen.epoch = epoch ? epoch : seen.epoch + 1;
    ++seen.wait;
    if (detail::hasFallen(validError, seen.bestError, options.minDecrease)) {
      seen.bestError = validError;
      seen.bestEpoch = seen.epoch;
      seen.wait = 0;
    }
    return goesOn();
  }

  /// Returns true if training goes on after what was seen so far.
  bool goesOn() const {
    return seen.epoch < options.maxEpoch &&
           (!options.patience ||
            seen.wait < std::max<int64_t>(*options.patience, 1));
  }

  /// Forgets what was seen.
  void reset() { seen = {}; }

  /// Returns the state, to be saved, and continues from a saved one:
  ///
  ///   file << stopper.state() << '\n';
  ///   if (EarlyStopperState saved; file >> saved)
  ///     stopper.restore(saved);
  const EarlyStopperState &state() const { return seen; }
  void restore(const EarlyStopperState &saved) { seen = saved; }

  /// The error when it fell last, infinite before, and in which epoch that was,
  /// 0 before.
  double bestValidError() const { return seen.bestError; }
  int64_t bestEpoch() const { return seen.bestEpoch; }

private:
  EarlyStopperOptions options;
  EarlyStopperState seen;
};

} // namespace tg

#endif // TG_TRAINING_EARLY_STOPPER_HPP
