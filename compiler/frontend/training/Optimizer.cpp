//===- Optimizer.cpp - optimizer steps from gradients ---------------------===//
#include "tg/graph/optimizer.h"
#include "compiler/frontend/eager/TapeList.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"

#include <map>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// Returns the slot `<variable>.<name>`, and creates it at the first call. The
/// default initial values are zeros.
static Variable slotOf(const Variable &variable, const std::string &name,
                       const std::optional<Initializer> &initializer,
                       Place where) {
  const BodyPtr &body = variable.body();
  VariableSpec spec{variable.name() + "." + name,
                    {variable.dtype(), variable.shape()},
                    /*trainable=*/false,
                    variable.isTrainable() ? variable.name() : ""};
  if (!body->findVariable(spec.name)) {
    if (initializer)
      return makeVariable(body, spec, *initializer, where);
    take(body->addVariable(spec, where));
    takeRestored(body, spec.name, where);
  }
  return variableOf(body, *body->findVariable(spec.name));
}

std::vector<Variable> Optimizer::slotsOf(const Variable &variable,
                                         std::source_location where) const {
  std::vector<Variable> made;
  for (const Slot &slot : slots())
    made.push_back(slotOf(variable, slot.name,
                          slot.initial == 0 ? std::optional<Initializer>()
                                            : Initializer(slot.initial),
                          where));
  return made;
}

std::vector<Tensor> Optimizer::stepIf(const Element &element,
                                      const ApplyOptions &options) const {
  std::vector<Tensor> results = step(element);
  if (!options.condition.isDefined())
    return results;
  std::vector<Tensor> before = {element.weight};
  before.insert(before.end(), element.slots.begin(), element.slots.end());
  for (size_t i = 0; i < results.size(); ++i)
    results[i] = select(options.condition, results[i], before[i]);
  return results;
}

Updates Optimizer::stepWhole(const Gradient &gradient,
                             const std::vector<Tensor> &scalars,
                             const Constraint &constraint,
                             const ApplyOptions &options) const {
  const Variable &variable = gradient.variable;
  std::vector<Variable> slots = slotsOf(variable, Place());
  Element element{
      variable, gradient.value, {slots.begin(), slots.end()}, scalars};
  std::vector<Tensor> results = stepIf(element, options);
  Tensor value = constraint ? constraint(results.front()) : results.front();
  if (Tensor other =
          options.assignment ? options.assignment(variable, value) : Tensor();
      other.isDefined())
    value = other;
  if (options.condition.isDefined())
    value = select(options.condition, value, variable);
  Updates updates = assign(variable, value);
  for (size_t i = 0; i < slots.size(); ++i)
    updates = updates + assign(slots[i], results[i + 1]);
  return updates;
}

/// Computes `element` on whole tensors in eager mode, and assigns the results
/// to the variables of each group.
template <typename Function>
static void updateNow(const BodyPtr &body,
                      const std::vector<std::vector<std::string>> &groups,
                      const std::vector<Id> &inputs, Place where,
                      Function element) {
  for (size_t i = 0; i < groups.size(); ++i) {
    std::vector<Tensor> arguments;
    for (const std::string &name : groups[i])
      arguments.emplace_back(body, body->findVariable(name)->read);
    std::vector<int64_t> shape = extentList(arguments.front());
    arguments.emplace_back(body, inputs[i]);
    std::vector<Tensor> results = element(arguments);
    for (size_t k = 0; k < results.size(); ++k) {
      expectDefined(results[k], where);
      if (extentList(results[k]) != shape)
        results[k] =
            call("broadcast_to", {{results[k], where}}, {{"shape", shape}});
      take(body->assign(groups[i][k], results[k].id(), where));
    }
  }
}

/// Builds a tg.update. `element` maps one element of each variable of a group,
/// and of the group's input, to the new values of the variables. Returns the
/// effects. In eager mode the update is done immediately, and there are no
/// effects.
template <typename Function>
static std::vector<Id>
updateWith(const BodyPtr &body,
           const std::vector<std::vector<std::string>> &groups,
           const std::vector<Id> &inputs, Place where, Function element) {
  if (body->isEager()) {
    updateNow(body, groups, inputs, where, element);
    return {};
  }
  std::vector<Tensor> arguments;
  for (Id id : take(body->beginUpdate(groups, inputs, where)))
    arguments.emplace_back(body, id);
  std::vector<Id> results;
  for (const Tensor &result : element(arguments)) {
    expectDefined(result, where);
    results.push_back(result.id());
  }
  return {take(body->endUpdate(results, where))};
}

/// Ends a training step in eager mode. Restarts the numbering of random
/// samples, as each run of a function does.
static void countStep(const BodyPtr &body, Place where) {
  Tensor next = Tensor(readStep(body, where)) + 1.0;
  take(body->assign(kStepVariable, next.id(), where));
  body->restartStreams();
}

/// Returns the current step, counted from 1, as a scalar of type `dtype`.
static Tensor countOf(const BodyPtr &body, const ApplyOptions &options,
                      DType dtype, Place where) {
  if (options.count.isDefined())
    return cast(options.count, dtype);
  return cast(readStep(body, where) + 1.0, dtype);
}

