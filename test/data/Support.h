/// Data sets of numbers for tests.
#ifndef TG_TEST_DATA_SUPPORT_H
#define TG_TEST_DATA_SUPPORT_H

#include "tg/data/loader.hpp"

#include <numeric>

namespace tg::data {

inline constexpr tg_dtype_t i64 = {TG_DTYPE_INT, 64, 1};

/// Makes the numbers less than `count` as a data set with random access.
inline Dataset numbers(int64_t count, const std::string &name = "n") {
  Feature all(i64, {count});
  std::iota(all.values<int64_t>().begin(), all.values<int64_t>().end(), 0);
  return Dataset::fromArrays({name}, {all});
}

/// The same numbers, read in order.
class CountingStream : public Stream {
public:
  CountingStream(int64_t end, std::string name)
      : count(end), types{{std::move(name), i64, {}}} {}

  class Counter : public Reader {
  public:
    explicit Counter(int64_t limit) : end(limit) {}
    bool next(std::vector<Feature> &features) override {
      if (number == end)
        return false;
      Feature feature(i64, {});
      feature.values<int64_t>()[0] = number++;
      features = {feature};
      return true;
    }

  private:
    int64_t end, number = 0;
  };

  const ExampleType &type() const override { return types; }
  std::unique_ptr<Reader> open(uint64_t) const override {
    return std::make_unique<Counter>(count);
  }
  std::string place(uint64_t index) const override {
    return std::to_string(index);
  }

private:
  int64_t count;
  ExampleType types;
};

inline Dataset streamed(int64_t count, const std::string &name = "n") {
  return Dataset::from(std::make_shared<CountingStream>(count, name));
}

/// Returns the numbers of all features of an element.
inline std::vector<int64_t> numbersOf(const Example &element) {
  std::vector<int64_t> all;
  for (const Feature &feature : element.features)
    all.insert(all.end(), feature.values<int64_t>().begin(),
               feature.values<int64_t>().end());
  return all;
}

using Elements = std::vector<std::vector<int64_t>>;

/// Returns the elements of the next epoch of a loader.
inline Elements rest(Loader &loader) {
  Elements elements;
  while (const Example *element = loader.next())
    elements.push_back(numbersOf(*element));
  return elements;
}

/// Returns the elements of an epoch, read in the calling thread.
inline Elements epochOf(const Dataset &data, uint64_t epoch = 0) {
  Loader loader(data, {.threads = 0}, {epoch, {}});
  return rest(loader);
}

} // namespace tg::data

#endif // TG_TEST_DATA_SUPPORT_H
