//===- MovingSummaries.cpp - moving averages of scalars -------------------===//
#include "compiler/frontend/summaries/TrainingSummaries.h"

#include "compiler/frontend/graph/Elements.h"

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

namespace {
/// The variables of a moving average, as TensorFlow's
/// assign_moving_average(zero_debias=True) names them.
struct MovingAverage {
  Variable average, biased, localStep;
};
} // namespace

/// Returns a scalar variable that starts at zero. In eager mode, where each
/// step builds it again, finds it.
static Variable scalarVariable(const BodyPtr &body, const std::string &name,
                               DType dtype, Place where) {
  VariableSpec spec{.name = name, .type = {dtype, {}}, .role = "statistic"};
  return findOrMake(body, spec, zeros(),
                    body->isEager() ? Reuse::automatic : Reuse::no, where);
}

static MovingAverage makeVariables(const BodyPtr &body,
                                   const SummaryTensor &scalar, DType dtype) {
  std::string name = "EMA/" + summaryName(scalar);
  if (!body->isEager())
    name = body->uniqueName(name);
  auto make = [&](const std::string &suffix) {
    return scalarVariable(body, name + suffix, dtype, scalar.where);
  };
  return {make(""), make("/biased"), make("/local_step")};
}

/// Makes the assignments of a step run with the updates of layers.
static void addUpdates(const BodyPtr &body, const Updates &updates) {
  const std::vector<Id> &effects = updates.effects();
  body->addLayerEffects(effects);
  for (std::vector<Id> *list :
       {&Collections::of(body).updates, &body->layerUpdates})
    list->insert(list->end(), effects.begin(), effects.end());
}

/// Assigns the average of this step and returns it.
static Tensor moveAverage(const SummaryTensor &scalar, double decay) {
  const BodyPtr &body = scalar.tensor.body();
  Place where = scalar.where;
  Tensor value = toStatistic({scalar.tensor, where});
  MovingAverage variables = makeVariables(body, scalar, value.dtype());
  Assignment step = assignAdd(variables.localStep, {1, where});
  Operand old(variables.biased, where);
  Assignment biased =
      assign(variables.biased, old + (value - old) * Operand(1 - decay, where));
  Tensor weight = Operand(1, where) - pow({decay, where}, step.value());
  Assignment average = assign(variables.average, biased.value() / weight);
  if (!body->isEager())
    addUpdates(body, step + biased + average);
  return average.value();
}

static void checkScalar(const SummaryTensor &scalar) {
  expectDefined(scalar.tensor, scalar.where);
  if (scalar.tensor.rank() != 0 || scalar.tensor.dtype() == boolean)
    raise("expected a scalar number for a moving average, found " +
              toString(scalar.tensor.dtype()) + " " +
              toString(scalar.tensor.shape()),
          scalar.tensor.body(), scalar.where);
}

std::vector<Tensor>
symbolic::addMovingSummary(const std::vector<SummaryTensor> &scalars,
                           const MovingSummaryOptions &options) {
  std::vector<Tensor> averages;
  for (const SummaryTensor &scalar : scalars) {
    checkScalar(scalar);
    const BodyPtr &body = scalar.tensor.body();
    if (!(options.decay >= 0 && options.decay < 1))
      raise("expected a decay of at least 0 and below 1, found " +
                textOf(options.decay),
            body, scalar.where);
    std::string name = summaryName(scalar);
    if (!isMainTower())
      continue;
    if (Scopes::of(body).current().reuse == Reuse::yes) {
      body->warn("no moving average of '" + name +
                     "' in a scope that reuses variables",
                 scalar.where);
      continue;
    }
    Scope scope(body, "", scalar.where);
    averages.push_back(moveAverage(scalar, options.decay));
    addSummary(body, {.kind = SummaryPart::Kind::scalar,
                      .tag = name + "-summary",
                      .tensors = {averages.back().id()},
                      .isOfTraining = true,
                      .where = scalar.where});
  }
  return averages;
}
