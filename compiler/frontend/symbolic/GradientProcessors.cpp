//===- GradientProcessors.cpp - transformations of gradients --------------===//
#include "tg/symbolic/GradientProcessors.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/host.h"

#include <algorithm>
#include <regex>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

std::vector<Gradient>
symbolic::computeGradients(Operand loss,
                           const std::vector<Variable> &variables) {
  const BodyPtr &body = loss.tensor().body();
  std::vector<Variable> requested = variables;
  if (requested.empty())
    for (const VariableInfo &info : body->variables())
      if (info.spec.trainable)
        requested.push_back(variableOf(body, info));
  std::vector<std::string> names = body->parametersOf(loss.tensor().id());
  std::vector<Variable> reached;
  for (const Variable &variable : requested)
    if (std::find(names.begin(), names.end(), variable.name()) != names.end())
      reached.push_back(variable);
  std::vector<Gradient> found;
  if (!reached.empty() || names.empty())
    found = gradients(loss, reached);
  std::vector<Gradient> all;
  auto next = found.begin();
  for (const Variable &variable : requested)
    if (next != found.end() && next->variable.name() == variable.name())
      all.push_back(*next++);
    else
      all.push_back({variable, {}});
  return all;
}

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

/// Compiles a regular expression. Throws GraphError if it is invalid.
static std::regex compile(const std::string &text,
                          const std::vector<Gradient> &gradients, Place where) {
  try {
    return std::regex(text);
  } catch (const std::regex_error &) {
    BodyPtr body =
        gradients.empty() ? nullptr : gradients.front().variable.body();
    raise("expected a regular expression, found '" + text + "'", body, where);
  }
}

static bool matches(const Gradient &gradient, const std::regex &pattern) {
  return gradient.value.isDefined() &&
         std::regex_match(gradient.variable.name(), pattern);
}

std::vector<Gradient>
FilterNoneGrad::process(std::vector<Gradient> gradients,
                        std::source_location where) const {
  std::vector<Gradient> defined;
  for (const Gradient &gradient : gradients)
    if (gradient.value.isDefined())
      defined.push_back(gradient);
    else
      gradient.variable.body()->warn("no gradient reaches variable '" +
                                         gradient.variable.name() + "'",
                                     where);
  return defined;
}

std::vector<Gradient>
GlobalNormClip::process(std::vector<Gradient> gradients,
                        std::source_location where) const {
  return clipByGlobalNorm(std::move(gradients), {norm, where});
}

MapGradient::MapGradient(Function callable, std::string names,
                         std::source_location where)
    : function(required(std::move(callable), "a function of gradients", where)),
      regex(std::move(names)) {}

MapGradient::MapGradient(Activation callable, std::string names,
                         std::source_location where)
    : MapGradient(
          [function =
               required(std::move(callable), "a function of gradients", where)](
              Tensor gradient, const Variable &) { return function(gradient); },
          std::move(names), where) {}

std::vector<Gradient> MapGradient::process(std::vector<Gradient> gradients,
                                           std::source_location where) const {
  std::regex pattern = compile(regex, gradients, where);
  std::vector<Gradient> mapped;
  for (Gradient &gradient : gradients) {
    bool isMapped = matches(gradient, pattern);
    if (isMapped)
      gradient.value = function(gradient.value, gradient.variable);
    if (!isMapped || gradient.value.isDefined())
      mapped.push_back(gradient);
  }
  return mapped;
}

ScaleGradient::ScaleGradient(Factors list) : factors(std::move(list)) {}

std::vector<Gradient> ScaleGradient::process(std::vector<Gradient> gradients,
                                             std::source_location where) const {
  std::vector<std::pair<std::regex, double>> patterns;
  for (const auto &[regex, factor] : factors)
    patterns.emplace_back(compile(regex, gradients, where), factor);
  std::vector<Gradient> scaled;
  for (Gradient &gradient : gradients) {
    auto found =
        std::find_if(patterns.begin(), patterns.end(), [&](const auto &each) {
          return matches(gradient, each.first);
        });
    if (found != patterns.end() && found->second == 0)
      continue;
    if (found != patterns.end() && found->second != 1)
      gradient.value = gradient.value * found->second;
    scaled.push_back(gradient);
  }
  return scaled;
}

