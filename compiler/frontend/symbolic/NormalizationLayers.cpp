//===- NormalizationLayers.cpp - symbolic normalization layers ------------===//
#include "compiler/frontend/symbolic/Fields.h"
#include "compiler/frontend/symbolic/LayerCall.h"
#include "compiler/frontend/symbolic/Layers.h"
#include "tg/nn/Normalization.h"

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

/// Throws GraphError for an input that is neither rows nor images.
static void expectRowsOrImages(const Tensor &input,
                               const Arguments &arguments) {
  if (input.rank() != 2 && input.rank() != 4)
    throw GraphError("expected an input of rank 2 or 4, found " +
                         toString(input.shape()),
                     arguments.where);
}

/// Returns the channel axis of rows or images.
static int64_t channelAxis(const Tensor &input,
                           const std::optional<DataFormat> &format) {
  return input.rank() == 4 && format == NCHW ? 1 : -1;
}

/// Returns the mode of a batch normalization in a tower. Only training steps of
/// the main tower update the moving averages.
static Mode chooseMode(LayerCall &call, const TowerContext &tower,
                       std::optional<bool> training, EmaUpdate update,
                       const Arguments &arguments) {
  bool trains = training.value_or(tower.isTraining());
  bool moves = trains && (tower.isMainTrainingTower() || !tower.isTraining());
  call.emaUpdate = moves ? update : EmaUpdate::skip;
  if (!trains && tower.isTraining())
    tower.program().body()->warn(
        "a batch normalization with training=false in a tower that trains: its "
        "averages do not move",
        arguments.where);
  return trains ? Mode::train : Mode::test;
}

LayerOutput symbolic::batchNorm(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<symbolic::BatchNormOptions>(arguments);
  expectRowsOrImages(input, arguments);
  const TowerContext &tower =
      towerFor("BatchNorm", input.body(), arguments.where);
  LayerCall call(input, arguments);
  Mode mode =
      chooseMode(call, tower, options.training,
                 options.emaUpdate.value_or(EmaUpdate::collection), arguments);
  if (options.virtualBatchSize && *options.virtualBatchSize < 1)
    throw GraphError("expected a virtual_batch_size of at least 1, found " +
                         std::to_string(*options.virtualBatchSize),
                     arguments.where);
  BatchNormalizationOptions layer{
      .axis = options.axis.value_or(channelAxis(input, options.dataFormat)),
      .momentum = options.momentum.value_or(0.9),
      .epsilon = options.epsilon.value_or(1e-5),
      .center = options.center.value_or(true),
      .scale = options.scale.value_or(true),
      .betaInitializer = options.betaInitializer.value_or(zeros()),
      .gammaInitializer = options.gammaInitializer.value_or(ones()),
      .virtualBatchSize = options.virtualBatchSize.value_or(0)};
  Tensor output =
      call.run(BatchNormalization(layer, arguments.where), input, mode);
  return {output, std::move(call.variables)};
}

LayerOutput symbolic::batchRenorm(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<symbolic::BatchRenormOptions>(arguments);
  expectRowsOrImages(input, arguments);
  const TowerContext &tower =
      towerFor("BatchRenorm", input.body(), arguments.where);
  LayerCall call(input, arguments);
  Mode mode = chooseMode(call, tower, {}, EmaUpdate::collection, arguments);
  tg::BatchRenormOptions layer{.rmax = arguments.get<double>("rmax"),
                               .dmax = arguments.get<double>("dmax"),
                               .axis = channelAxis(input, options.dataFormat),
                               .momentum = options.momentum.value_or(0.9),
                               .epsilon = options.epsilon.value_or(1e-5),
                               .center = options.center.value_or(true),
                               .scale = options.scale.value_or(true),
                               .gammaInitializer =
                                   options.gammaInitializer.value_or(ones())};
  Tensor output =
      call.run(tg::BatchRenorm(layer, arguments.where), input, mode);
  return {output, std::move(call.variables)};
}

/// Sets the options that normalizations of examples have in common.
static void setScale(auto &layer, const auto &options) {
  layer.epsilon = options.epsilon.value_or(1e-5);
  layer.center = options.center.value_or(true);
  layer.scale = options.scale.value_or(true);
  layer.gammaInitializer = options.gammaInitializer.value_or(ones());
}

/// Returns the data format of images, and NHWC for rows.
static DataFormat formatOf(const Tensor &input,
                           const std::optional<DataFormat> &format) {
  return input.rank() == 4 ? format.value_or(NHWC) : NHWC;
}

/// Layer normalization is group normalization with a single group.
LayerOutput symbolic::layerNorm(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<LayerNormOptions>(arguments);
  expectRowsOrImages(input, arguments);
  GroupNormalizationOptions layer{.groups = 1};
  setScale(layer, options);
  LayerCall call(input, arguments);
  Tensor output = call.run(GroupNormalization(layer, arguments.where), input,
                           formatOf(input, options.dataFormat));
  return {output, std::move(call.variables)};
}

LayerOutput symbolic::instanceNorm(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<InstanceNormOptions>(arguments);
  if (input.rank() != 4)
    throw GraphError("expected an input of rank 4, found " +
                         toString(input.shape()),
                     arguments.where);
  InstanceNormalizationOptions layer;
  setScale(layer, options);
  LayerCall call(input, arguments);
  Tensor output = call.run(InstanceNormalization(layer, arguments.where), input,
                           options.dataFormat.value_or(NHWC));
  return {output, std::move(call.variables)};
}

LayerOutput symbolic::bnRelu(Tensor input, const Arguments &arguments) {
  return relu(BatchNorm("bn", Operand(input, arguments.where)));
}
