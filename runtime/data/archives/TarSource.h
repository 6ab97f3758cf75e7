/// Random access to the examples of plain archives.
#ifndef TG_RUNTIME_DATA_ARCHIVES_TARSOURCE_H
#define TG_RUNTIME_DATA_ARCHIVES_TARSOURCE_H

#include "TarExamples.h"
#include "runtime/data/records/RecordFile.h"

namespace tg::data {

/// The examples of plain archives in the order of the archives.
class TarSource : public Source {
public:
  /// Finds the examples by the headers of the entries. Throws DataError.
  TarSource(const std::vector<std::string> &paths,
            std::vector<TarFeature> features, const TarOptions &options);

  const ExampleType &type() const override { return features.type(); }
  uint64_t size() const override { return count; }
  std::vector<Feature> read(uint64_t index) const override;
  std::string place(uint64_t index) const override;
  std::string location(uint64_t index) const override;
  std::optional<uint64_t> byte(uint64_t index) const override;

private:
  static constexpr uint64_t blockBytes = 512;
  /// The number of archives that stay open.
  static constexpr size_t maxOpenFiles = 128;

  /// The contents of an entry, which begin at a block of 512 bytes.
  struct Contents {
    uint32_t block, bytes;
  };
  /// An archive, the contents of the features of its examples, and the number
  /// of examples before it.
  struct Archive {
    RecordFile file;
    std::vector<Contents> contents;
    uint64_t first;
  };

  void add(const std::string &path, const TarOptions &options, bool closes);
  const Archive &archiveOf(uint64_t index) const;
  /// Returns the place of the header of the entry of a feature.
  RecordPlace placeOf(const Archive &in, uint64_t record, size_t feature) const;

  TarFeatures features;
  std::vector<Archive> archives;
  uint64_t count = 0;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARCHIVES_TARSOURCE_H
