/// Reads the records of plain and compressed files in order.
#include "FilesReader.h"

#include <algorithm>

using namespace tg::data;

namespace {

/// Memory that grows with what is read, so that a length alone allocates
/// little.
class GrowingMemory {
public:
  /// Prepares for `length` bytes.
  explicit GrowingMemory(uint64_t length)
      : length(length), capacity(std::min<uint64_t>(length, firstBytes)),
        memory(std::make_shared_for_overwrite<std::byte[]>(capacity)) {}

  void append(const std::byte *bytes, size_t count) {
    if (count > capacity - filled)
      grow(filled + count);
    std::memcpy(memory.get() + filled, bytes, count);
    filled += count;
  }
  std::shared_ptr<std::byte[]> take() { return std::move(memory); }

private:
  static constexpr uint64_t firstBytes = 1 << 20;

  void grow(uint64_t needed) {
    capacity = std::min(length, std::max(needed, 2 * capacity));
    auto larger = std::make_shared_for_overwrite<std::byte[]>(capacity);
    std::memcpy(larger.get(), memory.get(), filled);
    memory = std::move(larger);
  }

  uint64_t length, capacity, filled = 0;
  std::shared_ptr<std::byte[]> memory;
};

} // namespace

bool FilesReader::next(std::vector<Feature> &features) {
  if (!nextHeader())
    return false;
  checkLimit(reader->length(), options, reader->place());
  GrowingMemory memory(reader->length());
  reader->readData([&](const std::byte *bytes, size_t count) {
    memory.append(bytes, count);
  });
  features.clear();
  features.push_back(recordFeature(memory.take(), 0, reader->length()));
  return true;
}

void FilesReader::skip(uint64_t count) {
  for (; count && nextHeader(); --count)
    reader->skipData();
}

bool FilesReader::nextHeader() {
  for (;; reader.reset()) {
    if (!reader && file == paths.size())
      return false;
    if (!reader) {
      const std::string &path = paths[file++];
      if (!identities.empty())
        expectUnchanged(path, identities[file - 1]);
      reader.emplace(path, openBytes(path));
    }
    if (reader->nextHeader())
      return true;
  }
}

TFRecordStream::TFRecordStream(std::vector<std::string> paths,
                               const TFRecordOptions &options)
    : paths(std::move(paths)), options(options) {}

const ExampleType &TFRecordStream::type() const { return recordType(); }

std::unique_ptr<Stream::Reader> TFRecordStream::open(uint64_t epoch) const {
  return std::make_unique<FilesReader>(paths, options);
}

std::string TFRecordStream::place(uint64_t index) const {
  if (paths.size() == 1)
    return paths[0] + ":" + std::to_string(index);
  return "record " + std::to_string(index);
}

std::string TFRecordStream::location(uint64_t index) const {
  return (paths.size() == 1 ? paths[0] + ": " : "") + "record " +
         std::to_string(index);
}

uint64_t tg::data::verifyTFRecords(const std::string &path) {
  ByteReader reader(path, openBytes(path));
  while (reader.nextHeader())
    reader.readData([](const std::byte *, size_t) {});
  return reader.place().number;
}
