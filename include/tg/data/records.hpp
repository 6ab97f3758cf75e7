/// TFRecord files: sequences of byte strings with checksums, plain or
/// compressed. `example.hpp` decodes records of the type tf.train.Example.
#ifndef TG_DATA_RECORDS_HPP
#define TG_DATA_RECORDS_HPP

#include "source.hpp"

#include <span>
#include <string_view>

namespace tg::data {

/// The encoding of a TFRecord file.
enum class Compression { none, gzip, zlib };

struct TFRecordOptions {
  /// The maximum size of a record; larger ones are refused. It bounds the
  /// memory that a file of unknown origin can use, and is less than 2^32.
  uint64_t maxRecordBytes = uint64_t(256) << 20;
  /// Keeps the index of a plain file beside it, as FILE.tgindex, so that the
  /// file need not be scanned again. Without permission to write, the index is
  /// in memory alone.
  bool keepsIndex = true;
};

/// Returns the encoding of a file, found from its first bytes. Throws DataError
/// if it cannot be read or is not a regular file.
Compression compressionOf(const std::string &path);

/// The records of plain files in the order of the files, with one feature:
/// "record", u8 [?]. Both checksums of each record that is read are checked.
///
/// A file must not change while it is used: what is appended later is not read,
/// and a record that has changed is refused.
class TFRecordSource : public Source {
public:
  /// Opens files and finds their records. Throws DataError if a file is not
  /// regular, is compressed, or has a wrong length in it.
  explicit TFRecordSource(const std::vector<std::string> &paths,
                          const TFRecordOptions &options = {});
  ~TFRecordSource() override;

  const ExampleType &type() const override;
  uint64_t size() const override;
  /// Reads a record. The feature is a view of memory that it owns.
  std::vector<Feature> read(uint64_t index) const override;
  std::string place(uint64_t index) const override;
  std::string location(uint64_t index) const override;

  std::optional<uint64_t> byte(uint64_t index) const override {
    return offset(index);
  }
  /// Returns the byte of its file at which a record begins.
  uint64_t offset(uint64_t index) const;

private:
  class State;
  std::unique_ptr<const State> state;
};

/// The records of plain and compressed files in order, with the same feature.
/// A pass needs memory for the largest record, for any size of the files.
class TFRecordStream : public Stream {
public:
  explicit TFRecordStream(std::vector<std::string> paths,
                          const TFRecordOptions &options = {});

  const ExampleType &type() const override;
  std::unique_ptr<Reader> open(uint64_t epoch) const override;
  /// Returns the number of a record in all files. The file is not known without
  /// reading those before it, unless there is one file alone.
  std::string place(uint64_t index) const override;
  std::string location(uint64_t index) const override;

private:
  std::vector<std::string> paths;
  TFRecordOptions options;
};

/// Checks all checksums of a file, plain or compressed. Returns the number of
/// its records. Throws the DataError of the first wrong one.
uint64_t verifyTFRecords(const std::string &path);

/// Writes a TFRecord file. The file appears at its path when close() returns;
/// until then a former file remains there.
class TFRecordWriter {
public:
  /// Throws DataError, as do the functions below.
  explicit TFRecordWriter(const std::string &path,
                          Compression compression = Compression::none);
  /// Removes the file if it has not been closed.
  ~TFRecordWriter();
  TFRecordWriter(const TFRecordWriter &) = delete;
  TFRecordWriter &operator=(const TFRecordWriter &) = delete;

  /// Appends a record.
  void write(std::span<const std::byte> record);
  void write(std::string_view record);
  /// Completes the file. Nothing can be written afterwards.
  void close();

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace tg::data

#endif // TG_DATA_RECORDS_HPP
