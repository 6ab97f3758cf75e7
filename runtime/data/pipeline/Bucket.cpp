//===- Bucket.cpp - batches of examples of similar length -----------------===//
#include "Join.h"
#include "Node.h"

#include <algorithm>
#include <deque>

using namespace tg::data;

namespace {

/// Returns the type of a batch of any number of examples.
ExampleType batched(ExampleType type) {
  for (FeatureType &feature : type)
    feature.shape.insert(feature.shape.begin(), FeatureType::anyExtent);
  return type;
}

class BucketNode : public Stage {
public:
  BucketNode(NodePtr before, BucketOptions chosen)
      : Stage(before, batched(before->type())), options(std::move(chosen)) {
    const auto found = std::find_if(
        before->type().begin(), before->type().end(),
        [&](const FeatureType &type) { return type.name == options.feature; });
    feature = static_cast<size_t>(found - before->type().begin());
    if (!options.length && found == before->type().end())
      throw DataError("expected a feature or a function as the length, found "
                      "no feature '" +
                      options.feature + "'");
  }

  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    std::string text =
        "bucketed(" + (options.length ? "a function" : options.feature);
    for (uint64_t boundary : options.boundaries)
      text += ", less than " + std::to_string(boundary);
    for (uint64_t size : options.sizes)
      text += ", " + std::to_string(size);
    return after(text + (options.pads ? ", pads" : "") +
                 (options.dropsRemainder ? ", drops remainder" : "") + ")");
  }
  NodePtr unbatched() const override { return child; }

  size_t bucketCount() const { return options.sizes.size(); }
  uint64_t sizeOf(size_t bucket) const { return options.sizes[bucket]; }
  bool dropsRemainder() const { return options.dropsRemainder; }

  /// Returns the bucket of an example.
  size_t bucketOf(const Example &example) const {
    const auto above =
        std::upper_bound(options.boundaries.begin(), options.boundaries.end(),
                         lengthOf(example));
    return static_cast<size_t>(above - options.boundaries.begin());
  }
  Example join(const std::vector<Example> &examples) const {
    return joinExamples(examples, child->type(), options.pads, *buffers);
  }

private:
  uint64_t lengthOf(const Example &example) const {
    if (options.length)
      return options.length(example);
    const std::vector<int64_t> &shape = example.features[feature].shape();
    if (shape.empty())
      throw DataError("feature '" + options.feature +
                      "': expected a dimension as the length, found none");
    return static_cast<uint64_t>(shape.front());
  }

  BucketOptions options;
  size_t feature;
  std::shared_ptr<Buffers> buffers = std::make_shared<Buffers>();
};

/// Reads examples ahead on all threads, and joins those of a bucket that is
/// full, in the order in which buckets become full.
///
/// A position has the position of the oldest example that waits in a bucket,
/// the number of examples since, and how many of the last ones of each bucket
/// wait. They are read again.
class BucketCursor : public Cursor {
public:
  BucketCursor(std::shared_ptr<const BucketNode> stage, CursorPtr read,
               Workers &threads)
      : node(std::move(stage)), before(std::move(read)), workers(threads),
        buckets(node->bucketCount()) {
    before->save(after);
  }

  bool next(Deferred &work) override {
    while (!isDrained) {
      readAhead();
      if (window.empty())
        isDrained = true;
      else if (std::optional<size_t> full = takeFirst())
        return emit(*full, work);
    }
    return emitRest(work);
  }

  void save(Numbers &numbers) const override {
    // The oldest example that waits. Buckets keep the order of reading.
    const Waiting *oldest = nullptr;
    for (const Bucket &bucket : buckets)
      if (!bucket.empty() &&
          (!oldest || bucket.front().number < oldest->number))
        oldest = &bucket.front();
    numbers.push_back(oldest ? count - oldest->number : 0);
    for (const Bucket &bucket : buckets)
      numbers.push_back(bucket.size());
    const Numbers &begin = oldest ? oldest->position : after;
    numbers.insert(numbers.end(), begin.begin(), begin.end());
  }

