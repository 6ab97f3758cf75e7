//===- OptimizerSteps.cpp - the formulas of optimizers --------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/optimizer.h"
#include "tg/tensor/functional.h"

using namespace tg;
using namespace tg::dsl;

namespace {
/// An option, its name, its valid range, and true if the value is in the range.
struct Checked {
  const char *name;
  double value;
  bool isRight;
  const char *expected;
};
} // namespace

/// Checks a decay factor, which must be in [0, 1).
static Checked decayFactor(const char *name, double value) {
  return {name, value, value >= 0 && value < 1, "in [0, 1)"};
}

/// Checks an option that must be at least 0.
static Checked notNegative(const char *name, double value) {
  return {name, value, value >= 0, "of at least 0"};
}

/// Returns an error for the first invalid option, or "" if all are valid.
static std::string mistakeIn(std::initializer_list<Checked> options) {
  for (const Checked &option : options)
    if (!option.isRight)
      return std::string("expected ") + option.name + " " + option.expected +
             ", found " + textOf(option.value);
  return "";
}

std::string Momentum::mistake() const {
  return mistakeIn({decayFactor("momentum", options.momentum)});
}

std::string Adam::mistake() const {
  return mistakeIn({decayFactor("beta1", options.beta1),
                    decayFactor("beta2", options.beta2),
                    notNegative("epsilon", options.epsilon),
                    notNegative("weightDecay", options.weightDecay)});
}

std::string Lamb::mistake() const {
  return mistakeIn({decayFactor("beta1", options.beta1),
                    decayFactor("beta2", options.beta2),
                    notNegative("epsilon", options.epsilon),
                    notNegative("weightDecay", options.weightDecay)});
}

std::string Adadelta::mistake() const {
  return mistakeIn({decayFactor("decay", options.decay),
                    notNegative("epsilon", options.epsilon)});
}

std::string RMSProp::mistake() const {
  return mistakeIn({decayFactor("decay", options.decay),
                    decayFactor("momentum", options.momentum),
                    notNegative("epsilon", options.epsilon)});
}

std::string Adagrad::mistake() const {
  return mistakeIn(
      {notNegative("initialAccumulator", options.initialAccumulator)});
}

std::string Ftrl::mistake() const {
  return mistakeIn(
      {notNegative("initialAccumulator", options.initialAccumulator),
       notNegative("l1", options.l1), notNegative("l2", options.l2)});
}

std::vector<Tensor> SGD::step(const Element &element) const {
  return {element.weight - element.scalars[0] * element.gradient};
}

std::vector<Tensor> Momentum::step(const Element &element) const {
  Tensor moved = options.momentum * element.slots[0] + element.gradient;
  Tensor direction =
      options.nesterov ? element.gradient + options.momentum * moved : moved;
  return {element.weight - element.scalars[0] * direction, moved};
}

/// Returns 1 - beta^steps, the total weight of all values in a moving average
/// that started at 0.
static Tensor weightOf(double beta, const Tensor &count) {
  Tensor base = scalar(count.body(), beta, count.dtype(), Place::current());
  return 1.0 - pow(base, count);
}

/// Returns the bias-corrected rate, and the plain rate for weight decay.
std::vector<Tensor> Adam::scalars(Tensor rate, Tensor count) const {
  Tensor corrected = rate * sqrt(weightOf(options.beta2, count)) /
                     weightOf(options.beta1, count);
  return {corrected, rate};
}

std::vector<Tensor> Adam::step(const Element &element) const {
  const Tensor &gradient = element.gradient;
  Tensor mean =
      options.beta1 * element.slots[0] + (1 - options.beta1) * gradient;
  Tensor square = options.beta2 * element.slots[1] +
                  (1 - options.beta2) * (gradient * gradient);
  Tensor delta = element.scalars[0] * mean / (sqrt(square) + options.epsilon);
  Tensor weight = element.weight - delta;
  if (options.weightDecay != 0)
    weight = weight - element.scalars[1] * options.weightDecay * element.weight;
  return {weight, mean, square};
}

std::vector<Tensor> Lamb::scalars(Tensor rate, Tensor count) const {
  return {rate, weightOf(options.beta1, count), weightOf(options.beta2, count)};
}