std::vector<Gradient> CheckGradient::process(std::vector<Gradient> gradients,
                                             std::source_location where) const {
  for (Gradient &gradient : gradients) {
    if (!gradient.value.isDefined())
      continue;
    Tensor finite = isFinite({gradient.value, where});
    if (finite.rank() != 0)
      finite = reduceAll({finite, where});
    gradient.value = assertTrue({finite, where},
                                "expected a finite gradient of '" +
                                    gradient.variable.name() + "'",
                                {gradient.value, where});
  }
  return gradients;
}

std::vector<Gradient> PrintGradient::process(std::vector<Gradient> gradients,
                                             std::source_location where) const {
  std::regex pattern = compile(regex, gradients, where);
  for (Gradient &gradient : gradients)
    if (matches(gradient, pattern))
      gradient.value = print("gradient of " + gradient.variable.name(),
                             {gradient.value, where});
  return gradients;
}

SummaryGradient::SummaryGradient(Hook callable, std::string names,
                                 std::source_location where)
    : hook(required(std::move(callable), "a function that is shown gradients",
                    where)),
      regex(std::move(names)), shown(std::make_shared<Shown>()) {}

std::vector<Gradient>
SummaryGradient::process(std::vector<Gradient> gradients,
                         std::source_location where) const {
  std::regex pattern = compile(regex, gradients, where);
  for (const Gradient &gradient : gradients) {
    if (!matches(gradient, pattern))
      continue;
    const BodyPtr &body = gradient.variable.body();
    const std::string &name = gradient.variable.name();
    bool wasShown =
        std::any_of(shown->begin(), shown->end(), [&](const auto &each) {
          return each.first.lock() == body && each.second == name;
        });
    if (wasShown)
      continue;
    if (!body->isEager())
      shown->emplace_back(body, name);
    hook(gradient.variable, gradient.value);
  }
  return gradients;
}

//===----------------------------------------------------------------------===//
// Wrappers of optimizers
//===----------------------------------------------------------------------===//

std::vector<Gradient>
OptimizerWrapper::differentiate(Operand loss,
                                const std::vector<Variable> &variables) const {
  return symbolic::computeGradients(loss, variables);
}

/// Returns the gradients without undefined ones.
static std::vector<Gradient> onlyDefined(std::vector<Gradient> gradients) {
  std::erase_if(gradients, [](const Gradient &gradient) {
    return !gradient.value.isDefined();
  });
  return gradients;
}

ApplyGradProcessors::ApplyGradProcessors(AnyOptimizer optimizer,
                                         std::vector<GradientProcessor> list)
    : OptimizerWrapper(std::move(optimizer)), processors(std::move(list)) {}

Updates ApplyGradProcessors::applyWith(const std::vector<Gradient> &gradients,
                                       const ApplyOptions &options,
                                       std::source_location where) const {
  std::vector<Gradient> processed = gradients;
  if (processed.empty())
    throw GraphError("expected at least one gradient to apply, found none",
                     where);
  BodyPtr body = processed.front().variable.body();
  Scope scope(body, "", body->effectivePlace(where));
  for (const GradientProcessor &processor : processors)
    processed = processor->process(std::move(processed), where);
  return inner->applyWith(processed, options, where);
}

PostProcess::PostProcess(AnyOptimizer optimizer,
                         std::function<Updates()> callable,
                         std::source_location where)
    : OptimizerWrapper(std::move(optimizer)),
      function(required(std::move(callable), "a function that gives updates",
                        where)) {}

Updates PostProcess::applyWith(const std::vector<Gradient> &gradients,
                               const ApplyOptions &options,
                               std::source_location where) const {
  return inner->applyWith(gradients, options, where) + function();
}

