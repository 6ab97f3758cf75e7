/// Training of a graph in a session with one call: batches, validation and
/// early stopping.
///
///   Session session;
///   trainObject(session, {{x, images}, {y, labels}}, loss, error,
///               Adam({.learningRate = 0.001}), {.maxEpoch = 20});
#ifndef TG_GRAPH_TRAIN_OBJECT_H
#define TG_GRAPH_TRAIN_OBJECT_H

#include "optimizer.h"
#include "session.h"

#include <functional>

namespace tg {

/// The mean costs of an epoch.
struct EpochCosts {
  int64_t epoch = 0; // from 1
  double train = 0, valid = 0;
};

struct TrainObjectOptions {
  /// Training ends when the validation cost has not decreased by more than
  /// `percentDecrease`, a fraction, for more epochs than these, and after
  /// `maxEpoch` epochs.
  int64_t epochLookBack = 5;
  double percentDecrease = 0;
  int64_t maxEpoch = 100;
  /// The ratio of the examples for training and those for validation.
  std::pair<double, double> trainValidRatio = {5, 1};
  int64_t batchSize = 64;
  /// Draws the examples for validation at random. Otherwise they are the last
  /// ones.
  bool randomizesSplit = false;
  uint64_t seed = 0;
  /// Is called after each epoch.
  std::function<void(const EpochCosts &)> onEpoch = {};
};

/// A placeholder of the default graph with the array of all its examples.
struct FullFeed {
  Tensor placeholder;
  Array examples;
};

/// Trains the variables that a cost depends on, on the rows of arrays:
/// initializes all variables, minimizes the cost of each batch together with
/// the updates of GraphKeys::updateOps, and computes the mean costs of each
/// epoch, weighted by the numbers of examples. The cost of a batch is that
/// before its step. The session belongs to the default graph. Returns the costs
/// of all epochs. Throws GraphError, also for arrays that differ in their
/// number of rows, a part without examples, and options out of range.
std::vector<EpochCosts>
trainObject(Session &session, const std::vector<FullFeed> &feeds,
            const Tensor &trainCost, const Tensor &validCost,
            const BaseOptimizer &optimizer,
            const TrainObjectOptions &options = {},
            std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_TRAIN_OBJECT_H
