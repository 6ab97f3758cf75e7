/// Learning rates that follow the number of the step. One that follows the
/// error on other data is a number of the program that trains:
/// ReduceLROnPlateau of ../training.hpp, which feeds an input.
#ifndef TG_GRAPH_SCHEDULE_H
#define TG_GRAPH_SCHEDULE_H

#include "../tensor/error.h"
#include "../tensor/tensor.h"

#include <functional>

namespace tg {

/// A learning rate: a number, a scalar tensor such as an input, or a function
/// of the number of steps before this one, a scalar f64 that starts at 0:
/// Schedule([](Tensor step) { return 0.1 / (1.0 + 0.01 * step); }). Any
/// optimizer takes one.
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

  /// The rate at a step, a scalar f64: schedule(program.step()) in an output.
  Tensor operator()(Operand step) const;

  /// The DSL's own: the rate of the step that a function takes.
  Tensor build(const std::shared_ptr<dsl::Body> &body, DType dtype,
               std::source_location where) const;

private:
  Operand rate = 0.0;
  std::function<Tensor(Tensor)> function;
};

struct PiecewiseConstantOptions {
  /// Steps, in ascending order, and one rate more.
  std::vector<int64_t> boundaries;
  std::vector<double> rates;
};
/// rates[i] before step boundaries[i], then the last. PyTorch: MultiStepLR.
Schedule
piecewiseConstant(PiecewiseConstantOptions options,
                  std::source_location where = std::source_location::current());

struct ExponentialDecayOptions {
  double rate = 0.001;
  /// The factor of the rate after `steps` steps: rate · factor.
  double factor = 0.96;
  int64_t steps = 1;
  /// The rate changes at multiples of `steps` alone.
  bool staircase = false;
};
/// rate · factor^(t / steps), with the quotient rounded down for a staircase.
/// TensorFlow: ExponentialDecay; PyTorch: ExponentialLR, StepLR.
Schedule
exponentialDecay(ExponentialDecayOptions options,
                 std::source_location where = std::source_location::current());

struct CosineDecayOptions {
  double rate = 0.001, end = 0;
  /// From where on the rate is `end`.
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
  /// The number of steps from `rate` to `end` in the first period.
  int64_t steps = 1;
  /// `growth` is the factor of the length of each period over the one before,
  /// at least 1; `decay` is the factor of its range.
  double growth = 2, decay = 1;
};
/// Cosine decay that begins again where it ends: end + (rate - end) · decay^i ·
/// (1 + cos(π · p)) / 2, with p the part of period i that has passed; period i
/// has steps · growth^i steps. TensorFlow: CosineDecayRestarts; PyTorch:
/// CosineAnnealingWarmRestarts. Loshchilov and Hutter, 2017.
Schedule cosineDecayRestarts(
    CosineDecayRestartsOptions options,
    std::source_location where = std::source_location::current());

struct WarmUpOptions {
  /// The number of steps from the rate `from` to the first of `then`.
  int64_t steps = 1;
  double from = 0;
  /// The schedule that follows, with its own count of steps.
  Schedule then = 0.001;
};
/// from + (then(0) - from) · t / steps while t < steps, then(t - steps) from
/// there on. PyTorch: LinearLR within SequentialLR.
Schedule warmUp(WarmUpOptions options,
                std::source_location where = std::source_location::current());

struct CyclicOptions {
  double low = 0.0001, high = 0.001;
  /// From low to high; as many lead back.
  int64_t steps = 1;
  /// The factor of the range after each cycle.
  double decay = 1;
};
/// low + (high - low) · decay^c · (1 - |t / steps - 2c - 1|) with c = t / (2 ·
/// steps) rounded down. PyTorch: CyclicLR, "triangular", and with a decay of
/// 0.5 "triangular2". Smith, "Cyclical Learning Rates for Training Neural
/// Networks", 2017.
Schedule cyclic(CyclicOptions options,
                std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_SCHEDULE_H