/// Computes the step on whole tensors, since it needs norms.
std::vector<Tensor> Lamb::step(const Element &element) const {
  const Tensor &gradient = element.gradient, &weight = element.weight;
  Tensor mean =
      options.beta1 * element.slots[0] + (1 - options.beta1) * gradient;
  Tensor square = options.beta2 * element.slots[1] +
                  (1 - options.beta2) * (gradient * gradient);
  Tensor direction = mean / element.scalars[1] /
                         (sqrt(square / element.scalars[2]) + options.epsilon) +
                     options.weightDecay * weight;
  Tensor weightNorm = norm(weight);
  Tensor directionNorm = norm(direction);
  Tensor hasBoth = logicalAnd(weightNorm > 0.0, directionNorm > 0.0);
  Tensor trust = select(hasBoth, weightNorm / directionNorm, 1.0);
  return {weight - element.scalars[0] * trust * direction, mean, square};
}

std::vector<Tensor> Adadelta::step(const Element &element) const {
  const Tensor &gradient = element.gradient;
  double decay = options.decay;
  Tensor square =
      decay * element.slots[0] + (1 - decay) * (gradient * gradient);
  Tensor delta = sqrt(element.slots[1] + options.epsilon) /
                 sqrt(square + options.epsilon) * gradient;
  Tensor moved = decay * element.slots[1] + (1 - decay) * (delta * delta);
  return {element.weight - element.scalars[0] * delta, square, moved};
}

std::vector<Optimizer::Slot> RMSProp::slots() const {
  if (options.momentum == 0)
    return {{"rmsprop", 1}};
  return {{"rmsprop", 1}, {"momentum"}};
}

std::vector<Tensor> RMSProp::step(const Element &element) const {
  const Tensor &gradient = element.gradient;
  Tensor square = options.decay * element.slots[0] +
                  (1 - options.decay) * (gradient * gradient);
  Tensor delta = element.scalars[0] * gradient / sqrt(square + options.epsilon);
  if (options.momentum == 0)
    return {element.weight - delta, square};
  Tensor moved = options.momentum * element.slots[1] + delta;
  return {element.weight - moved, square, moved};
}

std::vector<Tensor> Adagrad::step(const Element &element) const {
  Tensor sum = element.slots[0] + element.gradient * element.gradient;
  Tensor delta = element.scalars[0] * element.gradient / sqrt(sum);
  return {element.weight - delta, sum};
}

/// A step with rate 0 changes nothing; the formula would divide by the rate.
std::vector<Tensor> Ftrl::step(const Element &element) const {
  const Tensor &gradient = element.gradient;
  Tensor isStill = element.scalars[0] == 0.0;
  Tensor rate = select(isStill, 1.0, element.scalars[0]);
  Tensor sum = element.slots[0] + gradient * gradient;
  Tensor increase = sqrt(sum) - sqrt(element.slots[0]);
  Tensor linear =
      element.slots[1] + gradient - increase / rate * element.weight;
  Tensor shrunk = linear - sign(linear) * options.l1;
  Tensor weight = -shrunk / (sqrt(sum) / rate + 2 * options.l2);
  return {select(isStill, element.weight,
                 select(abs(linear) <= options.l1, 0.0, weight)),
          select(isStill, element.slots[0], sum),
          select(isStill, element.slots[1], linear)};
}

//===----------------------------------------------------------------------===//
// The slots
//===----------------------------------------------------------------------===//

std::vector<Optimizer::Slot> Momentum::slots() const { return {{"momentum"}}; }
std::vector<Optimizer::Slot> Adam::slots() const {
  return {{"adam_m"}, {"adam_v"}};
}
std::vector<Optimizer::Slot> Lamb::slots() const {
  return {{"lamb_m"}, {"lamb_v"}};
}
std::vector<Optimizer::Slot> Adadelta::slots() const {
  return {{"adadelta"}, {"adadelta_step"}};
}
std::vector<Optimizer::Slot> Adagrad::slots() const {
  return {{"adagrad", options.initialAccumulator}};
}
std::vector<Optimizer::Slot> Ftrl::slots() const {
  return {{"ftrl_n", options.initialAccumulator}, {"ftrl_z"}};
}

std::vector<Optimizer::Slot> Optimizer::slots() const { return {}; }

std::vector<Tensor> Optimizer::scalars(Tensor rate, Tensor /*count*/) const {
  return {rate};
}
