/// LMDB databases: values of keys in one file, read in the order of the keys.
#ifndef TG_DATA_LMDB_HPP
#define TG_DATA_LMDB_HPP

#include "example.hpp"

namespace tg::data {

struct LmdbOptions {
  /// The maximum size of a value; larger ones are refused.
  uint64_t maxValueBytes = uint64_t(256) << 20;
};

/// The values of a database in the order of its keys, with one feature:
/// "value", ui8 [?]. The key __keys__, which Tensorpack adds, is left out.
///
/// The file is read, not mapped, and each page is checked before it is used. It
/// has no checksums: changed values are not noticed, unless the size, the inode
/// or the time of change of the file show it.
class LmdbSource : public Source {
public:
  /// Opens a file, or the file data.mdb in a directory, and reads the pages
  /// with its keys. Throws DataError, also for databases with several values of
  /// a key, and for those of several named databases.
  explicit LmdbSource(const std::string &path, const LmdbOptions &options = {});
  ~LmdbSource() override;

  const ExampleType &type() const override;
  uint64_t size() const override;
  std::vector<Feature> read(uint64_t index) const override;
  std::string place(uint64_t index) const override;
  std::string location(uint64_t index) const override;
  std::optional<uint64_t> byte(uint64_t index) const override;
  /// Returns the key of a value.
  std::string key(uint64_t index) const;

private:
  class State;
  std::unique_ptr<const State> state;
};

/// Decodes a value that is the raw bytes of features one after the other. Each
/// is a byte string or isRaw; one of them may have an unknown extent and takes
/// what the others leave. Throws DataError.
std::vector<Feature> splitValue(const Feature &value,
                                const std::vector<ExampleFeature> &features);

/// Decodes a value of the type Datum of Caffe. The feature "label" is its
/// label; another one is its data, encoded or as elements [channels, height,
/// width], or its list of floats if it is f32. Throws DataError.
std::vector<Feature> parseDatum(const Feature &value,
                                const std::vector<ExampleFeature> &features);

} // namespace tg::data

#endif // TG_DATA_LMDB_HPP
