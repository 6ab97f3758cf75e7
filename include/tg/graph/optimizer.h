/// Optimizers: from a loss to updates of the variables it depends on.
#ifndef TG_GRAPH_OPTIMIZER_H
#define TG_GRAPH_OPTIMIZER_H

#include "program.h"
#include "schedule.h"

#include <functional>
#include <memory>
#include <optional>

namespace tg {

/// A variable and the derivative of a loss for it.
struct Gradient {
  Variable variable;
  Tensor value;
};

/// The derivatives of a scalar for the trainable variables it depends on, or
/// for these.
std::vector<Gradient> gradients(Operand loss,
                                const std::vector<Variable> &variables = {});
/// Each gradient with its variable, as apply() takes them: those that a
/// GradientTape gave, without value where there is none.
std::vector<Gradient>
zip(const std::vector<Tensor> &gradients,
    const std::vector<Variable> &variables,
    std::source_location where = std::source_location::current());
/// The derivatives for any tensors the scalar depends on.
std::vector<Tensor> gradientsOf(Operand loss,
                                const std::vector<Tensor> &tensors);

/// The length of all gradients together.
Tensor globalNorm(const std::vector<Gradient> &gradients,
                  std::source_location where = std::source_location::current());
/// All gradients by one factor, so that their length is at most `norm`.
std::vector<Gradient> clipByGlobalNorm(std::vector<Gradient> gradients,
                                       Operand norm);

/// rate · Σ|w| and rate · ½Σw² over the variables, to add to a loss.
Tensor l1Penalty(const std::vector<Variable> &variables, Operand rate);
Tensor l2Penalty(const std::vector<Variable> &variables, Operand rate);

/// The penalties of the variables that have a regularizer and are trained, as
/// one scalar to add to a loss: regularization(network.variables()). 0 where
/// there are none.
Tensor
regularization(const std::vector<Variable> &variables,
               std::source_location where = std::source_location::current());

/// The options of minimize() beside the step.
struct MinimizeOptions {
  /// The variables to move; none: the trainable ones the loss depends on.
  std::vector<Variable> variables = {};
  /// The greatest length of all gradients together.
  std::optional<double> clipByGlobalNorm = {};
  /// Gradients run on the devices of the ops that they are gradients of
  /// (device.h).
  bool colocateGradientsWithOps = false;
};

/// The options of the application of gradients.
struct ApplyOptions {
  /// Gives a variable's value after a step in place of the step's own; that one
  /// where it gives none.
  using Assignment = std::function<Tensor(const Variable &, Tensor value)>;

  /// A scalar truth value: where it is false, variables and slots keep what
  /// they have. None: every step counts.
  Tensor condition = {};
  /// The number of this step, from 1, a scalar i64. None: that of the program.
  Tensor count = {};
  Assignment assignment = {};
};

/// The base class of optimizers, and of wrappers around one: makes updates of
/// gradients.
class BaseOptimizer {
public:
  virtual ~BaseOptimizer() = default;

  /// gradients(), then apply(). In eager mode of a loss that an open
  /// GradientTape recorded; the step is done then, and the updates are empty.
  Updates minimize(Operand loss, const MinimizeOptions &options = {}) const;
  /// The same of what a function gives, which is recorded: right in both modes.
  using LossFunction = std::function<Tensor()>;
  Updates
  minimize(const LossFunction &loss, const MinimizeOptions &options = {},
           std::source_location where = std::source_location::current()) const;
  /// The first half of minimize(): gradients() of what a function gives.
  std::vector<Gradient> computeGradients(
      const LossFunction &loss, const std::vector<Variable> &variables = {},
      std::source_location where = std::source_location::current()) const;
  /// One pass over all variables and their slots. Variables whose gradient has
  /// no value stay as they are; one must have a value.
  Updates
  apply(const std::vector<Gradient> &gradients,
        std::source_location where = std::source_location::current()) const {
    return applyWith(gradients, {}, where);
  }
  /// The same with what others say of the step.
  virtual Updates applyWith(const std::vector<Gradient> &gradients,
                            const ApplyOptions &options,
                            std::source_location where) const = 0;

protected:
  /// Returns the gradients that minimize() applies: gradients().
  virtual std::vector<Gradient>
  differentiate(Operand loss, const std::vector<Variable> &variables) const;
};

/// An optimizer. One of one's own says its slots, the scalars of a step, and
/// the new values of an element.
class Optimizer : public BaseOptimizer {
public:
  /// The present learning rate, a scalar f64: in a function that trains that of
  /// its step, elsewhere and in eager mode that of the next one.
  Tensor learningRate(
      const Program &program,
      std::source_location where = std::source_location::current()) const;

  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

protected:
  /// One more number per element of a variable, named `<variable>.<name>`.
  struct Slot {
    std::string name;
    double initial = 0;
  };
  /// The operands of one element of a step; all are scalars. For a variable
  /// with a constraint, and if needsWholeTensors(), weight, gradient and slots
  /// are whole tensors.
  struct Element {
    Tensor weight, gradient;
    std::vector<Tensor> slots, scalars;
  };

