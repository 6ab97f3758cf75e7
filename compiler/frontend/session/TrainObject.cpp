//===- TrainObject.cpp - training of a graph in a session -----------------===//
#include "tg/graph/train_object.h"

#include "compiler/frontend/graph/DatasetElements.h"
#include "tg/data/loader.hpp"
#include "tg/training/early_stopper.hpp"
#include "tg/training/split.hpp"

using namespace tg;

namespace {

/// The examples of a training, as batches of feeds.
class Examples {
public:
  Examples(const std::vector<FullFeed> &given,
           const TrainObjectOptions &options, std::source_location place)
      : feeds(given), where(place) {
    std::vector<std::string> names;
    std::vector<data::Feature> arrays;
    for (const FullFeed &feed : feeds) {
      if (!feed.examples.isDefined() || !feed.examples.rank())
        throw GraphError("expected arrays with a row for each example, found "
                         "one without rows",
                         where);
      names.push_back(std::to_string(names.size()));
      arrays.push_back(dsl::featureOf(feed.examples));
    }
    const auto [train, valid] = options.trainValidRatio;
    parts = splitDataset(data::Dataset::fromArrays(names, arrays),
                         {.ratio = {train, valid},
                          .randomizes = options.randomizesSplit,
                          .seed = options.seed});
    for (data::Dataset &part : parts) {
      if (part.size() == 0u)
        throw GraphError("expected examples for training and for validation, "
                         "found none for one of them",
                         where);
      part = part.batch({.size = static_cast<uint64_t>(options.batchSize)});
    }
  }

  /// Calls a function, which returns a cost, with the feeds of each batch of a
  /// part. Returns the mean, weighted by the numbers of examples.
  template <typename Function>
  double meanOf(size_t part, Function costOf) const {
    data::Loader loader(parts[part]);
    double sum = 0, count = 0;
    while (const data::Example *batch = loader.next()) {
      std::vector<Feed> fed;
      for (size_t i = 0; i < feeds.size(); ++i)
        fed.emplace_back(feeds[i].placeholder,
                         dsl::arrayOf(batch->features[i], where), where);
      const auto rows =
          static_cast<double>(batch->features.front().shape().front());
      sum += rows * costOf(fed);
      count += rows;
    }
    return sum / count;
  }

private:
  const std::vector<FullFeed> &feeds;
  std::source_location where;
  std::vector<data::Dataset> parts; // for training, for validation
};

} // namespace

static void expectOptions(const std::vector<FullFeed> &feeds,
                          const TrainObjectOptions &options,
                          std::source_location where) {
  if (feeds.empty())
    throw GraphError("expected an array of examples or more, found none",
                     where);
  if (options.epochLookBack < 0 || options.maxEpoch < 1)
    throw GraphError("expected to look back 0 epochs or more in 1 or more, "
                     "found " +
                         std::to_string(options.epochLookBack) + " in " +
                         std::to_string(options.maxEpoch),
                     where);
  if (options.batchSize < 1)
    throw GraphError("expected batches of 1 or more, found " +
                         std::to_string(options.batchSize),
                     where);
}

static std::vector<EpochCosts>
train(Session &session, const std::vector<FullFeed> &feeds,
      const Tensor &trainCost, const Tensor &validCost,
      const BaseOptimizer &optimizer, const TrainObjectOptions &options,
      std::source_location where) {
  EarlyStopper stopper({.maxEpoch = options.maxEpoch,
                        .patience = options.epochLookBack + 1,
                        .minDecrease = options.percentDecrease});
  const Examples examples(feeds, options, where);
  const Updates step = optimizer.minimize(Operand(trainCost, where));
  std::vector<Fetch> fetches = {Fetch(trainCost, where), Fetch(step, where)};
  for (const Tensor &update : collection(GraphKeys::updateOps))
    fetches.emplace_back(update, where);
  session.run(globalVariablesInitializer(where), {}, where);
  std::vector<EpochCosts> epochs;
  while (stopper.goesOn()) {
    EpochCosts costs;
    costs.epoch = static_cast<int64_t>(epochs.size()) + 1;
    costs.train = examples.meanOf(0, [&](const std::vector<Feed> &fed) {
      return session.run(fetches, fed, where).front().scalar();
    });
    costs.valid = examples.meanOf(1, [&](const std::vector<Feed> &fed) {
      return session.run(validCost, fed, where).scalar();
    });
    epochs.push_back(costs);
    if (options.onEpoch)
      options.onEpoch(costs);
    stopper.continueLearning(costs.valid);
  }
  return epochs;
}

std::vector<EpochCosts>
tg::trainObject(Session &session, const std::vector<FullFeed> &feeds,
                const Tensor &trainCost, const Tensor &validCost,
                const BaseOptimizer &optimizer,
                const TrainObjectOptions &options, std::source_location where) {
  expectOptions(feeds, options, where);
  try {
    return train(session, feeds, trainCost, validCost, optimizer, options,
                 where);
  } catch (const data::DataError &error) {
    throw GraphError(error.what(), where);
  } catch (const std::invalid_argument &error) {
    throw GraphError(error.what(), where);
  }
}