  void restore(NumberReader &numbers) override {
    uint64_t again = numbers.next();
    std::vector<uint64_t> kept;
    for (size_t i = 0; i < buckets.size(); ++i)
      kept.push_back(numbers.next());
    before->restore(numbers);
    after.clear();
    before->save(after);
    for (; again; --again) {
      readAhead();
      if (window.empty())
        break;
      try {
        takeFirst();
      } catch (const DataError &) {
        // It was reported when it was read.
      }
      // The others were joined.
      for (size_t i = 0; i < buckets.size(); ++i)
        if (buckets[i].size() > kept[i])
          buckets[i].pop_front();
    }
    for (size_t i = 0; i < buckets.size(); ++i)
      if (buckets[i].size() != kept[i] || kept[i] >= node->sizeOf(i))
        throw DataError("expected a position of this data set, found " +
                        std::to_string(kept[i]) + " examples in bucket " +
                        std::to_string(i));
  }

private:
  /// An example that waits, its number in this pass, and the position before
  /// it.
  struct Waiting {
    Example example;
    uint64_t number;
    Numbers position;
  };
  using Bucket = std::deque<Waiting>;
  /// An example that is read, and the positions before and after it.
  struct Candidate {
    std::future<std::pair<Example, size_t>> result;
    Numbers position, after;
  };

  void readAhead() {
    const size_t limit = 1 + 2 * workers.threadCount();
    while (!isAtEnd && window.size() < limit) {
      Candidate added;
      before->save(added.position);
      Deferred read;
      isAtEnd = !before->next(read);
      if (isAtEnd)
        break;
      before->save(added.after);
      added.result = workers.submit<std::pair<Example, size_t>>(
          [node = node, read = std::move(read)] {
            Example example = read();
            const size_t bucket = node->bucketOf(example);
            return std::pair(std::move(example), bucket);
          });
      window.push_back(std::move(added));
    }
  }

  /// Puts the first example of the window into its bucket. Returns the bucket
  /// if it is full. Throws the error of the example.
  std::optional<size_t> takeFirst() {
    Candidate first = std::move(window.front());
    window.pop_front();
    after = std::move(first.after);
    const uint64_t number = count++;
    auto [example, bucket] = workers.get(first.result);
    buckets[bucket].push_back(
        {std::move(example), number, std::move(first.position)});
    if (buckets[bucket].size() < node->sizeOf(bucket))
      return std::nullopt;
    return bucket;
  }

  /// Returns the work that joins the examples of a bucket, which is empty
  /// afterwards.
  bool emit(size_t bucket, Deferred &work) {
    std::vector<Example> examples;
    for (Waiting &waiting : buckets[bucket])
      examples.push_back(std::move(waiting.example));
    buckets[bucket].clear();
    work = [node = node, examples = std::move(examples)] {
      return node->join(examples);
    };
    return true;
  }

  /// Returns the work for the first bucket with examples at the end.
  bool emitRest(Deferred &work) {
    if (node->dropsRemainder())
      return false;
    for (size_t i = 0; i < buckets.size(); ++i)
      if (!buckets[i].empty())
        return emit(i, work);
    return false;
  }

  std::shared_ptr<const BucketNode> node;
  CursorPtr before;
  Workers &workers;
  std::vector<Bucket> buckets;
  std::deque<Candidate> window;
  /// The number of examples that left the window, and the position after them.
  uint64_t count = 0;
  Numbers after;
  bool isAtEnd = false, isDrained = false;
};

CursorPtr BucketNode::open(uint64_t epoch, Workers &workers) const {
  return std::make_unique<BucketCursor>(
      std::static_pointer_cast<const BucketNode>(self()),
      child->open(epoch, workers), workers);
}

} // namespace

NodePtr tg::data::makeBucketed(NodePtr before, BucketOptions options) {
  if (options.sizes.size() != options.boundaries.size() + 1)
    throw DataError("expected a size for each bucket, one more than the " +
                    std::to_string(options.boundaries.size()) +
                    " boundaries, found " +
                    std::to_string(options.sizes.size()));
  if (!std::is_sorted(options.boundaries.begin(), options.boundaries.end(),
                      std::less_equal<uint64_t>()))
    throw DataError("expected boundaries in ascending order, found others");
  for (uint64_t size : options.sizes)
    if (!size)
      throw DataError("expected batches of at least 1 example, found 0");
  return std::make_shared<BucketNode>(std::move(before), std::move(options));
}
