/// Tar archives by the convention of WebDataset: consecutive entries with the
/// same base name are one example, such as 0001.jpg and 0001.cls.
#ifndef TG_DATA_TAR_HPP
#define TG_DATA_TAR_HPP

#include "dataset.hpp"

#include <span>

namespace tg::data {

/// The encoding of the bytes of an entry.
enum class EntryFormat {
  /// The bytes are the feature.
  bytes,
  /// The elements of an array in little endian and row-major order.
  raw,
  /// Numbers as text with spaces between, or a .npy file.
  numbers,
  /// A JSON text. `pointer` names its number, truth value or list.
  json,
};

/// The conversion of an entry to a feature.
struct TarFeature {
  std::string name;
  /// The extensions of its entries, in small letters: what follows the first
  /// dot of the file's name. An example has an entry with one of them. The
  /// default is the name of the feature.
  std::vector<std::string> extensions = {};
  EntryFormat format = EntryFormat::bytes;
  /// The type of the elements; ui8 for bytes.
  tg_dtype_t dtype = {TG_DTYPE_UINT, 8, 1};
  /// One extent may be FeatureType::anyExtent and follows from the number of
  /// elements.
  std::vector<int64_t> shape = {FeatureType::anyExtent};
  /// The place of the value in a JSON text, as in RFC 6901: "/label".
  std::string pointer = {};
};

struct TarOptions {
  /// The maximum size of the entries of an example together.
  uint64_t maxExampleBytes = uint64_t(256) << 20;
};

/// Opens archives. Plain ones have random access; if one is compressed (.gz,
/// .tgz), all are read in order. Entries that no feature names are skipped, as
/// are directories and files without an extension. Throws DataError, also for
/// links, for an example without a feature, and for an archive without its end.
Dataset openTar(const std::vector<std::string> &paths,
                const std::vector<TarFeature> &features,
                const TarOptions &options = {});

/// Returns the features of the first example of an archive: arrays for entries
/// NAME.npy, and bytes for others. Throws DataError if there is none.
std::vector<TarFeature> describeTar(const std::string &path,
                                    const TarOptions &options = {});

/// Writes an archive, compressed if its name ends in .gz or .tgz. Equal entries
/// give equal bytes. The file appears at its path when close() returns.
class TarWriter {
public:
  /// Throws DataError, as do the functions below.
  explicit TarWriter(const std::string &path);
  /// Removes the file if it has not been closed.
  ~TarWriter();
  TarWriter(const TarWriter &) = delete;
  TarWriter &operator=(const TarWriter &) = delete;

  /// Appends an entry.
  void write(const std::string &name, std::span<const std::byte> contents);
  /// Appends an entry for each feature of an example: bytes of rank 1 as they
  /// are, single integers as text, all others as NAME.npy.
  void write(const std::string &base, const ExampleType &type,
             const std::vector<Feature> &features);
  void close();

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace tg::data

#endif // TG_DATA_TAR_HPP
