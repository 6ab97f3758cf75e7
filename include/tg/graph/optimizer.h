/// Optimizers, which turn a loss into updates of the variables that it depends
/// on.
#ifndef TG_GRAPH_OPTIMIZER_H
#define TG_GRAPH_OPTIMIZER_H

#include "program.h"
#include "schedule.h"

#include <functional>
#include <memory>
#include <optional>

namespace tg {

/// A variable and the derivative of a loss with respect to it.
struct Gradient {
  Variable variable;
  Tensor value;
};

/// Returns the derivatives of a scalar with respect to `variables`, or, if
/// there are none, with respect to all trainable variables that it depends on.
std::vector<Gradient> gradients(Operand loss,
                                const std::vector<Variable> &variables = {});
/// Pairs gradients with their variables, as apply() takes them. The gradients
/// come from a GradientTape; one without a value stays without a value.
std::vector<Gradient>
zip(const std::vector<Tensor> &gradients,
    const std::vector<Variable> &variables,
    std::source_location where = std::source_location::current());
/// Returns the derivatives of a scalar with respect to any tensors that it
/// depends on.
std::vector<Tensor> gradientsOf(Operand loss,
                                const std::vector<Tensor> &tensors);

/// Returns the Euclidean norm of all gradients together.
Tensor globalNorm(const std::vector<Gradient> &gradients,
                  std::source_location where = std::source_location::current());
/// Scales all gradients by one factor so that their global norm is at most
/// `norm`.
std::vector<Gradient> clipByGlobalNorm(std::vector<Gradient> gradients,
                                       Operand norm);

/// Return rate · Σ|w| and rate · ½Σw² over the variables, to add to a loss.
Tensor l1Penalty(const std::vector<Variable> &variables, Operand rate);
Tensor l2Penalty(const std::vector<Variable> &variables, Operand rate);

/// Returns the sum of the penalties of the trained variables that have a
/// regularizer, a scalar to add to a loss: regularization(network.variables()).
/// Returns 0 if there are none.
Tensor
regularization(const std::vector<Variable> &variables,
               std::source_location where = std::source_location::current());

/// The options of minimize().
struct MinimizeOptions {
  /// The variables to train. Empty: all trainable variables that the loss
  /// depends on.
  std::vector<Variable> variables = {};
  /// The upper bound of the global norm of the gradients. None: no clipping.
  std::optional<double> clipByGlobalNorm = {};
  /// Runs gradients on the devices of the ops that they differentiate
  /// (device.h).
  bool colocateGradientsWithOps = false;
};

/// The options of applyWith().
struct ApplyOptions {
  /// Computes the value of a variable after a step from the value that the step
  /// computed. A result without a value keeps the step's value.
  using Assignment = std::function<Tensor(const Variable &, Tensor value)>;

  /// A boolean scalar. If it is false, variables and slots keep their values.
  /// None: every step applies.
  Tensor condition = {};
  /// The number of this step, starting at 1, an i64 scalar. None: the step
  /// number of the program.
  Tensor count = {};
  Assignment assignment = {};
};

/// The base of everything that makes updates from gradients: optimizers and
/// wrappers of optimizers.
class BaseOptimizer {
public:
  virtual ~BaseOptimizer() = default;

