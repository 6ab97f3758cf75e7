/// Plain and compressed files as inputs of bytes.
#include "ByteReader.h"
#include "RecordFile.h"

#include <algorithm>
#include <zlib.h>

using namespace tg;
using namespace tg::data;

namespace {

/// The bytes of a file as they are.
class PlainInput : public ByteInput {
public:
  explicit PlainInput(const std::string &path)
      : file(openRegular(path, identity)) {}

  size_t read(std::byte *into, size_t count) override {
    count = std::min<uint64_t>(count, identity.size - position);
    readBytes(file, identity.size, into, count, position);
    position += count;
    return count;
  }
  uint64_t skip(uint64_t count) override {
    count = std::min(count, identity.size - position);
    position += count;
    return count;
  }
  std::optional<uint64_t> left() const override {
    return identity.size - position;
  }
  void rewind() { position = 0; }

private:
  FileIdentity identity;
  Descriptor file;
  uint64_t position = 0;
};

/// The contents of a gzip file, of one or several members, or of a zlib file.
class InflatedInput : public ByteInput {
public:
  explicit InflatedInput(std::unique_ptr<PlainInput> file)
      : file(std::move(file)) {
    // 15 is the largest window; 32 detects the format.
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
      throw std::bad_alloc();
  }
  ~InflatedInput() override { inflateEnd(&stream); }
  InflatedInput(const InflatedInput &) = delete;
  InflatedInput &operator=(const InflatedInput &) = delete;

  size_t read(std::byte *into, size_t count) override {
    stream.next_out = reinterpret_cast<Bytef *>(into);
    stream.avail_out = static_cast<uInt>(count);
    while (stream.avail_out == count && !isEnded)
      inflateSome();
    return count - stream.avail_out;
  }

private:
  static constexpr size_t inputBytes = 64 << 10;

  /// Reads compressed bytes if there are none. Returns false at the end.
  bool fill() {
    if (stream.avail_in)
      return true;
    stream.next_in = reinterpret_cast<Bytef *>(input.get());
    stream.avail_in = static_cast<uInt>(file->read(input.get(), inputBytes));
    return stream.avail_in;
  }

  void inflateSome() {
    if (!fill())
      throw DataError("expected more compressed data, found the end of the "
                      "file");
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_STREAM_END)
      endMember();
    else if (status == Z_MEM_ERROR)
      throw std::bad_alloc();
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw DataError("expected valid compressed data, found an error: " +
                      std::string(stream.msg ? stream.msg : "no dictionary"));
  }

  /// Continues with the next member of the file, if there is one. Other bytes
  /// after a member fail as its header.
  void endMember() {
    isEnded = !fill();
    if (!isEnded)
      inflateReset(&stream);
  }

  std::unique_ptr<PlainInput> file;
  std::unique_ptr<std::byte[]> input =
      std::make_unique_for_overwrite<std::byte[]>(inputBytes);
  z_stream stream = {};
  bool isEnded = false;
};

} // namespace

static Compression detect(PlainInput &file) {
  std::byte first[headerBytes];
  const size_t count = file.read(first, sizeof(first));
  file.rewind();
  return detectCompression(first, count);
}

Compression tg::data::compressionOf(const std::string &path) {
  PlainInput file(path);
  return detect(file);
}

std::unique_ptr<ByteInput> tg::data::openBytes(const std::string &path) {
  auto file = std::make_unique<PlainInput>(path);
  if (detect(*file) == Compression::none)
    return file;
  return std::make_unique<InflatedInput>(std::move(file));
}

std::unique_ptr<ByteInput> tg::data::openBytes(const std::string &path,
                                               bool isCompressed) {
  auto file = std::make_unique<PlainInput>(path);
  if (!isCompressed)
    return file;
  return std::make_unique<InflatedInput>(std::move(file));
}
