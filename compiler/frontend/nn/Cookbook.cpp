//===- Cookbook.cpp - small functions of graph cookbooks ------------------===//
#include "tg/nn/cookbook.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/variable_scope.h"
#include "tg/tensor/reductions.h"
#include "tg/tensor/shapes.h"

#include <limits>
#include <numeric>

using namespace tg;
using namespace tg::dsl;

Tensor tg::logProbFromLogits(Operand logits, int64_t axis) {
  return logSoftmax(logits, axis);
}

Tensor tg::entropy(Operand logits, int64_t axis) {
  Scope scope(logits);
  Tensor logs = logSoftmax(logits, axis);
  return -reduceSum(exp(logs) * logs, {{resolveAxis(logits, axis)}});
}

Tensor tg::batchGather(Operand tensor, Operand indices) {
  Scope scope(tensor);
  const Tensor &list = indices.tensor();
  if (tensor.tensor().rank() < 2 || list.rank() != 2)
    raise("expected a tensor [n, k, ...] and indices [n, m], found " +
              toString(tensor.tensor().shape()) + " and " +
              toString(list.shape()),
          tensor.tensor().body(), tensor.where());
  Tensor rows = cast(indices, i64);
  Tensor offsets = iotaLike(rows, 0) * extentsOf(tensor)[1];
  return gather(flatten(tensor, 0, 1), rows + offsets);
}

Tensor tg::gaussianKl(const Gaussian &q, const Gaussian &p) {
  const Operand &mean = q.mean, &logVariance = q.logVariance;
  Scope scope(logVariance);
  Tensor priorLogVariance = zerosLike(logVariance) + p.logVariance;
  Tensor distance =
      square(zerosLike(logVariance) + mean - p.mean) / exp(priorLogVariance);
  Tensor ratio = logVariance.tensor() - priorLogVariance;
  return 0.5 * reduceSum(exp(ratio) - ratio + distance - 1.0, {{-1}});
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Builds a dense layer with its variables in the open scope.
static Tensor denseHere(const Tensor &input, int64_t units,
                        const DenseOptions &options, Place where) {
  expectDefined(input, where);
  if (input.rank() < 1 || units < 1)
    raise("expected an input of rank 1 or more and at least one unit, found " +
              toString(input.shape()) + " and " + std::to_string(units),
          input.body(), where);
  Program program = Program::of(input, where);
  Variable kernel = getVariable(
      program, "kernel", {input.dim(-1, where), units},
      {.dtype = input.dtype(), .initializer = options.weightInitializer},
      where);
  Tensor output = tensordot({input, where}, kernel, {input.rank() - 1}, {0});
  if (options.useBias)
    output +=
        getVariable(program, "bias", {units},
                    {.dtype = input.dtype(), .initializer = zeros()}, where);
  return options.activation ? options.activation(output) : output;
}

Tensor tg::dense(const Tensor &input, int64_t units,
                 const DenseOptions &options, std::source_location where) {
  expectDefined(input, where);
  VariableScope scope(Program::of(input, where), options.name,
                      {.defaultName = "dense"}, where);
  return denseHere(input, units, options, where);
}

/// Builds a dense layer without bias in a scope of the given name.
static Tensor project(const Tensor &input, const char *name, int64_t units,
                      Place where) {
  VariableScope scope(Program::of(input, where), name, {}, where);
  return denseHere(input, units, {.useBias = false}, where);
}

Tensor tg::squeezeAndExcite(const Tensor &input,
                            const SqueezeAndExciteOptions &options,
                            std::source_location where) {
  expectDefined(input, where);
  Program program = Program::of(input, where);
  int64_t channels = input.rank() < 3 ? 0 : input.dim(-1, where);
  if (options.ratio < 1 || channels < options.ratio)
    raise("expected an input [n, ..., c] and a ratio of at most c, found " +
              toString(input.shape()) + " and " + std::to_string(options.ratio),
          input.body(), where);
  VariableScope scope(program, options.name,
                      {.defaultName = "squeeze_and_excite"}, where);
  std::vector<int64_t> positions(static_cast<size_t>(input.rank() - 2));
  std::iota(positions.begin(), positions.end(), 1);
  Tensor mean = reduceMean({input, where}, {positions, true});
  Tensor squeezed =
      relu(project(mean, "dense", channels / options.ratio, where));
  return Operand(input, where) *
         sigmoid(project(squeezed, "dense_1", channels, where));
}

/// Updates a moving average: immediately in eager mode, otherwise when the
/// collection update_ops is run.
static void moveAverage(Program &program, const Variable &average,
                        const Tensor &batch, double momentum) {
  Assignment moved =
      assign(average, average * momentum + batch * (1 - momentum));
  if (!program.isEager())
    program.addToCollection("update_ops", moved.value());
}

Tensor tg::batchNormalization(const Tensor &input,
                              const CookbookNormalizationOptions &options,
                              std::source_location where) {
  expectDefined(input, where);
  if (input.rank() < 2)
    raise("expected an input of rank 2 or more, found " +
              toString(input.shape()),
          input.body(), where);
  Program program = Program::of(input, where);
  VariableScope scope(program, options.name,
                      {.defaultName = "batch_normalization"}, where);
  auto channels = [&](const char *name, const Initializer &first,
                      bool trainable) {
    return getVariable(program, name, {input.dim(-1, where)},
                       {input.dtype(), first, {.trainable = trainable}}, where);
  };
  Variable beta = channels("beta", zeros(), true);
  Variable gamma = channels("gamma", ones(), true);
  Variable mean = channels("avg_mean", zeros(), false);
  Variable variance = channels("avg_variance", ones(), false);
  Moments used = {mean, variance};
  if (options.training) {
    std::vector<int64_t> axes(static_cast<size_t>(input.rank() - 1));
    std::iota(axes.begin(), axes.end(), 0);
    used = moments({input, where}, {axes});
    Tensor batchVariance = used.variance;
    if (options.fused) {
      Tensor count = elementCount({input, where}, axes, input.dtype());
      batchVariance *= count / maximum(count - 1.0, 1.0);
    }
    moveAverage(program, mean, used.mean, options.momentum);
    moveAverage(program, variance, batchVariance, options.momentum);
  }
  return batchNorm({input, where}, used, gamma, beta,
                   {.epsilon = options.epsilon});
}

Tensor tg::merge(const std::vector<Tensor> &tensors, int64_t units,
                 const MergeOptions &options, std::source_location where) {
  BodyPtr body =
      bodyOf(std::vector<Operand>(tensors.begin(), tensors.end()), where);
  Program program = Program::of(tensors.front(), where);
  VariableScope scope(program, options.name, {.defaultName = "merge"}, where);
  Tensor sum;
  for (size_t i = 0; i < tensors.size(); ++i) {
    VariableScope inner(program, "proj_" + std::to_string(i), {}, where);
    Tensor product = denseHere(tensors[i], units, {}, where);
    sum = i == 0 ? product : sum + product;
  }
  return options.activation(sum);
}
