/// Gradient processors, which transform gradients before an optimizer applies
/// them, and optimizers that wrap other optimizers.
#ifndef TG_SYMBOLIC_GRADIENT_PROCESSORS_H
#define TG_SYMBOLIC_GRADIENT_PROCESSORS_H

#include "../graph/optimizer.h"
#include "../nn/layer.h"

#include <functional>

namespace tg::symbolic {

/// Returns the gradients of a loss for the given variables, by default for all
/// trainable variables of its program. A gradient is undefined if the loss does
/// not depend on the variable.
std::vector<Gradient>
computeGradients(Operand loss, const std::vector<Variable> &variables = {});

//===-- Processors --------------------------------------------------------===//

/// The base class of gradient processors, including custom ones. Undefined
/// gradients are passed on unchanged unless a processor documents otherwise.
class BaseGradientProcessor {
public:
  virtual ~BaseGradientProcessor() = default;
  virtual std::vector<Gradient> process(std::vector<Gradient> gradients,
                                        std::source_location where) const = 0;
};

/// A handle of any gradient processor.
class GradientProcessor {
public:
  template <std::derived_from<BaseGradientProcessor> P>
  GradientProcessor(P processor)
      : object(std::make_shared<const P>(std::move(processor))) {}

  const BaseGradientProcessor *operator->() const { return object.get(); }

private:
  std::shared_ptr<const BaseGradientProcessor> object;
};

#define TG_PROCESS                                                             \
  std::vector<Gradient> process(std::vector<Gradient> gradients,               \
                                std::source_location where) const override;

/// A processor that removes undefined gradients and warns about each.
class FilterNoneGrad : public BaseGradientProcessor {
public:
  TG_PROCESS
};

/// A processor that scales all gradients by one factor, so that their global
/// norm is at most `norm`.
class GlobalNormClip : public BaseGradientProcessor {
public:
  explicit GlobalNormClip(double maximum) : norm(maximum) {}
  TG_PROCESS

private:
  double norm;
};

/// A processor that replaces the gradients of some variables by
/// function(gradient, variable). The whole name of a variable must match a
/// regular expression (ECMAScript). A gradient is removed if the function
/// returns an undefined tensor.
class MapGradient : public BaseGradientProcessor {
public:
  using Function = std::function<Tensor(Tensor, const Variable &)>;

  explicit MapGradient(
      Function callable, std::string names = ".*",
      std::source_location where = std::source_location::current());
  explicit MapGradient(
      Activation callable, std::string names = ".*",
      std::source_location where = std::source_location::current());
  TG_PROCESS

private:
  Function function;
  std::string regex;
};

/// A processor that multiplies each gradient by the factor of the first regular
/// expression that matches the whole name of its variable. The factor 0 removes
/// the gradient.
class ScaleGradient : public BaseGradientProcessor {
public:
  using Factors = std::vector<std::pair<std::string, double>>;

  explicit ScaleGradient(Factors list);
  TG_PROCESS

private:
  Factors factors;
};

/// A processor that aborts a run if a gradient is not finite. The error names
/// the variable of this gradient, and no variable changes.
class CheckGradient : public BaseGradientProcessor {
public:
  TG_PROCESS
};

/// A processor that applies print() in each step to the gradients of the
/// variables whose whole names match a regular expression.
class PrintGradient : public BaseGradientProcessor {
public:
  explicit PrintGradient(std::string names = ".*") : regex(std::move(names)) {}
  TG_PROCESS

private:
  std::string regex;
};

/// A processor that calls a function with the gradients of the variables whose
/// whole names match a regular expression, for example to create outputs with
/// their norms. The function is called once per variable in a graph, and in
/// each step in eager mode. The gradients do not change.
class SummaryGradient : public BaseGradientProcessor {
public:
  using Hook = std::function<void(const Variable &, Tensor gradient)>;

  explicit SummaryGradient(
      Hook callable, std::string names = ".*",
      std::source_location where = std::source_location::current());
  TG_PROCESS

private:
  /// The variables of graphs for which the function was called.
  using Shown = std::vector<std::pair<std::weak_ptr<dsl::Body>, std::string>>;

  Hook hook;
  std::string regex;
  std::shared_ptr<Shown> shown;
};

#undef TG_PROCESS

//===-- Wrappers of optimizers --------------------------------------------===//

/// A handle of any optimizer.
class AnyOptimizer {
public:
  template <std::derived_from<BaseOptimizer> O>
  AnyOptimizer(O optimizer)
      : object(std::make_shared<const O>(std::move(optimizer))) {}

  const BaseOptimizer *operator->() const { return object.get(); }

private:
  std::shared_ptr<const BaseOptimizer> object;
};

/// The base class of optimizers that wrap another optimizer.
class OptimizerWrapper : public BaseOptimizer {
protected:
  explicit OptimizerWrapper(AnyOptimizer optimizer)
      : inner(std::move(optimizer)) {}

  /// Calls computeGradients().
  std::vector<Gradient>
  differentiate(Operand loss,
                const std::vector<Variable> &variables) const override;

  AnyOptimizer inner;
};

/// An optimizer that applies the processors to the gradients in order, and then
/// the wrapped optimizer to the gradients that are still defined.
class ApplyGradProcessors : public OptimizerWrapper {
public:
  ApplyGradProcessors(AnyOptimizer optimizer,
                      std::vector<GradientProcessor> list);
  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

private:
  std::vector<GradientProcessor> processors;
};

/// An optimizer that adds further updates to each step of the wrapped
/// optimizer. They read the values from before the step, as all updates of a
/// function do.
class PostProcess : public OptimizerWrapper {
public:
  PostProcess(AnyOptimizer optimizer, std::function<Updates()> callable,
              std::source_location where = std::source_location::current());
  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

private:
  std::function<Updates()> function;
};

/// An optimizer that assigns function(variable, value) to each variable, where
/// value is the result of the wrapped optimizer. It assigns `value` if the
/// function returns an undefined tensor.
class VariableAssignment : public OptimizerWrapper {
public:
  VariableAssignment(
      AnyOptimizer optimizer, ApplyOptions::Assignment callable,
      std::source_location where = std::source_location::current());
  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

private:
  ApplyOptions::Assignment function;
};

/// An optimizer that accumulates the gradients of `niter` steps and applies the
/// wrapped optimizer to their sum in the last of these steps. The other steps
/// change neither variables nor slots. The effect is similar to a batch of
/// `niter` times the size with `niter` times the learning rate. The sums are
/// the variables `<variable>.accum`, and the step counter is `<first
/// variable>.accum_step`.
class AccumGrad : public OptimizerWrapper {
public:
  AccumGrad(AnyOptimizer optimizer, int64_t niter,
            std::source_location where = std::source_location::current());
  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

private:
  /// Returns the suffix of the names of the accumulators of these variables.
  std::string slotName(const std::vector<Gradient> &gradients) const;

  int64_t niter;
  /// The suffixes by program. Copies of the optimizer share them and the
  /// accumulators.
  struct Names;
  std::shared_ptr<Names> names;
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_GRADIENT_PROCESSORS_H
