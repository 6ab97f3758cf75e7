/// Data sets: sources of examples, and the stages that prepare, order and batch
/// them.
///
///   Dataset data =
///       Dataset::from(source).shuffle({.seed = 7}).batch({.size = 32});
///   Loader loader(data, {.threads = 2});
///   while (const Example *batch = loader.next()) ...
#ifndef TG_DATA_DATASET_HPP
#define TG_DATA_DATASET_HPP

#include "feature.hpp"
#include "random.hpp"
#include "source.hpp"

#include <functional>
#include <optional>

namespace tg::data {

class Node;

/// The features of a stage for one example. It may be called from several
/// threads at once and must depend on its arguments alone.
using MapFunction =
    std::function<std::vector<Feature>(const Example &example, Random &random)>;

struct MapOptions {
  /// The types of the results, if the function changes them.
  std::optional<ExampleType> type = {};
  uint64_t seed = 0;
  /// The number of stages that the function stands for. It makes the random
  /// choices of all but the first by Random::later().
  uint64_t stages = 1;
  /// A text about the function for Dataset::description().
  std::string description = {};
};

struct ShuffleOptions {
  uint64_t seed = 0;
  /// Permutes blocks of this many consecutive examples, or all examples if it
  /// is 0. A data set without random access needs a buffer, whose examples are
  /// in memory at once.
  uint64_t buffer = 0;
  /// True if each epoch has another order.
  bool reshuffles = true;
};

struct BatchOptions {
  uint64_t size = 32;
  /// Omits a last batch with fewer examples.
  bool dropsRemainder = false;
  /// Pads examples with zeros at the end of each dimension to the largest
  /// extents of the batch. Otherwise all examples of a batch have equal shapes.
  bool pads = false;
};

/// Buckets of examples of similar length.
struct BucketOptions {
  /// The feature whose first extent is the length, unless `length` computes it.
  std::string feature = {};
  std::function<uint64_t(const Example &example)> length = {};
  /// The ends of all buckets but the last one, in ascending order: an example
  /// lies in the first bucket whose end is above its length.
  std::vector<uint64_t> boundaries = {};
  /// The number of examples of a batch, for each bucket.
  std::vector<uint64_t> sizes = {};
  /// Pads examples with zeros to the largest extents of their batch.
  bool pads = true;
  /// Omits the batches with fewer examples at the end.
  bool dropsRemainder = false;
};

/// A sequence of examples, the same in each epoch except for random choices.
/// Copies share the data set, which is immutable.
///
/// A data set has random access if its source has, until a filter. It then
/// knows its size, and example i of an epoch is a function of i alone.
class Dataset {
public:
  static Dataset from(std::shared_ptr<const Source> source);
  static Dataset from(std::shared_ptr<const Stream> stream);
  /// Makes a data set of the rows of arrays with these names. Throws DataError
  /// if they differ in their number of rows.
  static Dataset fromArrays(std::vector<std::string> names,
                            std::vector<Feature> arrays);

  /// Joins the features of example i of all data sets, whose names differ. It
  /// ends with the shortest one.
  static Dataset zip(const std::vector<Dataset> &sets);
  /// Appends data sets of equal types.
  static Dataset concatenate(const std::vector<Dataset> &sets);
  /// Takes `block` examples of each data set in turn. Sets that have ended are
  /// left out.
  static Dataset interleave(const std::vector<Dataset> &sets,
                            uint64_t block = 1);
  /// Takes examples of several data sets at random with these weights, each in
  /// order, until the chosen one has ended.
  static Dataset mix(const std::vector<Dataset> &sets,
                     const std::vector<double> &weights, uint64_t seed = 0);

  /// Replaces the features of each example by the results of a function.
  Dataset map(MapFunction function, MapOptions options = {}) const;
  /// Keeps the examples for which a function returns true. The result has no
  /// random access.
  Dataset filter(std::function<bool(const Example &)> keeps) const;
  /// Orders the examples at random: by a permutation that is a function of the
  /// seed and the epoch.
  Dataset shuffle(const ShuffleOptions &options = {}) const;
  /// Joins examples along a new dimension 0.
  Dataset batch(const BatchOptions &options) const;
  /// Joins examples of similar length, in the order in which buckets become
  /// full; at the end, in the order of the buckets. The result has no random
  /// access. A position is that of the oldest example that waits in a bucket.
  Dataset bucketed(BucketOptions options) const;
  /// Keeps the examples of the first epoch in memory.
  Dataset cache() const;
  /// Returns the first `count` examples, or all others.
  Dataset take(uint64_t count) const;
  Dataset skip(uint64_t count) const;
  /// Returns examples index, index + count, index + 2 count ...
  Dataset shard(uint64_t count, uint64_t index) const;
  /// Repeats the data set, endlessly if `count` is 0. Each repetition is an
  /// epoch of its own for the random choices of earlier stages.
  Dataset repeat(uint64_t count = 0) const;

  /// Returns the data set before batch() or bucketed(), if that is its last
  /// stage, or only map() follows it.
  Dataset unbatched() const;

  const ExampleType &type() const;
  /// Returns the number of examples of an epoch, or none if it is unknown or
  /// endless.
  std::optional<uint64_t> size() const;
  /// Returns true if read() works.
  bool hasRandomAccess() const;
  /// Reads one example of an epoch. Throws DataError, also if the data set has
  /// no random access.
  Example read(uint64_t epoch, uint64_t index) const;
  /// Returns the places of the records that example `index` of an epoch
  /// consists of, without reading them: "a.tfrecord:17".
  std::vector<std::string> places(uint64_t epoch, uint64_t index) const;
  /// Returns a description of source and stages. Data sets with equal
  /// descriptions and files give equal examples; functions are described by
  /// MapOptions and their place in the sequence of stages alone.
  std::string description() const;

private:
  friend class Loader;
  explicit Dataset(std::shared_ptr<const Node> made);
  static std::vector<std::shared_ptr<const Node>>
  nodesOf(const std::vector<Dataset> &sets);

  std::shared_ptr<const Node> node;
};

} // namespace tg::data

#endif // TG_DATA_DATASET_HPP
