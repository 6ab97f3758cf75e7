//===- Schedule.cpp - learning rates that depend on the step --------------===//
#include "tg/graph/schedule.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/program.h"
#include "tg/tensor/functional.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tg;
using namespace tg::dsl;

Tensor Program::step(std::source_location where) {
  return readStep(owner, where);
}

Tensor Schedule::operator()(Operand step) const {
  Scope scope(step);
  if (function)
    return function(cast(step, f64));
  if (!rate.isNumber())
    return cast(rate, f64);
  return scalar(step.tensor().body(), rate.number(), f64, step.where());
}

/// Throws GraphError if a rate is not a scalar, is negative or is NaN.
static void expectRate(const Operand &rate, const BodyPtr &body) {
  if (!rate.isNumber() && rate.tensor().rank() != 0)
    raise("expected a learning rate that is a scalar, found " +
              toString(rate.tensor().shape()),
          body, rate.where());
  if (rate.isNumber() && !(rate.number() >= 0))
    raise("expected a learning rate of at least 0, found " +
              (std::isnan(rate.number()) ? "NaN" : textOf(rate.number())),
          body, rate.where());
}

Tensor Schedule::build(const BodyPtr &body, DType dtype, Place where) const {
  if (function) {
    Tensor found = (*this)({readStep(body, where), where});
    expectDefined(found, where);
    if (found.rank() != 0)
      raise("expected a learning-rate schedule that returns a scalar, found " +
                toString(found.shape()),
            body, where);
    return cast(found, dtype);
  }
  expectRate(rate, body);
  return rate.isNumber() ? scalar(body, rate.number(), dtype, where)
                         : cast(rate, dtype);
}

/// Throws GraphError unless there is at least one step.
static void expectSteps(int64_t steps, Place where) {
  if (steps < 1)
    throw GraphError("expected at least 1 step, found " + std::to_string(steps),
                     where);
}

Schedule tg::piecewiseConstant(PiecewiseConstantOptions options, Place where) {
  const std::vector<int64_t> &bounds = options.boundaries;
  if (options.rates.size() != bounds.size() + 1 ||
      !std::is_sorted(bounds.begin(), bounds.end()))
    throw GraphError("expected boundaries in ascending order and one rate more "
                     "than boundaries (" +
                         std::to_string(bounds.size()) + "), found " +
                         std::to_string(options.rates.size()) + " rates",
                     where);
  return Schedule([options](Tensor step) {
    Tensor rate = scalar(step.body(), options.rates.back(), f64, Place());
    for (size_t i = options.boundaries.size(); i-- > 0;)
      rate = select(step < static_cast<double>(options.boundaries[i]),
                    options.rates[i], rate);
    return rate;
  });
}

Schedule tg::exponentialDecay(ExponentialDecayOptions options, Place where) {
  expectSteps(options.steps, where);
  return Schedule([options](Tensor step) {
    Tensor power = step / static_cast<double>(options.steps);
    return options.rate *
           pow(options.factor, options.staircase ? floor(power) : power);
  });
}

/// Computes (1 + cos(πx)) / 2 = 1 - sin²(πx / 2) for x in [0, 1]. The series of
/// the sine is truncated where its terms are below the precision of f64.
static Tensor halfWave(const Tensor &x) {
  Tensor angle = x * (std::numbers::pi / 2);
  Tensor square = angle * angle;
  Tensor sum;
  for (int factor = 22; factor > 0; factor -= 2) {
    double divisor = -double(factor) * (factor + 1);
    sum = 1.0 + (sum.isDefined() ? square * sum : square) / divisor;
  }
  Tensor sine = angle * sum;
  return 1.0 - sine * sine;
}

Schedule tg::cosineDecay(CosineDecayOptions options, Place where) {
  expectSteps(options.steps, where);
  return Schedule([options](Tensor step) {
    Tensor progress = minimum(step / static_cast<double>(options.steps), 1.0);
    return options.end + (options.rate - options.end) * halfWave(progress);
  });
}

Schedule tg::cosineDecayRestarts(CosineDecayRestartsOptions options,
                                 Place where) {
  expectSteps(options.steps, where);
  if (!(options.growth >= 1))
    throw GraphError("expected a growth of at least 1, found " +
                         std::to_string(options.growth),
                     where);
  return Schedule([options](Tensor step) {
    double steps = static_cast<double>(options.steps);
    Tensor passed = step / steps;
    // Adds a small offset, so that rounding does not delay the start of a
    // period by a step.
    Tensor begun = (step + 1e-6) / steps;
    Tensor period = floor(begun);
    Tensor length = onesLike(passed);
    Tensor start = period;
    if (options.growth != 1) {
      double more = options.growth - 1;
      period = floor(log(1.0 + begun * more) / std::log(options.growth));
      length = pow(options.growth, period);
      start = (length - 1.0) / more;
    }
    Tensor wave = halfWave((passed - start) / length);
    if (options.decay != 1)
      wave *= pow(options.decay, period);
    return options.end + (options.rate - options.end) * wave;
  });
}

Schedule tg::warmUp(WarmUpOptions options, Place where) {
  expectSteps(options.steps, where);
  return Schedule([options](Tensor step) {
    double steps = static_cast<double>(options.steps);
    Tensor first = options.then(zerosLike(step));
    Tensor rising = options.from + (first - options.from) * (step / steps);
    Tensor after = options.then(maximum(step - steps, 0.0));
    return select(step < steps, rising, after);
  });
}

Schedule tg::cyclic(CyclicOptions options, Place where) {
  expectSteps(options.steps, where);
  return Schedule([options](Tensor step) {
    Tensor ramps = step / static_cast<double>(options.steps);
    Tensor cycle = floor(ramps / 2.0);
    Tensor height = 1.0 - abs(ramps - 2.0 * cycle - 1.0);
    if (options.decay != 1)
      height *= pow(options.decay, cycle);
    return options.low + (options.high - options.low) * height;
  });
}
