/// When to stop training.
#ifndef TG_TRAINING_EARLY_STOPPER_HPP
#define TG_TRAINING_EARLY_STOPPER_HPP

#include "../cxx20.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace tg {

struct EarlyStopperOptions {
  /// Training ends with this epoch at the latest.
  int64_t maxEpoch = 100;
  /// It ends when more epochs than these have passed since the error fell last;
  /// none: not because of that.
  std::optional<int64_t> lookBack = {};
  /// By which part of itself the error must be lower to have fallen: 0.01 is
  /// one percent. With 0 any decrease counts.
  double percentDecrease = 0;
};

/// Stops training when the error on data that is not trained on falls no more.
/// An error may be negative, as that of an accuracy is.
class EarlyStopper {
public:
  explicit EarlyStopper(EarlyStopperOptions choice = {}) : options(choice) {}

  /// Whether to go on after an epoch with this error. Epochs count from 1; 0
  /// stands for the one after that of the call before.
  bool continueLearning(double validError, int64_t epoch = 0) {
    lastEpoch = epoch ? epoch : lastEpoch + 1;
    const bool isBetter = hasFallen(validError);
    if (isBetter) {
      bestError = validError;
      bestAt = lastEpoch;
    }
    if (lastEpoch >= options.maxEpoch)
      return false;
    return isBetter || !options.lookBack ||
           lastEpoch - bestAt <= *options.lookBack;
  }

  /// Forgets what was seen.
  void reset() { *this = EarlyStopper(options); }

  /// The error when it fell last, infinite before, and in which epoch that was,
  /// 0 before.
  double bestValidError() const { return bestError; }
  int64_t bestEpoch() const { return bestAt; }

private:
  bool hasFallen(double error) const {
    if (std::isinf(bestError))
      return error < bestError;
    // What is no number has not.
    return bestError - error > options.percentDecrease * std::abs(bestError);
  }

  EarlyStopperOptions options;
  int64_t lastEpoch = 0, bestAt = 0;
  double bestError = std::numeric_limits<double>::infinity();
};

} // namespace tg

#endif // TG_TRAINING_EARLY_STOPPER_HPP
