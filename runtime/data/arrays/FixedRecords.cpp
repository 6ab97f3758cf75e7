//===- FixedRecords.cpp - records of equal size in files ------------------===//
#include "FixedRecords.h"

#include "runtime/data/records/ByteReader.h"

#include <cstring>
#include <filesystem>

using namespace tg;
using namespace tg::data;

uint64_t tg::data::byteCount(const FeatureType &type) {
  return Feature(type.dtype, type.shape, nullptr, nullptr).byteCount();
}

std::string tg::data::stemOf(const std::string &path,
                             const std::string &ending) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string &end : {std::string(".gz"), ending})
    if (name.size() > end.size() && name.ends_with(end))
      name.resize(name.size() - end.size());
  return name;
}

std::vector<std::byte> tg::data::readContents(const std::string &path) {
  FileIdentity identity;
  openRegular(path, identity);
  const uint64_t limit = contentsLimit(identity.size);
  const std::unique_ptr<ByteInput> input = openBytes(path);
  std::vector<std::byte> contents;
  for (;;) {
    constexpr size_t part = 1 << 20;
    const size_t before = contents.size();
    contents.resize(before + part);
    const size_t count = input->read(contents.data() + before, part);
    contents.resize(before + count);
    if (!count)
      return contents;
    if (contents.size() > limit)
      throw DataError("expected at most " + std::to_string(limit) +
                      " bytes of contents, found more");
  }
}

static void swapBytes(Feature &feature) {
  const size_t size = feature.dtype().bits / 8;
  std::byte *next = feature.data();
  for (size_t i = 0; i < feature.size(); ++i, next += size)
    std::reverse(next, next + size);
}

namespace {
class FixedSource : public Source {
public:
  FixedSource(std::string file, FixedLayout arranged,
              std::shared_ptr<const std::vector<std::byte>> loaded)
      : path(std::move(file)), layout(std::move(arranged)),
        contents(std::move(loaded)) {
    if (!contents)
      descriptor = openRegular(path, identity);
    for (const FixedFeature &feature : layout.features)
      types.push_back(feature.type);
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override { return layout.count; }
  std::vector<Feature> read(uint64_t index) const override {
    std::vector<Feature> features;
    for (const FixedFeature &part : layout.features)
      features.push_back(readFeature(part, index));
    return features;
  }
  std::string place(uint64_t index) const override {
    return path + ":" + std::to_string(index);
  }
  std::string location(uint64_t index) const override {
    return path + ": record " + std::to_string(index) + " at byte " +
           std::to_string(layout.features.front().offset +
                          index * layout.features.front().stride);
  }

private:
  Feature readFeature(const FixedFeature &part, uint64_t index) const {
    const uint64_t offset = part.offset + index * part.stride;
    if (contents && !part.isBigEndian)
      return {part.type.dtype, part.type.shape, contents,
              contents->data() + offset};
    Feature feature(part.type.dtype, part.type.shape);
    if (contents)
      std::memcpy(feature.data(), contents->data() + offset,
                  feature.byteCount());
    else
      readFromFile(feature, offset, index);
    if (part.isBigEndian)
      swapBytes(feature);
    return feature;
  }

  void readFromFile(Feature &feature, uint64_t offset, uint64_t index) const {
    try {
      readBytes(descriptor, identity.size, feature.data(), feature.byteCount(),
                offset);
      expectUnchanged(descriptor, identity);
    } catch (const DataError &error) {
      throw DataError(location(index) + ": " + error.what());
    }
  }

  std::string path;
  FixedLayout layout;
  std::shared_ptr<const std::vector<std::byte>> contents; // or null
  FileIdentity identity;
  Descriptor descriptor;
  ExampleType types;
};
} // namespace

Dataset tg::data::openFixed(const std::string &path,
                            const FixedLayout &layout) {
  return openFixed(path, layout, nullptr);
}

Dataset
tg::data::openFixed(const std::string &path, const FixedLayout &layout,
                    std::shared_ptr<const std::vector<std::byte>> contents) {
  return Dataset::from(
      std::make_shared<FixedSource>(path, layout, std::move(contents)));
}