  /// Computes gradients(), then applies them. In eager mode the loss must have
  /// been recorded by an open GradientTape. The step then happens immediately,
  /// and the returned updates are empty.
  Updates minimize(Operand loss, const MinimizeOptions &options = {}) const;
  /// The same for the result of a function, which is recorded. Works in both
  /// modes.
  using LossFunction = std::function<Tensor()>;
  Updates
  minimize(const LossFunction &loss, const MinimizeOptions &options = {},
           std::source_location where = std::source_location::current()) const;
  /// Returns the gradients() of the result of a function, the first half of
  /// minimize().
  std::vector<Gradient> computeGradients(
      const LossFunction &loss, const std::vector<Variable> &variables = {},
      std::source_location where = std::source_location::current()) const;
  /// Updates all variables and their slots in one pass. Variables whose
  /// gradient has no value are not changed. At least one gradient must have a
  /// value.
  Updates
  apply(const std::vector<Gradient> &gradients,
        std::source_location where = std::source_location::current()) const {
    return applyWith(gradients, {}, where);
  }
  /// The same with options.
  virtual Updates applyWith(const std::vector<Gradient> &gradients,
                            const ApplyOptions &options,
                            std::source_location where) const = 0;

protected:
  /// Computes the derivatives for minimize(): gradients().
  virtual std::vector<Gradient>
  differentiate(Operand loss, const std::vector<Variable> &variables) const;
};

/// An optimizer. A subclass defines its slots, the scalars of a step, and the
/// new values of an element.
class Optimizer : public BaseOptimizer {
public:
  /// Returns the current learning rate, an f64 scalar. In a function that
  /// trains it is the rate of its step. Elsewhere, and in eager mode, it is the
  /// rate of the next step.
  Tensor learningRate(
      const Program &program,
      std::source_location where = std::source_location::current()) const;

  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

protected:
  /// An additional number per element of a variable, in a variable named
  /// `<variable>.<name>`.
  struct Slot {
    std::string name;
    double initial = 0;
  };
  /// The inputs of step() for one element; all are scalars. `weight`,
  /// `gradient` and `slots` are whole tensors if the variable has a constraint
  /// or needsWholeTensors() returns true.
  struct Element {
    Tensor weight, gradient;
    std::vector<Tensor> slots, scalars;
  };

  explicit Optimizer(Schedule rate) : schedule(std::move(rate)) {}

  virtual std::vector<Slot> slots() const;
  /// Returns an error message about the options, or "" if they are valid.
  virtual std::string mistake() const { return ""; }
  /// Returns the scalars that all elements share, computed once per step. The
  /// default is the learning rate. `count` is the number of this step, starting
  /// at 1.
  virtual std::vector<Tensor> scalars(Tensor rate, Tensor count) const;
  /// Returns the new weight and slots.
  virtual std::vector<Tensor> step(const Element &element) const = 0;
  /// Returns true if a step needs the whole variable, such as its norm, and not
  /// only one element.
  virtual bool needsWholeTensors() const { return false; }

private:
  std::vector<Variable> slotsOf(const Variable &variable,
                                std::source_location where) const;
  /// Returns the results of the step if the condition is true, otherwise the
  /// previous values.
  std::vector<Tensor> stepIf(const Element &element,
                             const ApplyOptions &options) const;
  /// Assigns a variable and its slots as whole tensors.
  Updates stepWhole(const Gradient &gradient,
                    const std::vector<Tensor> &scalars,
                    const Constraint &constraint,
                    const ApplyOptions &options) const;

