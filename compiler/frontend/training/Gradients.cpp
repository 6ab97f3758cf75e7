//===- Gradients.cpp - gradients, penalties, constraints ------------------===//
#include "compiler/frontend/eager/TapeList.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/training/Drops.h"
#include "tg/graph/device.h"
#include "tg/graph/eager.h"
#include "tg/graph/optimizer.h"
#include "tg/tensor/functional.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

/// Throws GraphError unless the loss is a scalar of floats.
static void expectScalar(const Operand &loss) {
  TensorType type = loss.tensor().type(loss.where());
  if (type.rank() != 0 || !isFloat(type.dtype))
    raise(std::string("expected a loss that is a scalar of floats, found ") +
              (isFloat(type.dtype) ? "" : "integers or booleans of shape ") +
              toString(type.shape),
          loss.tensor().body(), loss.where());
}

std::vector<Gradient> tg::gradients(Operand loss,
                                    const std::vector<Variable> &variables) {
  expectScalar(loss);
  const BodyPtr &body = loss.tensor().body();
  std::vector<std::string> names;
  for (const Variable &variable : variables) {
    expectDefined(variable, loss.where());
    names.push_back(variable.name());
  }
  std::vector<std::string> reached = body->parametersOf(loss.tensor().id());
  for (const Variable &variable : variables)
    if (!body->isEager() && variable.isTrainable() &&
        std::find(reached.begin(), reached.end(), variable.name()) ==
            reached.end())
      body->warn("no gradient reaches variable '" + variable.name() + "'",
                 loss.where());
  if (names.empty())
    names = std::move(reached);
  if (names.empty())
    raise("expected a loss that depends on trainable variables, found one that "
          "depends on none",
          body, loss.where());
  std::vector<Id> ids =
      take(body->gradient(loss.tensor().id(), {}, names, loss.where()));
  if (!body->isEager())
    Drops::of(body).addGradients(ids);
  std::vector<Gradient> result;
  for (size_t i = 0; i < ids.size(); ++i)
    result.push_back({variableOf(body, *body->findVariable(names[i])),
                      Tensor(body, ids[i])});
  return result;
}

std::vector<Tensor> tg::gradientsOf(Operand loss,
                                    const std::vector<Tensor> &tensors) {
  expectScalar(loss);
  const BodyPtr &body = loss.tensor().body();
  std::vector<Id> values;
  for (const Tensor &tensor : tensors) {
    expectDefined(tensor, loss.where());
    values.push_back(tensor.id());
  }
  std::vector<Id> ids =
      take(body->gradient(loss.tensor().id(), values, {}, loss.where()));
  if (!body->isEager())
    Drops::of(body).addGradients(ids);
  std::vector<Tensor> result;
  for (Id id : ids)
    result.emplace_back(body, id);
  return result;
}

Tensor tg::globalNorm(const std::vector<Gradient> &gradients,
                      std::source_location where) {
  std::vector<Operand> squares;
  for (const Gradient &gradient : gradients)
    if (gradient.value.isDefined())
      squares.emplace_back(reduceSum(square({gradient.value, where})), where);
  return sqrt({addN(squares, where), where});
}

std::vector<Gradient> tg::clipByGlobalNorm(std::vector<Gradient> gradients,
                                           Operand norm) {
  if (gradients.empty())
    throw GraphError("expected at least one gradient to clip, found none",
                     norm.where());
  if (norm.isNumber() && !(norm.number() > 0))
    raise("expected a norm above 0 to clip to, found " + textOf(norm.number()),
          gradients.front().variable.body(), norm.where());
  Tensor factor =
      norm / maximum({globalNorm(gradients, norm.where()), norm.where()}, norm);
  for (Gradient &gradient : gradients)
    if (gradient.value.isDefined())
      gradient.value = gradient.value * factor;
  return gradients;
}

//===----------------------------------------------------------------------===//
// Gradients for optimizers
//===----------------------------------------------------------------------===//

