/// Records of the type tf.train.Example: named lists of floats, integers or
/// byte strings.
#ifndef TG_DATA_EXAMPLE_HPP
#define TG_DATA_EXAMPLE_HPP

#include "records.hpp"

#include <map>
#include <optional>

namespace tg::data {

/// The kind of the values of a feature in a record: float_list, int64_list or
/// bytes_list.
enum class ExampleKind { floats, int64s, bytes };

/// The conversion of a feature of a record to a feature of a data set.
struct ExampleFeature {
  /// The name of both features.
  std::string name;
  ExampleKind kind = ExampleKind::floats;
  /// f32 or f64 for floats; i8, i16, i32, i64, ui8 or i1 for integers, which
  /// must be in its range; ui8 for a byte string, or any type for a raw one.
  tg_dtype_t dtype = {TG_DTYPE_FLOAT, 32, 1};
  /// A record must have as many values as the shape. One extent may be
  /// FeatureType::anyExtent and follows from their number.
  std::vector<int64_t> shape;
  /// The feature has one byte string, which contains the elements of an array
  /// in little endian and row-major order. Without it, a byte string is a
  /// feature of bytes.
  bool isRaw = false;
};

/// The values of one feature of a record.
struct ExampleValue {
  std::string name;
  /// None for a feature without a list.
  std::optional<ExampleKind> kind;
  /// The number of floats, integers or byte strings.
  uint64_t count = 0;
  /// f32 or i64 [count]; undefined for byte strings.
  Feature numbers = {};
  std::vector<std::string> strings = {};
};

/// Decodes records by a list of features. Features that are not listed are
/// skipped. A feature that occurs again in a record replaces the former one, as
/// in protobuf. Malformed records and those without a listed feature are
/// refused.
class ExampleParser {
public:
  /// Throws DataError for a list that cannot be.
  explicit ExampleParser(std::vector<ExampleFeature> features);

  /// The decoded features, in the order of the list.
  const ExampleType &type() const { return decoded; }
  /// Decodes a record. Features of bytes are views of it. Throws DataError,
  /// which names the feature, but not the record. Any thread.
  std::vector<Feature> parse(const Feature &record) const;

private:
  std::vector<ExampleFeature> features;
  ExampleType decoded;
  std::map<std::string, size_t, std::less<>> indices; // by name
};

/// Returns all features of a record, in the order of their names, to describe
/// records of unknown contents. Throws DataError.
std::vector<ExampleValue> readExample(const Feature &record);

/// Returns the record of these features: f32 for floats, any type of integers
/// or i1 for integers, strings for bytes. Equal features give equal bytes,
/// since they are written in the order of their names. Throws DataError for a
/// repeated or empty name, or elements of another type.
std::string writeExample(const std::vector<ExampleValue> &values);

/// Returns the feature of a record that holds an array of any type as one byte
/// string, for ExampleFeature::isRaw.
ExampleValue rawValue(std::string name, const Feature &array);

/// The decoded records of plain files.
class ExampleSource : public Source {
public:
  ExampleSource(const std::vector<std::string> &paths,
                std::vector<ExampleFeature> features,
                const TFRecordOptions &options = {});

  const ExampleType &type() const override { return parser.type(); }
  uint64_t size() const override { return records.size(); }
  std::vector<Feature> read(uint64_t index) const override;
  std::string place(uint64_t index) const override {
    return records.place(index);
  }
  std::string location(uint64_t index) const override {
    return records.location(index);
  }
  std::optional<uint64_t> byte(uint64_t index) const override {
    return records.offset(index);
  }

private:
  ExampleParser parser;
  TFRecordSource records;
};

struct FileIdentity;

/// The decoded records of plain and compressed files, in order. A pass over a
/// file that has changed since this stream was made throws DataError.
class ExampleStream : public Stream {
public:
  ExampleStream(std::vector<std::string> paths,
                std::vector<ExampleFeature> features,
                const TFRecordOptions &options = {});

  const ExampleType &type() const override { return parser.type(); }
  std::unique_ptr<Reader> open(uint64_t epoch) const override;
  std::string place(uint64_t index) const override;
  std::string location(uint64_t index) const override;

private:
  ExampleParser parser;
  std::vector<std::string> paths;
  TFRecordOptions options;
  std::shared_ptr<std::vector<FileIdentity>> identities; // of the paths
};

/// Writes a file with a record for each row of the arrays, which are named
/// [rows, ...]. Each feature is the raw bytes of a row. Throws DataError if
/// they differ in their number of rows.
void writeTFRecords(const std::string &path,
                    const std::map<std::string, Feature> &arrays,
                    Compression compression = Compression::none);

} // namespace tg::data

#endif // TG_DATA_EXAMPLE_HPP
