//===- Join.cpp - examples joined along a new dimension -------------------===//
#include "Join.h"

#include <algorithm>
#include <cstring>

using namespace tg::data;

bool tg::data::haveOneType(const Feature &a, const Feature &b) {
  return a.dtype().code == b.dtype().code && a.dtype().bits == b.dtype().bits;
}

void tg::data::failDiffering(const FeatureType &type, const Feature &part,
                             tg_dtype_t dtype,
                             const std::vector<int64_t> &shape) {
  throw DataError(
      "feature '" + type.name +
      "': expected examples of one type and shape in a batch, found " +
      FeatureType{"", dtype, shape}.text() + " and " +
      FeatureType{"", part.dtype(), part.shape()}.text());
}

namespace {

/// Joins the values of one feature, of any shapes.
class Joined {
public:
  Joined(const std::vector<Example> &joined, size_t feature,
         const FeatureType &featureType, bool padded)
      : examples(joined), index(feature), type(featureType), pads(padded),
        shape(partOf(0).shape()) {
    for (size_t i = 1; i < examples.size(); ++i)
      include(i);
  }

  Feature join(Buffers &buffers) const {
    std::vector<int64_t> extents = shape;
    extents.insert(extents.begin(), static_cast<int64_t>(examples.size()));
    Feature result = buffers.take(partOf(0).dtype(), std::move(extents));
    const size_t stride = result.byteCount() / examples.size();
    std::byte *to = result.data();
    for (size_t i = 0; i < examples.size(); ++i, to += stride) {
      const Feature &part = partOf(i);
      if (part.shape() == shape) {
        if (stride)
          std::memcpy(to, part.data(), stride);
        continue;
      }
      std::memset(to, 0, stride);
      if (part.size())
        copyPadded(part, to, part.data(), 0);
    }
    return result;
  }

private:
  const Feature &partOf(size_t example) const {
    return examples[example].features[index];
  }

  /// Extends the shape to that of one more example.
  void include(size_t example) {
    const Feature &part = partOf(example);
    if (!haveOneType(part, partOf(0)) || part.shape().size() != shape.size() ||
        (!pads && part.shape() != shape))
      failDiffering(type, part, partOf(0).dtype(), shape);
    for (size_t axis = 0; axis < shape.size(); ++axis)
      shape[axis] = std::max(shape[axis], part.shape()[axis]);
  }

  /// Copies the part of dimensions `axis` and higher. Returns the elements
  /// after it in both memories.
  struct Ends {
    std::byte *to;
    const std::byte *from;
  };
  Ends copyPadded(const Feature &part, std::byte *to, const std::byte *from,
                  size_t axis) const {
    const size_t element = part.dtype().bits / 8;
    if (axis == shape.size()) {
      std::memcpy(to, from, element);
      return {to + element, from + element};
    }
    size_t inner = element;
    for (size_t i = axis + 1; i < shape.size(); ++i)
      inner *= static_cast<size_t>(shape[i]);
    for (int64_t i = 0; i < part.shape()[axis]; ++i)
      from =
          copyPadded(part, to + inner * static_cast<size_t>(i), from, axis + 1)
              .from;
    return {to + inner * static_cast<size_t>(shape[axis]), from};
  }

  const std::vector<Example> &examples;
  size_t index;
  const FeatureType &type;
  bool pads;
  std::vector<int64_t> shape;
};

} // namespace

Example tg::data::joinExamples(const std::vector<Example> &examples,
                               const ExampleType &types, bool pads,
                               Buffers &buffers) {
  Example batch = examples.front();
  batch.features.clear();
  for (size_t i = 0; i < types.size(); ++i)
    batch.features.push_back(Joined(examples, i, types[i], pads).join(buffers));
  return batch;
}
