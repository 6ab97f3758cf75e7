/// Writes records, plain and compressed, to files that appear when they are
/// complete.
#include "RecordFormat.h"

#include "runtime/files/AtomicFile.h"

#include <algorithm>
#include <optional>
#include <zlib.h>

using namespace tg;
using namespace tg::data;

namespace {

/// A file that appears when it is complete. Throws DataError.
class OutputFile {
public:
  explicit OutputFile(const std::string &path)
      : path(path), file(this->path.c_str()) {
    error.struct_size = sizeof(error);
    check(file.open(&error));
  }
  void write(const void *bytes, size_t count) {
    check(file.write(bytes, count, &error));
  }
  void commit() { check(file.commit(&error)); }

private:
  void check(tg_status_t status) const {
    if (status != TG_OK)
      throw DataError(error.message);
  }

  const std::string path;
  tg_error_t error = {};
  AtomicFile file;
};

/// Compresses bytes into a file.
class Deflater {
public:
  Deflater(OutputFile &file, Compression compression) : file(file) {
    // 15 is the largest window; 16 selects gzip, with a header without time.
    const int window = compression == Compression::gzip ? 15 + 16 : 15;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater &) = delete;
  Deflater &operator=(const Deflater &) = delete;

  void write(const void *bytes, size_t count) {
    auto *at = static_cast<Bytef *>(const_cast<void *>(bytes));
    while (count) {
      const size_t chunk = std::min<size_t>(count, 1 << 30);
      stream.next_in = at;
      stream.avail_in = static_cast<uInt>(chunk);
      while (stream.avail_in)
        step(Z_NO_FLUSH);
      at += chunk;
      count -= chunk;
    }
  }
  void finish() {
    while (step(Z_FINISH) != Z_STREAM_END) {
    }
  }

private:
  /// Compresses some input and writes the result.
  int step(int flush) {
    stream.next_out = output.get();
    stream.avail_out = outputBytes;
    const int status = deflate(&stream, flush);
    file.write(output.get(), outputBytes - stream.avail_out);
    return status;
  }

  static constexpr uInt outputBytes = 64 << 10;
  OutputFile &file;
  z_stream stream = {};
  std::unique_ptr<Bytef[]> output =
      std::make_unique_for_overwrite<Bytef[]>(outputBytes);
};

} // namespace

class TFRecordWriter::State {
public:
  State(const std::string &path, Compression compression)
      : path(path), file(path) {
    if (compression != Compression::none)
      deflater.emplace(file, compression);
    buffer.reserve(bufferBytes);
  }

  void write(std::span<const std::byte> record) {
    if (isClosed)
      throw DataError("'" + path +
                      "': expected no record after the file was "
                      "closed, found one");
    append(headerOf(record.size()));
    append(record);
    append(footerOf(record));
  }

  void close() {
    if (isClosed)
      return;
    flush();
    if (deflater)
      deflater->finish();
    file.commit();
    isClosed = true;
  }

private:
  static constexpr size_t bufferBytes = 256 << 10;

  /// Appends to the buffer, or to the file if the bytes do not fit into it.
  void append(std::span<const std::byte> bytes) {
    if (bytes.size() > bufferBytes - buffer.size())
      flush();
    if (bytes.size() > bufferBytes)
      output(bytes);
    else
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }
  void flush() {
    output(buffer);
    buffer.clear();
  }
  void output(std::span<const std::byte> bytes) {
    if (deflater)
      deflater->write(bytes.data(), bytes.size());
    else
      file.write(bytes.data(), bytes.size());
  }

  const std::string path;
  OutputFile file;
  std::optional<Deflater> deflater;
  std::vector<std::byte> buffer;
  bool isClosed = false;
};

TFRecordWriter::TFRecordWriter(const std::string &path, Compression compression)
    : state(std::make_unique<State>(path, compression)) {}

TFRecordWriter::~TFRecordWriter() = default;

void TFRecordWriter::write(std::span<const std::byte> record) {
  state->write(record);
}

void TFRecordWriter::write(std::string_view record) {
  state->write(std::as_bytes(std::span(record)));
}

void TFRecordWriter::close() { state->close(); }
