/// Random access to the records of plain files.
#include "RecordIndex.h"

#include <algorithm>

using namespace tg::data;

namespace {
/// A file, its index, and the number of records before it.
struct IndexedFile {
  RecordFile file;
  RecordIndex index;
  uint64_t first;
};

/// The file and the number in it of a record.
struct Found {
  const IndexedFile &in;
  uint64_t record;

  RecordPlace place() const {
    return {in.file.path(), record, in.index.offset(record)};
  }
};
} // namespace

/// The number of files that stay open.
static constexpr size_t maxOpenFiles = 128;

class TFRecordSource::State {
public:
  State(const std::vector<std::string> &paths, const TFRecordOptions &options)
      : options(options) {
    files.reserve(paths.size());
    for (const std::string &path : paths)
      add(path, paths.size() > maxOpenFiles);
  }

  Found find(uint64_t index) const {
    if (index >= count)
      throw DataError("expected a record less than " + std::to_string(count) +
                      ", found " + std::to_string(index));
    auto next = std::upper_bound(
        files.begin(), files.end(), index,
        [](uint64_t at, const IndexedFile &file) { return at < file.first; });
    const IndexedFile &in = *std::prev(next);
    return {in, index - in.first};
  }

  TFRecordOptions options;
  std::vector<IndexedFile> files;
  uint64_t count = 0;

private:
  void add(const std::string &path, bool closes) {
    RecordFile file(path);
    if (closes)
      file.closeBetweenReads();
    std::optional<RecordIndex> index;
    if (options.keepsIndex)
      index = RecordIndex::load(file);
    if (!index) {
      index = RecordIndex::scan(file);
      if (options.keepsIndex)
        index->save(file);
    }
    files.push_back({std::move(file), std::move(*index), count});
    count += files.back().index.count();
  }
};

TFRecordSource::TFRecordSource(const std::vector<std::string> &paths,
                               const TFRecordOptions &options)
    : state(std::make_unique<State>(paths, options)) {}

TFRecordSource::~TFRecordSource() = default;

const ExampleType &TFRecordSource::type() const { return recordType(); }

uint64_t TFRecordSource::size() const { return state->count; }

std::vector<Feature> TFRecordSource::read(uint64_t index) const {
  const Found found = state->find(index);
  const RecordPlace place = found.place();
  const uint64_t length = found.in.index.length(found.record);
  checkLimit(length, state->options, place);
  // One read, directly into the memory of the feature.
  auto frame = std::make_shared_for_overwrite<std::byte[]>(frameBytes + length);
  found.in.file.read(frame.get(), frameBytes + length, place.byte, place);
  const uint64_t read = checkHeader(frame.get(), place);
  if (read != length)
    place.fail("expected the length " + std::to_string(length) +
               ", as when the file was opened, found " + std::to_string(read));
  const std::byte *data = frame.get() + headerBytes;
  checkData(crc32c(data, length), data + length, place);
  std::vector<Feature> features;
  features.push_back(recordFeature(std::move(frame), headerBytes, length));
  return features;
}

std::string TFRecordSource::place(uint64_t index) const {
  const Found found = state->find(index);
  return found.in.file.path() + ":" + std::to_string(found.record);
}

std::string TFRecordSource::location(uint64_t index) const {
  return state->find(index).place().text();
}

uint64_t TFRecordSource::offset(uint64_t index) const {
  return state->find(index).place().byte;
}
