/// Gradient processors, which run before an optimizer applies gradients, and
/// wrappers of optimizers.
#ifndef TG_SYMBOLIC_GRADIENT_PROCESSORS_H
#define TG_SYMBOLIC_GRADIENT_PROCESSORS_H

#include "../graph/optimizer.h"
#include "../nn/layer.h"

#include <functional>

namespace tg::symbolic {

/// The derivatives of a loss for all trainable variables of its program, or for
/// these: without value for those that it does not depend on.
std::vector<Gradient>
computeGradients(Operand loss, const std::vector<Variable> &variables = {});

//===-- Processors --------------------------------------------------------===//

/// A processor of one's own: derives from this. Gradients without value stay
/// what they are unless the processor says otherwise.
class BaseGradientProcessor {
public:
  virtual ~BaseGradientProcessor() = default;
  virtual std::vector<Gradient> process(std::vector<Gradient> gradients,
                                        std::source_location where) const = 0;
};

/// Any processor.
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

/// Drops the gradients without value; each is a warning of the program.
class FilterNoneGrad : public BaseGradientProcessor {
public:
  TG_PROCESS
};

/// All gradients by one factor, so that their length is at most `norm`.
class GlobalNormClip : public BaseGradientProcessor {
public:
  explicit GlobalNormClip(double greatest) : norm(greatest) {}
  TG_PROCESS

private:
  double norm;
};

/// function(gradient, variable) in place of the gradients of the variables
/// whose whole names match a regular expression (ECMAScript); where it gives no
/// value, the gradient is dropped.
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

/// Each gradient times the factor of the first regular expression that matches
/// the whole name of its variable; by the factor 0 it is dropped.
class ScaleGradient : public BaseGradientProcessor {
public:
  using Factors = std::vector<std::pair<std::string, double>>;

  explicit ScaleGradient(Factors list);
  TG_PROCESS

private:
  Factors factors;
};

/// Ends a run whose gradients are not all finite, and says of which variable;
/// no variable changes.
class CheckGradient : public BaseGradientProcessor {
public:
  TG_PROCESS
};

/// Sends the gradients of the variables whose whole names match a regular
/// expression to the host's log in each step.
class PrintGradient : public BaseGradientProcessor {
public:
  explicit PrintGradient(std::string names = ".*") : regex(std::move(names)) {}
  TG_PROCESS

private:
  std::string regex;
};

/// Shows a function the gradients of the variables whose whole names match a
/// regular expression, once for each variable of a graph, in each step of eager
/// mode: it may make outputs of their lengths, say. The gradients stay what
/// they are.
class SummaryGradient : public BaseGradientProcessor {
public:
  using Hook = std::function<void(const Variable &, Tensor gradient)>;

  explicit SummaryGradient(
      Hook callable, std::string names = ".*",
      std::source_location where = std::source_location::current());
  TG_PROCESS

private:
  /// The variables of graphs that it was shown.
  using Shown = std::vector<std::pair<std::weak_ptr<dsl::Body>, std::string>>;

  Hook hook;
  std::string regex;
  std::shared_ptr<Shown> shown;
};

#undef TG_PROCESS

//===-- Around optimizers -------------------------------------------------===//

/// Any optimizer, as those below hold one.
class AnyOptimizer {
public:
  template <std::derived_from<BaseOptimizer> O>
  AnyOptimizer(O optimizer)
      : object(std::make_shared<const O>(std::move(optimizer))) {}

  const BaseOptimizer *operator->() const { return object.get(); }

private:
  std::shared_ptr<const BaseOptimizer> object;
};

/// The base class of optimizers that wrap another one.
class OptimizerWrapper : public BaseOptimizer {
protected:
  explicit OptimizerWrapper(AnyOptimizer optimizer)
      : inner(std::move(optimizer)) {}

  /// computeGradients().
  std::vector<Gradient>
  differentiate(Operand loss,
                const std::vector<Variable> &variables) const override;

  AnyOptimizer inner;
};

/// The optimizer on what the processors make of its gradients, one after the
/// other. Gradients without value are dropped at last.
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

/// Further updates in each step, which see the values from before it, as all
/// updates of a function do.
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

/// function(variable, value) in place of the value that the optimizer gives a
/// variable; without value that one.
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

/// The optimizer on the sum of the gradients of `niter` steps, at the last of
/// these; in the others variables and slots stay. About as a batch `niter`
/// times as great with `niter` times the learning rate. It keeps
/// `<variable>.accum`, and counts in `<first variable>.accum_step`.
class AccumGrad : public OptimizerWrapper {
public:
  AccumGrad(AnyOptimizer optimizer, int64_t niter,
            std::source_location where = std::source_location::current());
  Updates applyWith(const std::vector<Gradient> &gradients,
                    const ApplyOptions &options,
                    std::source_location where) const override;

private:
  /// The name of what it keeps of these variables.
  std::string slotName(const std::vector<Gradient> &gradients) const;

  int64_t niter;
  /// The names by program; copies of an optimizer share what it keeps.
  struct Names;
  std::shared_ptr<Names> names;
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_GRADIENT_PROCESSORS_H
