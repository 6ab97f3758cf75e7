/// Learning rates that depend on the step number. A rate that depends on a
/// validation error is an input of the program, fed by ReduceLROnPlateau of
/// ../training.hpp.
#ifndef TG_GRAPH_SCHEDULE_H
#define TG_GRAPH_SCHEDULE_H

#include "../tensor/error.h"
#include "../tensor/tensor.h"

#include <functional>

namespace tg {

/// A learning rate: a number, a scalar tensor such as an input, or a function
/// of the number of preceding steps, an f64 scalar that starts at 0:
/// Schedule([](Tensor step) { return 0.1 / (1.0 + 0.01 * step); }). Every
/// optimizer accepts one.
class Schedule {
public:
  Schedule(double number,
           std::source_location where = std::source_location::current())
      : rate(number, where) {}
  Schedule(Tensor scalar,
           std::source_location where = std::source_location::current())
      : rate(Operand(std::move(scalar), where)) {}
  Schedule(Operand operand) : rate(std::move(operand)) {}
  template <std::invocable<Tensor> Function>
  Schedule(Function rule,
           std::source_location where = std::source_location::current())
      : function(
            dsl::required(std::move(rule), "a function of the step", where)) {}

  /// Returns the rate at a step, an f64 scalar: use schedule(program.step()) as
  /// an output.
  Tensor operator()(Operand step) const;

  /// Internal: returns the rate of the step that a function performs.
  Tensor build(const std::shared_ptr<dsl::Body> &body, DType dtype,
               std::source_location where) const;

private:
  Operand rate = 0.0;
  std::function<Tensor(Tensor)> function;
};

struct PiecewiseConstantOptions {
  /// The steps at which the rate changes, in ascending order. There is one more
  /// rate than boundaries.
  std::vector<int64_t> boundaries;
  std::vector<double> rates;
};
/// rates[i] before step boundaries[i], then the last rate. PyTorch:
/// MultiStepLR.
Schedule
piecewiseConstant(PiecewiseConstantOptions options,
                  std::source_location where = std::source_location::current());

struct ExponentialDecayOptions {
  double rate = 0.001;
  /// The factor of the rate every `steps` steps.
  double factor = 0.96;
  int64_t steps = 1;
  /// Changes the rate only at multiples of `steps`.
  bool staircase = false;
};
/// rate · factor^(t / steps); a staircase rounds the quotient down. TensorFlow:
/// ExponentialDecay; PyTorch: ExponentialLR, StepLR.
Schedule
exponentialDecay(ExponentialDecayOptions options,
                 std::source_location where = std::source_location::current());

struct CosineDecayOptions {
  double rate = 0.001, end = 0;
  /// The step from which on the rate is `end`.
  int64_t steps = 1;
};
/// end + (rate - end) · (1 + cos(π · min(t, steps) / steps)) / 2. TensorFlow:
/// CosineDecay; PyTorch: CosineAnnealingLR. Loshchilov and Hutter, "SGDR:
/// Stochastic Gradient Descent with Warm Restarts", 2017.
Schedule
cosineDecay(CosineDecayOptions options,
            std::source_location where = std::source_location::current());

struct CosineDecayRestartsOptions {
  double rate = 0.001, end = 0;
  /// The number of steps of the first period, from `rate` to `end`.
  int64_t steps = 1;
  /// The ratio of the lengths of successive periods, at least 1, and the ratio
  /// of their ranges.
  double growth = 2, decay = 1;
};
/// Cosine decay with restarts: end + (rate - end) · decay^i · (1 + cos(π · p))
/// / 2, where p is the elapsed fraction of period i. Period i has steps ·
/// growth^i steps. TensorFlow: CosineDecayRestarts; PyTorch:
/// CosineAnnealingWarmRestarts. Loshchilov and Hutter, 2017.
Schedule cosineDecayRestarts(
    CosineDecayRestartsOptions options,
    std::source_location where = std::source_location::current());

struct WarmUpOptions {
  /// The number of steps from the rate `from` to the first rate of `then`.
  int64_t steps = 1;
  double from = 0;
  /// The following schedule, with its own step count.
  Schedule then = 0.001;
};
/// from + (then(0) - from) · t / steps while t < steps, then(t - steps)
/// afterwards. PyTorch: LinearLR within SequentialLR.
Schedule warmUp(WarmUpOptions options,
                std::source_location where = std::source_location::current());

struct CyclicOptions {
  double low = 0.0001, high = 0.001;
  /// The number of steps from low to high, and also from high to low.
  int64_t steps = 1;
  /// The ratio of the ranges of successive cycles.
  double decay = 1;
};
/// low + (high - low) · decay^c · (1 - |t / steps - 2c - 1|), where c is t / (2
/// · steps) rounded down. PyTorch: CyclicLR, "triangular", or "triangular2"
/// with a decay of 0.5. Smith, "Cyclical Learning Rates for Training Neural
/// Networks", 2017.
Schedule cyclic(CyclicOptions options,
                std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_SCHEDULE_H
