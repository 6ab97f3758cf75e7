/// Decoded records of files as sources of examples.
#include "FilesReader.h"

#include "tg/data/example.hpp"

using namespace tg::data;

ExampleSource::ExampleSource(const std::vector<std::string> &paths,
                             std::vector<ExampleFeature> features,
                             const TFRecordOptions &options)
    : parser(std::move(features)), records(paths, options) {}

std::vector<Feature> ExampleSource::read(uint64_t index) const {
  const std::vector<Feature> record = records.read(index);
  try {
    return parser.parse(record[0]);
  } catch (const DataError &error) {
    throw DataError(records.location(index) + ": " + error.what());
  }
}

ExampleStream::ExampleStream(std::vector<std::string> paths,
                             std::vector<ExampleFeature> features,
                             const TFRecordOptions &options)
    : parser(std::move(features)), paths(std::move(paths)), options(options),
      identities(std::make_shared<std::vector<FileIdentity>>()) {
  for (const std::string &path : this->paths)
    openRegular(path, identities->emplace_back());
}

std::string ExampleStream::place(uint64_t index) const {
  return TFRecordStream(paths, options).place(index);
}

std::string ExampleStream::location(uint64_t index) const {
  return TFRecordStream(paths, options).location(index);
}

namespace {
/// Decodes each record of a pass.
class ExampleReader : public Stream::Reader {
public:
  ExampleReader(const ExampleParser &parser,
                const std::vector<std::string> &paths,
                const TFRecordOptions &options,
                const std::vector<FileIdentity> &identities)
      : parser(parser), records(paths, options, identities) {}

  bool next(std::vector<Feature> &features) override {
    if (!records.next(record))
      return false;
    try {
      features = parser.parse(record[0]);
    } catch (const DataError &error) {
      throw DataError(records.location() + ": " + error.what());
    }
    return true;
  }
  void skip(uint64_t count) override { records.skip(count); }

private:
  const ExampleParser parser; // the stream may end before its readers
  FilesReader records;
  std::vector<Feature> record;
};
} // namespace

std::unique_ptr<Stream::Reader> ExampleStream::open(uint64_t epoch) const {
  return std::make_unique<ExampleReader>(parser, paths, options, *identities);
}
