/// One pass over the records of files.
#ifndef TG_RUNTIME_DATA_RECORDS_FILESREADER_H
#define TG_RUNTIME_DATA_RECORDS_FILESREADER_H

#include "ByteReader.h"
#include "RecordFile.h"

namespace tg::data {

/// Reads the records of files in order, plain and compressed ones.
class FilesReader : public Stream::Reader {
public:
  /// Reads files, which have not changed since the time of `identities`, if
  /// there are any.
  FilesReader(const std::vector<std::string> &paths,
              const TFRecordOptions &options,
              std::vector<FileIdentity> identities = {})
      : paths(paths), options(options), identities(std::move(identities)) {}

  bool next(std::vector<Feature> &features) override;
  void skip(uint64_t count) override;
  /// Returns the place of the record that next() read last, for messages.
  std::string location() const { return reader->place().text(); }

private:
  /// Reads the header of the next record of all files.
  bool nextHeader();

  const std::vector<std::string> paths;
  const TFRecordOptions options;
  const std::vector<FileIdentity> identities;
  size_t file = 0; // the next one
  std::optional<ByteReader> reader;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_FILESREADER_H
