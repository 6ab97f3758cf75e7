//===- Map.cpp - functions of examples ------------------------------------===//
#include "Node.h"

#include <deque>

using namespace tg::data;

namespace {

/// Checks the results of a function against the declared types.
void expectType(const std::vector<Feature> &features, const ExampleType &type) {
  if (features.size() != type.size())
    throw DataError("expected a function that returns " +
                    std::to_string(type.size()) + " features, found " +
                    std::to_string(features.size()));
  for (size_t i = 0; i < type.size(); ++i) {
    const Feature &feature = features[i];
    const FeatureType found{type[i].name, feature.dtype(), feature.shape()};
    bool fits = feature.isDefined() &&
                feature.dtype().code == type[i].dtype.code &&
                feature.dtype().bits == type[i].dtype.bits &&
                found.shape.size() == type[i].shape.size();
    for (size_t axis = 0; fits && axis < found.shape.size(); ++axis)
      fits = type[i].shape[axis] == FeatureType::anyExtent ||
             type[i].shape[axis] == found.shape[axis];
    if (!fits)
      throw DataError("feature '" + type[i].name + "': expected " +
                      type[i].text() + ", found " +
                      (feature.isDefined() ? found.text() : "none"));
  }
}

class MapNode : public Stage {
public:
  MapNode(NodePtr before, MapFunction applied, MapOptions options)
      : Stage(before, options.type ? *options.type : before->type(),
              options.stages),
        function(std::move(applied)), seed(options.seed),
        text(std::move(options.description)) {}

  std::optional<uint64_t> size() const override { return child->size(); }
  Example read(uint64_t epoch, uint64_t index) const override {
    return apply(child->read(epoch, index));
  }
  std::vector<std::string> places(uint64_t epoch,
                                  uint64_t index) const override {
    return child->places(epoch, index);
  }
  CursorPtr open(uint64_t epoch, Workers &workers) const override;
  std::string description() const override {
    std::string types;
    for (const FeatureType &feature : type())
      types += ", " + feature.name + " " + feature.text();
    return after("map(seed " + std::to_string(seed) + types +
                 (text.empty() ? "" : ", ") + text + ")");
  }

  NodePtr unbatched() const override {
    NodePtr below = child->unbatched();
    return below == child ? self() : below;
  }

  Example apply(Example example) const {
    Random random(seed, example.epoch, example.id, child->depth() + 1);
    try {
      std::vector<Feature> features = function(example, random);
      expectType(features, type());
      example.features = std::move(features);
    } catch (const DataError &error) {
      if (!example.source)
        throw;
      throw DataError(example.source->location(example.record) + ": " +
                      error.what());
    }
    return example;
  }

private:
  MapFunction function;
  uint64_t seed;
  std::string text;
};

class MapCursor : public Cursor {
public:
  MapCursor(std::shared_ptr<const MapNode> applied, CursorPtr read)
      : node(std::move(applied)), before(std::move(read)) {}

  bool next(Deferred &work) override {
    Deferred read;
    if (!before->next(read))
      return false;
    work = [node = node, read = std::move(read)] {
      return node->apply(read());
    };
    return true;
  }
  void save(Numbers &numbers) const override { before->save(numbers); }
  void restore(NumberReader &numbers) override { before->restore(numbers); }

private:
  std::shared_ptr<const MapNode> node;
  CursorPtr before;
};

CursorPtr MapNode::open(uint64_t epoch, Workers &workers) const {
  if (hasRandomAccess())
    return Node::open(epoch, workers);
  return std::make_unique<MapCursor>(
      std::static_pointer_cast<const MapNode>(self()),
      child->open(epoch, workers));
}

using Predicate = std::function<bool(const Example &)>;

/// Evaluates examples ahead on all threads, and keeps their order.
class FilterCursor : public Cursor {
public:
  FilterCursor(Predicate condition, CursorPtr read, Workers &threads)
      : keeps(std::move(condition)), before(std::move(read)), workers(threads) {
  }

  bool next(Deferred &work) override {
    for (;;) {
      readAhead();
      if (window.empty())
        return false;
      Candidate first = std::move(window.front());
      window.pop_front();
      position = std::move(first.position);
      std::optional<Example> example = workers.get(first.result);
      if (!example)
        continue;
      work = [example = std::move(*example)] { return example; };
      return true;
    }
  }
  void save(Numbers &numbers) const override {
    if (position.empty())
      return before->save(numbers); // nothing was read yet
    numbers.insert(numbers.end(), position.begin(), position.end());
  }
  void restore(NumberReader &numbers) override { before->restore(numbers); }

private:
  struct Candidate {
    std::future<std::optional<Example>> result;
    Numbers position;
  };

  void readAhead() {
    const size_t limit = 1 + 2 * workers.threadCount();
    Deferred read;
    while (!isAtEnd && window.size() < limit) {
      isAtEnd = !before->next(read);
      if (isAtEnd)
        break;
      Candidate &added = window.emplace_back();
      before->save(added.position);
      added.result = workers.submit<std::optional<Example>>(
          [keeps = keeps, read = std::move(read)]() -> std::optional<Example> {
            Example example = read();
            if (!keeps(example))
              return std::nullopt;
            return example;
          });
    }
  }

  Predicate keeps;
  CursorPtr before;
  Workers &workers;
  std::deque<Candidate> window;
  Numbers position; // after the last candidate that left the window
  bool isAtEnd = false;
};

class FilterNode : public Stage {
public:
  FilterNode(NodePtr before, Predicate condition)
      : Stage(before), keeps(std::move(condition)) {}

  CursorPtr open(uint64_t epoch, Workers &workers) const override {
    return std::make_unique<FilterCursor>(keeps, child->open(epoch, workers),
                                          workers);
  }
  std::string description() const override { return after("filter"); }

private:
  Predicate keeps;
};

} // namespace

NodePtr tg::data::makeMap(NodePtr before, MapFunction function,
                          MapOptions options) {
  if (!function)
    throw DataError("expected a function of examples, found none");
  return std::make_shared<MapNode>(std::move(before), std::move(function),
                                   std::move(options));
}

NodePtr tg::data::makeFilter(NodePtr before, Predicate keeps) {
  if (!keeps)
    throw DataError("expected a condition of examples, found none");
  return std::make_shared<FilterNode>(std::move(before), std::move(keeps));
}