  Schedule schedule;
};

struct SGDOptions {
  Schedule learningRate = 0.01;
};
/// w -= rate · g.
class SGD : public Optimizer {
public:
  SGD(const SGDOptions &options = {}) : Optimizer(options.learningRate) {}

protected:
  std::vector<Tensor> step(const Element &element) const override;
};

struct MomentumOptions {
  Schedule learningRate = 0.01;
  double momentum = 0.9;
  bool nesterov = false;
};
/// a = μa + g; w -= rate · a, or rate · (g + μa).
class Momentum : public Optimizer {
public:
  Momentum(const MomentumOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  MomentumOptions options;
};

struct AdamOptions {
  Schedule learningRate = 0.001;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  /// Decoupled from the gradient (AdamW): also w -= rate · weightDecay · w.
  double weightDecay = 0;
};
/// Adam: moving averages of the gradient and of its square.
class Adam : public Optimizer {
public:
  Adam(const AdamOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> scalars(Tensor rate, Tensor count) const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  AdamOptions options;
};

struct AdamWOptions {
  Schedule learningRate = 0.001;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  /// The rate of the decay w -= rate · weightDecay · w, in addition to Adam's
  /// step.
  double weightDecay = 0.01;
};
/// Adam with weight decay that bypasses its moving averages. Loshchilov and
/// Hutter, "Decoupled Weight Decay Regularization", 2019.
class AdamW : public Adam {
public:
  AdamW(const AdamWOptions &chosen = {})
      : Adam({chosen.learningRate, chosen.beta1, chosen.beta2, chosen.epsilon,
              chosen.weightDecay}) {}
};

struct LambOptions {
  Schedule learningRate = 0.001;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6;
  double weightDecay = 0.01;
};
/// Adam's direction with weight decay, u = m' / (√v' + ε) + weightDecay · w
/// with bias-corrected averages m' and v', scaled to the norm of the variable:
/// w -= rate · |w| / |u| · u, or rate · u if a norm is 0. You et al., "Large
/// Batch Optimization for Deep Learning: Training BERT in 76 minutes", 2020.
class Lamb : public Optimizer {
public:
  Lamb(const LambOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> scalars(Tensor rate, Tensor count) const override;
  std::vector<Tensor> step(const Element &element) const override;
  bool needsWholeTensors() const override { return true; }

private:
  LambOptions options;
};

struct AdadeltaOptions {
  /// The default 1 is the published method; Keras uses 0.001.
  Schedule learningRate = 1.0;
  double decay = 0.95, epsilon = 1e-6;
};
/// s = ρs + (1 - ρ)g²; d = √(u + ε) / √(s + ε) · g; u = ρu + (1 - ρ)d²; w -=
/// rate · d. Zeiler, "ADADELTA: An Adaptive Learning Rate Method", 2012.
class Adadelta : public Optimizer {
public:
  Adadelta(const AdadeltaOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  AdadeltaOptions options;
};

struct RMSPropOptions {
  Schedule learningRate = 0.001;
  double decay = 0.9, momentum = 0, epsilon = 1e-10;
};
/// s = ρs + (1 - ρ)g²; a = μa + rate · g / sqrt(s + ε); w -= a. s starts at 1,
/// as in TensorFlow, so that the first steps have the scale of the gradient.
class RMSProp : public Optimizer {
public:
  RMSProp(const RMSPropOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  RMSPropOptions options;
};

struct AdagradOptions {
  Schedule learningRate = 0.01;
  double initialAccumulator = 0.1;
};
/// s += g²; w -= rate · g / sqrt(s).
class Adagrad : public Optimizer {
public:
  Adagrad(const AdagradOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  AdagradOptions options;
};

struct FtrlOptions {
  Schedule learningRate = 0.001;
  double initialAccumulator = 0.1;
  /// The weights of the penalties for |w| and w². l1 makes weights exactly 0.
  double l1 = 0, l2 = 0;
};
/// Follow the regularized leader: n' = n + g²; z += g - (sqrt(n') - sqrt(n)) /
/// rate · w; w = 0 where |z| <= l1, else -(z - sign(z) · l1) / (sqrt(n') / rate
/// + 2 · l2). z starts at 0, so a large initial accumulator preserves little of
/// the initial weights. A step with rate 0 changes nothing. McMahan et al., "Ad
/// Click Prediction: a View from the Trenches", 2013.
class Ftrl : public Optimizer {
public:
  Ftrl(const FtrlOptions &chosen = {})
      : Optimizer(chosen.learningRate), options(chosen) {}

protected:
  std::string mistake() const override;
  std::vector<Slot> slots() const override;
  std::vector<Tensor> step(const Element &element) const override;

private:
  FtrlOptions options;
};

/// Creates an optimizer by its name, with the defaults of its other options:
/// createOptimizer("Adam", 0.001)->minimize(loss). The names are the names of
/// the classes above, in any case. Throws GraphError for an unknown name; the
/// message lists the known ones.
std::unique_ptr<BaseOptimizer>
createOptimizer(const std::string &name, Schedule learningRate,
                std::source_location where = std::source_location::current());
/// Returns the names that createOptimizer() accepts, in alphabetical order.
std::vector<std::string> optimizerNames();

struct ExponentialMovingAverageOptions {
  double decay = 0.999;
};
/// Exponential moving averages of variables over steps: average = decay ·
/// average + (1 - decay) · value before the step. They start at the variables'
/// initial values.
class ExponentialMovingAverage {
public:
  ExponentialMovingAverage(const ExponentialMovingAverageOptions &chosen = {})
      : options(chosen) {}

  /// Returns the updates of the averages in a step.
  Updates
  update(const std::vector<Variable> &variables,
         std::source_location where = std::source_location::current()) const;
  /// Returns the average, the variable `<variable>.ema`.
  Variable
  average(const Variable &variable,
          std::source_location where = std::source_location::current()) const;

private:
  ExponentialMovingAverageOptions options;
};

} // namespace tg

#endif // TG_GRAPH_OPTIMIZER_H
