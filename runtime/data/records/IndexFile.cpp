/// Saves indices beside their files and loads them.
#include "RecordIndex.h"

#include "runtime/files/AtomicFile.h"

using namespace tg;
using namespace tg::data;

namespace {
/// The begin of an index file. The lengths follow as u32, then the CRC-32C of
/// everything before it.
struct IndexHeader {
  char magic[8];
  FileIdentity file;
  uint64_t count;
};
static_assert(sizeof(IndexHeader) == 48);
} // namespace

static constexpr char magic[9] = "TGINDEX1";

static std::string indexPath(const RecordFile &file) {
  return file.path() + ".tgindex";
}

static IndexHeader makeHeader(const RecordFile &file, uint64_t count) {
  IndexHeader header = {{}, file.identity(), count};
  std::memcpy(header.magic, magic, sizeof(header.magic));
  return header;
}

static uint32_t checksum(const IndexHeader &header,
                         const std::vector<uint32_t> &lengths) {
  return crc32c(lengths.data(), lengths.size() * sizeof(uint32_t),
                crc32c(&header, sizeof(header)));
}

void RecordIndex::save(const RecordFile &file) const {
  const std::string path = indexPath(file);
  const IndexHeader header = makeHeader(file, count());
  const uint32_t crc = checksum(header, lengths);
  AtomicFile output(path.c_str());
  // A file that cannot be written is no failure: the index is in memory.
  if (output.open(nullptr) == TG_OK &&
      output.write(&header, sizeof(header), nullptr) == TG_OK &&
      output.write(lengths.data(), lengths.size() * sizeof(uint32_t),
                   nullptr) == TG_OK &&
      output.write(&crc, sizeof(crc), nullptr) == TG_OK)
    output.commit(nullptr);
}

std::optional<RecordIndex> RecordIndex::load(const RecordFile &file) {
  const std::string path = indexPath(file);
  Descriptor input;
  uint64_t bytes;
  IndexHeader header;
  if (openFile(path.c_str(), input, bytes, nullptr) != TG_OK ||
      bytes < sizeof(header) + sizeof(uint32_t) ||
      readFully(input, &header, sizeof(header), 0, path.c_str(), nullptr) !=
          TG_OK)
    return std::nullopt;
  const uint64_t listed = (bytes - sizeof(header)) / sizeof(uint32_t) - 1;
  const IndexHeader expected = makeHeader(file, listed);
  if (std::memcmp(&header, &expected, sizeof(header)) != 0 ||
      listed > file.size() / frameBytes)
    return std::nullopt;
  RecordIndex index;
  index.lengths.resize(listed);
  uint32_t crc;
  if (readFully(input, index.lengths.data(), listed * sizeof(uint32_t),
                sizeof(header), path.c_str(), nullptr) != TG_OK ||
      readFully(input, &crc, sizeof(crc),
                sizeof(header) + listed * sizeof(uint32_t), path.c_str(),
                nullptr) != TG_OK ||
      crc != checksum(header, index.lengths) ||
      index.addOffsets() != file.size())
    return std::nullopt;
  return index;
}
