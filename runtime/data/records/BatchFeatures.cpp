//===- BatchFeatures.cpp - batches of features of records -----------------===//
#include "tg/data/batch_features.hpp"

#include <algorithm>

using namespace tg::data;

ExampleFeature tg::data::rawFeature(const std::string &name, tg_dtype_t dtype,
                                    const std::vector<int64_t> &shape) {
  return {name, ExampleKind::bytes, dtype, shape, /*isRaw=*/true};
}

/// Opens the examples of files in order.
static Dataset openExamples(const std::vector<std::string> &paths,
                            const std::vector<ExampleFeature> &features) {
  if (paths.empty())
    throw DataError("expected files of records, found none");
  const auto isPlain = [](const std::string &path) {
    return compressionOf(path) == Compression::none;
  };
  if (std::ranges::all_of(paths, isPlain))
    return Dataset::from(std::make_shared<ExampleSource>(paths, features));
  return Dataset::from(std::make_shared<ExampleStream>(paths, features));
}

Dataset tg::data::readBatchFeatures(const std::vector<std::string> &paths,
                                    const std::vector<ExampleFeature> &features,
                                    const BatchFeatureOptions &options) {
  Dataset data = openExamples(paths, features);
  const bool isStream = !data.hasRandomAccess();
  if (options.shuffles)
    data = data.shuffle({.seed = options.seed,
                         .buffer = options.buffer
                                       ? options.buffer
                                       : (isStream ? 10 * options.size : 0)});
  if (options.epochs != 1)
    data = data.repeat(options.epochs);
  return data.batch(
      {.size = options.size, .dropsRemainder = options.dropsRemainder});
}
