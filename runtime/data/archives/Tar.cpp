//===- Tar.cpp - tar archives as data sets, and their writer --------------===//
#include "tg/data/tar.hpp"

#include "TarSource.h"
#include "runtime/data/Messages.h"
#include "runtime/data/arrays/Npy.h"
#include "runtime/data/records/ExampleFormat.h"

#include <algorithm>
#include <optional>

using namespace tg;
using namespace tg::data;

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

/// Reads the contents of an entry.
static std::shared_ptr<std::byte[]> readEntry(const TarEntry &entry,
                                              TarEntries &entries) {
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(entry.size);
  entries.read(entry, bytes.get());
  return bytes;
}

namespace {
/// Reads the examples of archives, plain and compressed ones.
class TarReader : public Stream::Reader {
public:
  TarReader(const std::vector<std::string> &all, const TarFeatures &decoded,
            const TarOptions &chosen)
      : paths(all), features(decoded), options(chosen) {}

  bool next(std::vector<Feature> &values) override {
    values.assign(features.size(), Feature());
    return nextExample([&](const std::vector<size_t> &users,
                           const TarEntry &entry, TarEntries &entries) {
      const std::shared_ptr<std::byte[]> bytes = readEntry(entry, entries);
      for (size_t index : users)
        values[index] = features.decode(index, bytes, entry.size);
    });
  }
  void skip(uint64_t count) override {
    const auto take = [](const std::vector<size_t> &, const TarEntry &,
                         TarEntries &) {};
    while (count-- > 0)
      try {
        if (!nextExample(take))
          return;
      } catch (const DataError &) {
        // It was reported when it was read.
      }
  }

private:
  bool nextExample(const TarExamples::Take &take) {
    for (;; examples.reset()) {
      if (!examples && file == paths.size())
        return false;
      if (!examples) {
        const std::string &path = paths[file++];
        namingFile(path, [&] { examples.emplace(path, features, options); });
      }
      if (examples->next(take))
        return true;
    }
  }

  const std::vector<std::string> paths;
  const TarFeatures features; // the stream may end before its readers
  const TarOptions options;
  size_t file = 0; // the next one
  std::optional<TarExamples> examples;
};

class TarStream : public Stream {
public:
  TarStream(const std::vector<std::string> &all, std::vector<TarFeature> listed,
            const TarOptions &chosen)
      : paths(all), features(std::move(listed)), options(chosen) {
    // Files that cannot be read are refused now.
    for (const std::string &path : paths) {
      FileIdentity identity;
      openRegular(path, identity);
    }
  }

  const ExampleType &type() const override { return features.type(); }
  std::unique_ptr<Reader> open(uint64_t) const override {
    return std::make_unique<TarReader>(paths, features, options);
  }
  std::string place(uint64_t index) const override {
    return (paths.size() == 1 ? paths[0] + ":" : "record ") +
           std::to_string(index);
  }
  std::string location(uint64_t index) const override {
    return (paths.size() == 1 ? paths[0] + ": record " : "record ") +
           std::to_string(index);
  }

private:
  const std::vector<std::string> paths;
  const TarFeatures features;
  const TarOptions options;
};
} // namespace

Dataset tg::data::openTar(const std::vector<std::string> &paths,
                          const std::vector<TarFeature> &features,
                          const TarOptions &options) {
  if (std::any_of(paths.begin(), paths.end(), isCompressedTar))
    return Dataset::from(std::make_shared<TarStream>(paths, features, options));
  return Dataset::from(std::make_shared<TarSource>(paths, features, options));
}

//===----------------------------------------------------------------------===//
// The features of an archive
//===----------------------------------------------------------------------===//

static constexpr const char *npyEnding = ".npy";

/// Describes the feature of an entry.
static TarFeature describeEntry(const TarEntry &entry, TarEntries &entries) {
  TarFeature feature;
  feature.name = entry.extension;
  if (!entry.extension.ends_with(npyEnding))
    return feature;
  const std::shared_ptr<std::byte[]> bytes = readEntry(entry, entries);
  npy::Front front;
  std::string reason;
  if (!npy::parseFront({reinterpret_cast<const char *>(bytes.get()),
                        static_cast<size_t>(entry.size)},
                       entry.size, front, reason))
    throw DataError("entry " + quoteName(entry.extension) + ": " + reason);
  feature.extensions = {entry.extension};
  feature.name.resize(feature.name.size() - std::strlen(npyEnding));
  feature.format = EntryFormat::numbers;
  feature.dtype = front.dtype;
  feature.shape = front.shape;
  return feature;
}

std::vector<TarFeature> tg::data::describeTar(const std::string &path,
                                              const TarOptions &options) {
  return namingFile(path, [&] {
    TarEntries entries(openBytes(path, isCompressedTar(path)));
    std::vector<TarFeature> features;
    std::string base;
    TarEntry entry;
    try {
      while (entries.next(entry, options.maxExampleBytes) &&
             (features.empty() || entry.base == base)) {
        base = entry.base;
        features.push_back(describeEntry(entry, entries));
      }
    } catch (const DataError &error) {
      RecordPlace{path, 0, entries.byte()}.fail(error.what());
    }
    if (features.empty())
      throw DataError("expected an entry such as 0001.jpg, found none");
    return features;
  });
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

class TarWriter::State {
public:
  explicit State(const std::string &path)
      : archive(path, isCompressedTar(path) ? prepareCompressed : prepare, 0) {}

  ArchiveWriter archive;

private:
  static void prepare(::archive *opened) {
    archive_write_set_format_ustar(opened);
  }
  static void prepareCompressed(::archive *opened) {
    prepare(opened);
    archive_write_add_filter_gzip(opened);
    archive_write_set_filter_option(opened, "gzip", "timestamp", nullptr);
  }
};

TarWriter::TarWriter(const std::string &path)
    : state(std::make_unique<State>(path)) {}

TarWriter::~TarWriter() = default;

void TarWriter::write(const std::string &name,
                      std::span<const std::byte> contents) {
  state->archive.add(name, {contents});
}

void TarWriter::close() { state->archive.close(); }

/// Returns the text of a single integer.
static std::string integerText(const Feature &feature) {
  std::string text;
  switch (TG_DTYPE_KEY(feature.dtype().code, feature.dtype().bits)) {
#define TG_WRITTEN(name, front, code, bits, host, ...)                         \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    text = std::to_string(feature.values<host>()[0]);                          \
    break;
    TG_DTYPES(TG_WRITTEN)
#undef TG_WRITTEN
  }
  return text;
}

void TarWriter::write(const std::string &base, const ExampleType &type,
                      const std::vector<Feature> &features) {
  for (size_t i = 0; i < features.size(); ++i) {
    const Feature &feature = features[i];
    const std::string name = base + "." + type[i].name;
    const bool isNumber = feature.dtype().code != TG_DTYPE_FLOAT &&
                          feature.size() == 1 && feature.shape().size() <= 1;
    const bool isBytes = feature.dtype().code == TG_DTYPE_UINT &&
                         feature.dtype().bits == 8 &&
                         feature.shape().size() == 1;
    if (isBytes) {
      write(name, feature.bytes());
    } else if (isNumber) {
      const std::string text = integerText(feature);
      write(name, std::as_bytes(std::span(text)));
    } else {
      const std::string header = npyHeader(feature);
      state->archive.add(name + npyEnding,
                         {std::as_bytes(std::span(header)), feature.bytes()});
    }
  }
}