VariableAssignment::VariableAssignment(AnyOptimizer optimizer,
                                       ApplyOptions::Assignment callable,
                                       std::source_location where)
    : OptimizerWrapper(std::move(optimizer)),
      function(required(std::move(callable), "a function that gives values",
                        where)) {}

Updates VariableAssignment::applyWith(const std::vector<Gradient> &gradients,
                                      const ApplyOptions &options,
                                      std::source_location where) const {
  ApplyOptions both = options;
  both.assignment = [this, outer = options.assignment](const Variable &variable,
                                                       Tensor value) {
    if (Tensor own = function(variable, value); own.isDefined())
      value = own;
    Tensor last = outer ? outer(variable, value) : Tensor();
    return last.isDefined() ? last : value;
  };
  return inner->applyWith(gradients, both, where);
}

struct AccumGrad::Names {
  std::vector<std::pair<std::weak_ptr<Body>, std::string>> given;
};

AccumGrad::AccumGrad(AnyOptimizer optimizer, int64_t steps,
                     std::source_location where)
    : OptimizerWrapper(std::move(optimizer)), niter(steps),
      names(std::make_shared<Names>()) {
  if (niter < 1)
    throw GraphError("expected gradients of at least 1 step, found " +
                         std::to_string(niter),
                     where);
}

/// Returns the variable with the name of `spec`, and creates it with zeros if
/// it does not exist.
static Variable findOrZero(const BodyPtr &body, VariableSpec spec,
                           Place where) {
  if (const VariableInfo *found = body->findVariable(spec.name))
    return variableOf(body, *found);
  return makeVariable(body, spec, zeros(), where);
}

std::string AccumGrad::slotName(const std::vector<Gradient> &gradients) const {
  const BodyPtr &body = gradients.front().variable.body();
  for (const auto &[program, name] : names->given)
    if (program.lock() == body)
      return name;
  std::string name = ".accum";
  auto isTaken = [&](const Gradient &gradient) {
    return body->findVariable(gradient.variable.name() + name) != nullptr;
  };
  for (unsigned number = 1;
       std::any_of(gradients.begin(), gradients.end(), isTaken); ++number)
    name = ".accum_" + std::to_string(number);
  names->given.emplace_back(body, name);
  return name;
}

Updates AccumGrad::applyWith(const std::vector<Gradient> &gradients,
                             const ApplyOptions &options,
                             std::source_location where) const {
  std::vector<Gradient> sums = onlyDefined(gradients);
  if (sums.empty())
    throw GraphError("expected at least one gradient to apply, found none",
                     where);
  BodyPtr body = sums.front().variable.body();
  Scope scope(body, "", body->effectivePlace(where));
  std::string slot = slotName(sums);
  Variable counter =
      findOrZero(body,
                 {.name = sums.front().variable.name() + slot + "_step",
                  .type = {i64, {}}},
                 where);
  // A wrapping optimizer may exclude this step by its condition.
  Tensor isCounted = options.condition;
  auto nextIfCounted = [&](const Tensor &next, const Tensor &before) {
    return isCounted.isDefined() ? select(isCounted, next, before) : next;
  };
  Tensor step = counter + 1.0;
  ApplyOptions last = options;
  last.condition = step % double(niter) == 0.0;
  if (isCounted.isDefined())
    last.condition = last.condition & isCounted;
  last.count = step / double(niter);
  Updates updates = assign(counter, nextIfCounted(step, counter));
  for (Gradient &gradient : sums) {
    const Variable &variable = gradient.variable;
    Variable sum = findOrZero(body,
                              {variable.name() + slot,
                               {variable.dtype(), variable.shape()},
                               /*trainable=*/false,
                               variable.isTrainable() ? variable.name() : ""},
                              where);
    gradient.value = nextIfCounted(sum + gradient.value, sum);
    updates = updates + assign(sum, select(last.condition, zerosLike(sum),
                                           gradient.value));
  }
  return updates + inner->applyWith(sums, last, where);
}
