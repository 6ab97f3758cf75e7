//===- Arrays.cpp - data sets as arrays -----------------------------------===//
#include "tg/data/arrays.hpp"

#include "tg/data/loader.hpp"

#include <algorithm>

using namespace tg;
using namespace tg::data;

/// Returns an array of no examples of a type.
static Feature noExamples(const FeatureType &type) {
  std::vector<int64_t> shape = {0};
  for (int64_t extent : type.shape)
    shape.push_back(std::max<int64_t>(extent, 0));
  return {type.dtype, shape};
}

std::vector<NamedFeature> tg::data::readArrays(const Dataset &data) {
  const Dataset examples = data.unbatched();
  // One batch that ends with the epoch.
  Loader loader(examples.batch({.size = uint64_t(1) << 62}), {.threads = 0});
  const Example *all = loader.next();
  std::vector<NamedFeature> arrays;
  for (size_t i = 0; i < examples.type().size(); ++i) {
    const FeatureType &type = examples.type()[i];
    arrays.push_back({type.name, all ? all->features[i] : noExamples(type)});
  }
  return arrays;
}

Feature tg::data::readIdx(const std::string &path) {
  return readArrays(openIdx(path)).front().array;
}