  explicit Optimizer(Schedule rate) : schedule(std::move(rate)) {}

  virtual std::vector<Slot> slots() const;
  /// Returns the mistake in the options; "" for none.
  virtual std::string mistake() const { return ""; }
  /// Scalars that all elements share, computed once per step; by default the
  /// learning rate. `count` is the number of this step, from 1.
  virtual std::vector<Tensor> scalars(Tensor rate, Tensor count) const;
  /// The new weight and slots.
  virtual std::vector<Tensor> step(const Element &element) const = 0;
  /// Returns true if a step needs more of a variable than one element, as its
  /// length.
  virtual bool needsWholeTensors() const { return false; }

private:
  std::vector<Variable> slotsOf(const Variable &variable,
                                std::source_location where) const;
  /// The step where the condition holds, else what was before.
  std::vector<Tensor> stepIf(const Element &element,
                             const ApplyOptions &options) const;
  /// Assigns a variable and its slots as a whole.
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
/// Moving averages of the gradient and of its square.
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
  /// w -= rate · weightDecay · w beside Adam's step.
  double weightDecay = 0.01;
};
/// Adam with a decay of weights that does not pass through its averages.
/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.
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
/// Adam's direction with decay, u = m' / (√v' + ε) + weightDecay · w of
/// averages m' and v' that are corrected, as long as the variable: w -= rate ·
/// |w| / |u| · u, and rate · u where a length is 0. You et al., "Large Batch
/// Optimization for Deep Learning: Training BERT in 76 minutes", 2020.
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
  /// 1 is the method as it was published; Keras has 0.001.
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
/// as in TensorFlow, so that the first steps are of the gradient's size.
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
  /// The factors of |w| and w² in the penalty; l1 makes weights exactly 0.
  double l1 = 0, l2 = 0;
};
/// Follow the regularized leader: n' = n + g²; z += g - (sqrt(n') - sqrt(n)) /
/// rate · w; w = 0 where |z| <= l1, else -(z - sign(z) · l1) / (sqrt(n') / rate
/// + 2 · l2). z starts at 0, so little of the first weights is kept where the
/// accumulator starts high. A step of the rate 0 changes nothing. McMahan et
/// al., "Ad Click Prediction: a View from the Trenches", 2013.
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

/// An optimizer by its name and the defaults of its other options:
/// createOptimizer("Adam", 0.001)->minimize(loss). The names are those of the
/// classes above, in capitals or not. Throws GraphError for another one, which
/// lists them.
std::unique_ptr<BaseOptimizer>
createOptimizer(const std::string &name, Schedule learningRate,
                std::source_location where = std::source_location::current());
/// The names that createOptimizer() knows, in alphabetical order.
std::vector<std::string> optimizerNames();

struct ExponentialMovingAverageOptions {
  double decay = 0.999;
};
/// Averages of variables over steps: average = decay · average + (1 - decay) ·
/// value before the step. They start at the variables' first values.
class ExponentialMovingAverage {
public:
  ExponentialMovingAverage(const ExponentialMovingAverageOptions &chosen = {})
      : options(chosen) {}

  /// Returns the updates of the averages for one step.
  Updates
  update(const std::vector<Variable> &variables,
         std::source_location where = std::source_location::current()) const;
  /// The average `<variable>.ema`, to be read like the variable.
  Variable
  average(const Variable &variable,
          std::source_location where = std::source_location::current()) const;

private:
  ExponentialMovingAverageOptions options;
};

} // namespace tg

#endif // TG_GRAPH_OPTIMIZER_H
