/// Batches of features of TFRecord files, in one call.
#ifndef TG_DATA_BATCH_FEATURES_HPP
#define TG_DATA_BATCH_FEATURES_HPP

#include "dataset.hpp"
#include "example.hpp"

namespace tg::data {

struct BatchFeatureOptions {
  /// The number of examples of a batch.
  uint64_t size = 32;
  bool dropsRemainder = false;
  /// Orders the examples at random: all of them, or those of a buffer if the
  /// files are compressed.
  bool shuffles = true;
  uint64_t seed = 0;
  /// The number of examples in the buffer; 0: ten batches.
  uint64_t buffer = 0;
  /// The number of epochs that an epoch of the result consists of; 0: endless.
  uint64_t epochs = 1;
};

/// Opens TFRecord files, all plain or all compressed, decodes their features,
/// and joins them to batches. A Loader reads them on threads:
///
///   Loader loader(readBatchFeatures({"a.tfrecord"},
///                                   {rawFeature("image", f32, {28, 28})},
///                                   {.size = 64, .epochs = 10}),
///                 {.threads = 4});
///
/// Throws DataError.
Dataset readBatchFeatures(const std::vector<std::string> &paths,
                          const std::vector<ExampleFeature> &features,
                          const BatchFeatureOptions &options = {});

/// Describes a feature whose elements are one byte string, as writeTFRecords()
/// writes the rows of arrays.
ExampleFeature rawFeature(const std::string &name, tg_dtype_t dtype,
                          const std::vector<int64_t> &shape);

} // namespace tg::data

#endif // TG_DATA_BATCH_FEATURES_HPP
