/// Scans files for their records and looks up offsets.
#include "RecordIndex.h"

#include <algorithm>

using namespace tg::data;

namespace {

/// Reads headers in the order of a file. Short records are read together with
/// those that follow; the data of long records is not read.
class HeaderScan {
public:
  explicit HeaderScan(const RecordFile &file) : file(file) {}

  /// Returns the length of the record at `place`, which follows the last one.
  uint64_t lengthAt(const RecordPlace &place) {
    const uint64_t left = file.size() - place.byte;
    if (left < headerBytes)
      failHeader(left, place);
    if (place.byte + headerBytes > begin + filled)
      fill(place, std::min<uint64_t>(left, isShort ? shortWindow : longWindow));
    const uint64_t length =
        checkHeader(window.data() + (place.byte - begin), place);
    checkFits(length, left, place);
    isShort = length < shortWindow / 16;
    return length;
  }

private:
  static constexpr uint64_t shortWindow = 256 << 10, longWindow = 4 << 10;

  void fill(const RecordPlace &place, uint64_t bytes) {
    file.read(window.data(), bytes, place.byte, place);
    begin = place.byte;
    filled = bytes;
  }

  const RecordFile &file;
  std::vector<std::byte> window = std::vector<std::byte>(shortWindow);
  uint64_t begin = 0, filled = 0; // the part of the file in the window
  bool isShort = true;            // true if the last record was short
};

} // namespace

RecordIndex RecordIndex::scan(const RecordFile &file) {
  RecordIndex index;
  HeaderScan headers(file);
  for (RecordPlace place{file.path()}; place.byte < file.size();
       ++place.number) {
    const uint64_t length = headers.lengthAt(place);
    checkLimit(length, {.maxRecordBytes = maxLength}, place);
    index.lengths.push_back(static_cast<uint32_t>(length));
    place.byte += frameBytes + length;
  }
  index.lengths.shrink_to_fit();
  index.addOffsets();
  return index;
}

uint64_t RecordIndex::addOffsets() {
  offsets.reserve(lengths.size() / blockRecords + 1);
  uint64_t at = 0;
  for (uint64_t record = 0; record < lengths.size(); ++record) {
    if (record % blockRecords == 0)
      offsets.push_back(at);
    at += frameBytes + lengths[record];
  }
  return at;
}

uint64_t RecordIndex::offset(uint64_t record) const {
  uint64_t at = offsets[record / blockRecords];
  for (uint64_t i = record / blockRecords * blockRecords; i < record; ++i)
    at += frameBytes + lengths[i];
  return at;
}