Updates BaseOptimizer::minimize(Operand loss,
                                const MinimizeOptions &options) const {
  Scope scope(loss);
  RecordingPause pause;
  const BodyPtr &body = loss.tensor().body();
  ColocateGradients colocation(Program::of(loss.tensor()),
                               options.colocateGradientsWithOps ||
                                   body->colocatesGradients);
  std::vector<Gradient> found = differentiate(loss, options.variables);
  if (options.clipByGlobalNorm)
    found = clipByGlobalNorm(std::move(found), *options.clipByGlobalNorm);
  return apply(found, loss.where());
}

Updates BaseOptimizer::minimize(const LossFunction &loss,
                                const MinimizeOptions &options,
                                std::source_location where) const {
  required(loss, "a function that gives the loss", where);
  GradientTape tape;
  return minimize({loss(), where}, options);
}

std::vector<Gradient>
BaseOptimizer::computeGradients(const LossFunction &loss,
                                const std::vector<Variable> &variables,
                                std::source_location where) const {
  required(loss, "a function that gives the loss", where);
  GradientTape tape;
  Tensor value = loss();
  RecordingPause pause;
  return differentiate({value, where}, variables);
}

std::vector<Gradient>
BaseOptimizer::differentiate(Operand loss,
                             const std::vector<Variable> &variables) const {
  return gradients(loss, variables);
}

std::vector<Gradient> tg::zip(const std::vector<Tensor> &gradients,
                              const std::vector<Variable> &variables,
                              std::source_location where) {
  if (gradients.size() != variables.size())
    throw GraphError("expected as many gradients as variables (" +
                         std::to_string(variables.size()) + "), found " +
                         std::to_string(gradients.size()),
                     where);
  std::vector<Gradient> pairs;
  for (size_t i = 0; i < gradients.size(); ++i)
    pairs.push_back({variables[i], gradients[i]});
  return pairs;
}

//===----------------------------------------------------------------------===//
// Penalties and constraints
//===----------------------------------------------------------------------===//

Tensor tg::l1Penalty(const std::vector<Variable> &variables, Operand rate) {
  std::vector<Operand> sums;
  for (const Variable &variable : variables)
    sums.emplace_back(l1({variable, rate.where()}), rate.where());
  return rate * addN(sums, rate.where());
}

Tensor tg::l2Penalty(const std::vector<Variable> &variables, Operand rate) {
  std::vector<Operand> sums;
  for (const Variable &variable : variables)
    sums.emplace_back(l2Loss({variable, rate.where()}), rate.where());
  return rate * addN(sums, rate.where());
}

Tensor tg::regularization(const std::vector<Variable> &variables,
                          std::source_location where) {
  std::vector<Operand> operands(variables.begin(), variables.end());
  BodyPtr body = bodyOf(operands, where);
  Scope scope(body, "", where);
  Tensor sum;
  for (const Variable &variable : variables) {
    const VariableInfo &info = *body->findVariable(variable.name());
    if (!info.spec.regularizer || !variable.isTrainable())
      continue;
    Tensor penalty = info.spec.regularizer(variable);
    expectDefined(penalty, where);
    body->addPenalty(variable.name(), penalty.id());
    sum = sum.isDefined() ? sum + penalty : penalty;
  }
  return sum.isDefined() ? sum : scalar(body, 0, f32, where);
}

/// Throws GraphError unless the number is at least 0.
static void expectNotNegative(const char *what, double number, Place where) {
  if (!(number >= 0))
    throw GraphError(std::string("expected ") + what +
                         " of at least 0, found " + textOf(number),
                     where);
}

Regularizer tg::l1Regularizer(double rate, Place where) {
  expectNotNegative("a rate of a regularizer", rate, where);
  return [rate](Tensor variable) { return rate * l1(variable); };
}

Regularizer tg::l2Regularizer(double rate, Place where) {
  expectNotNegative("a rate of a regularizer", rate, where);
  return [rate](Tensor variable) { return rate * l2Loss(variable); };
}

Constraint tg::nonNegative() {
  return [](Tensor value) { return relu(value); };
}

Constraint tg::maxNorm(double norm, int64_t axis, Place where) {
  expectNotNegative("a greatest norm", norm, where);
  return [=](Tensor value) {
    Tensor length = sqrt(reduceSum(value * value, {{axis}, true}));
    return value * (norm / maximum(length, norm));
  };
}

Constraint tg::unitNorm(int64_t axis) {
  return [=](Tensor value) { return l2Normalize(value, axis); };
}