Tensor Optimizer::learningRate(const Program &program,
                               std::source_location where) const {
  Scope scope(program.body(), "", program.body()->effectivePlace(where));
  return schedule.build(program.body(), f64, where);
}

/// Throws GraphError for a gradient that would be broadcast to its variable.
/// Dynamic extents are checked at run time.
static void expectShape(const Gradient &gradient, Place where) {
  Shape expected = gradient.variable.shape();
  Shape found = gradient.value.shape();
  bool fits = expected.size() == found.size();
  for (size_t axis = 0; fits && axis < expected.size(); ++axis)
    fits = !found[axis].isKnown() || found[axis].value == expected[axis].value;
  if (!fits)
    raise("expected a gradient of '" + gradient.variable.name() + "', " +
              toString(expected) + ", found " + toString(found),
          gradient.variable.body(), where);
}

Updates Optimizer::applyWith(const std::vector<Gradient> &all,
                             const ApplyOptions &options,
                             std::source_location where) const {
  std::vector<Gradient> gradients;
  for (const Gradient &gradient : all) {
    expectDefined(gradient.variable, where);
    if (!gradient.value.isDefined())
      continue;
    expectShape(gradient, where);
    gradients.push_back(gradient);
  }
  if (all.empty())
    throw GraphError("expected at least one gradient to apply, found none",
                     where);
  if (gradients.empty())
    expectDefined(all.front().value, where);
  const BodyPtr &body = gradients.front().variable.body();
  RecordingPause pause;
  if (std::string found = mistake(); !found.empty())
    raise(found, body, where);
  Scope scope(body, "", body->effectivePlace(where));
  std::map<DType, std::vector<Gradient>> byType;
  for (const Gradient &gradient : gradients)
    byType[gradient.variable.dtype()].push_back(gradient);
  std::vector<Id> effects;
  for (const auto &[dtype, members] : byType) {
    Tensor rate = schedule.build(body, dtype, where);
    std::vector<Tensor> stepScalars =
        scalars(rate, countOf(body, options, dtype, where));
    std::vector<std::vector<std::string>> groups;
    std::vector<Id> inputs;
    for (const Gradient &member : members) {
      // This is a copy because creating slots invalidates references into the
      // program's list of variables.
      const Constraint constraint =
          body->findVariable(member.variable.name())->spec.constraint;
      if (constraint || options.assignment || needsWholeTensors()) {
        Updates whole = stepWhole(member, stepScalars, constraint, options);
        effects.insert(effects.end(), whole.effects().begin(),
                       whole.effects().end());
        continue;
      }
      std::vector<std::string> group = {member.variable.name()};
      for (const Variable &slot : slotsOf(member.variable, where))
        group.push_back(slot.name());
      groups.push_back(std::move(group));
      inputs.push_back(member.value.id());
    }
    if (groups.empty())
      continue;
    std::vector<Id> made = updateWith(
        body, groups, inputs, where, [&](std::vector<Tensor> arguments) {
          Element element{arguments.front(),
                          arguments.back(),
                          {arguments.begin() + 1, arguments.end() - 1},
                          stepScalars};
          return stepIf(element, options);
        });
    effects.insert(effects.end(), made.begin(), made.end());
  }
  if (body->isEager())
    countStep(body, where);
  return effects.empty() ? Updates() : Updates(body, std::move(effects));
}

//===----------------------------------------------------------------------===//
// Moving averages
//===----------------------------------------------------------------------===//

Variable ExponentialMovingAverage::average(const Variable &variable,
                                           std::source_location where) const {
  expectDefined(variable, where);
  const BodyPtr &body = variable.body();
  std::optional<Id> first = body->findVariable(variable.name())->initial;
  auto same = [&](const TensorType &, Tensor) { return Tensor(body, *first); };
  return slotOf(variable, "ema",
                first ? std::optional<Initializer>(Initializer(same))
                      : std::nullopt,
                where);
}

Updates ExponentialMovingAverage::update(const std::vector<Variable> &variables,
                                         std::source_location where) const {
  if (variables.empty())
    throw GraphError("expected at least one variable to average, found none",
                     where);
  if (!(options.decay >= 0 && options.decay < 1))
    throw GraphError("expected decay in [0, 1), found " +
                         std::to_string(options.decay),
                     where);
  for (const Variable &variable : variables)
    expectDefined(variable, where);
  const BodyPtr &body = variables.front().body();
  Scope scope(body, "", body->effectivePlace(where));
  std::map<DType, std::vector<Variable>> byType;
  for (const Variable &variable : variables)
    byType[variable.dtype()].push_back(variable);
  std::vector<Id> effects;
  for (const auto &[dtype, members] : byType) {
    std::vector<std::vector<std::string>> groups;
    std::vector<Id> inputs;
    for (const Variable &variable : members) {
      groups.push_back({average(variable, where).name()});
      inputs.push_back(variable.id());
    }
    std::vector<Id> made = updateWith(
        body, groups, inputs, where, [&](std::vector<Tensor> element) {
          return std::vector<Tensor>{options.decay * element[0] +
                                     (1 - options.decay) * element[1]};
        });
    effects.insert(effects.end(), made.begin(), made.end());
  }
  return effects.empty() ? Updates() : Updates(body, std::move(effects));
}
