/// Records of the type tf.train.Example for tests.
#ifndef TG_TEST_DATA_RECORDS_EXAMPLERECORDS_H
#define TG_TEST_DATA_RECORDS_EXAMPLERECORDS_H

#include "RecordFiles.h"

#include "tg/data/example.hpp"

#include <algorithm>

namespace tg::data {

inline constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
inline constexpr tg_dtype_t f64 = {TG_DTYPE_FLOAT, 64, 1};
inline constexpr tg_dtype_t i8 = {TG_DTYPE_INT, 8, 1};
inline constexpr tg_dtype_t i16 = {TG_DTYPE_INT, 16, 1};
inline constexpr tg_dtype_t i32 = {TG_DTYPE_INT, 32, 1};
inline constexpr tg_dtype_t i64 = {TG_DTYPE_INT, 64, 1};
inline constexpr tg_dtype_t ui8 = {TG_DTYPE_UINT, 8, 1};
inline constexpr tg_dtype_t i1 = {TG_DTYPE_BOOL, 8, 1};
inline constexpr int64_t any = FeatureType::anyExtent;
inline constexpr ExampleKind floats = ExampleKind::floats;
inline constexpr ExampleKind int64s = ExampleKind::int64s;
inline constexpr ExampleKind bytes = ExampleKind::bytes;

class ExampleTest : public RecordFilesTest {
protected:
  static Feature record(const std::string &text) {
    Feature feature(ui8, {static_cast<int64_t>(text.size())});
    std::copy(text.begin(), text.end(),
              reinterpret_cast<char *>(feature.data()));
    return feature;
  }
  static std::vector<Feature> parse(const std::string &text,
                                    std::vector<ExampleFeature> features) {
    return ExampleParser(std::move(features)).parse(record(text));
  }
  template <typename T>
  static Feature array(tg_dtype_t dtype, std::vector<int64_t> shape,
                       std::vector<T> values) {
    Feature feature(dtype, std::move(shape));
    std::copy(values.begin(), values.end(), feature.values<T>().begin());
    return feature;
  }
  template <typename T> static std::vector<T> valuesOf(const Feature &feature) {
    const auto values = feature.values<T>();
    return {values.begin(), values.end()};
  }
  /// Returns the message for a record that is parsed for the feature "a".
  std::string refusal(const std::string &text,
                      const ExampleFeature &feature) const {
    return errorOf([&] { parse(text, {feature}); });
  }
};

/// Returns a field of strings, messages or packed numbers, of less than 128
/// bytes.
inline std::string field(int number, const std::string &contents) {
  return std::string{static_cast<char>(number << 3 | 2),
                     static_cast<char>(contents.size())} +
         contents;
}
/// Returns an entry of the map of features.
inline std::string entry(const std::string &name, const std::string &feature) {
  return field(1, field(1, name) + field(2, feature));
}
/// Returns a record of the feature "a".
inline std::string example(const std::string &feature) {
  return field(1, entry("a", feature));
}

inline const ExampleFeature anyFloats = {"a", floats, f32, {any}};
inline const ExampleFeature anyIntegers = {"a", int64s, i64, {any}};
inline const ExampleFeature anyBytes = {"a", bytes, ui8, {any}};
inline const std::string one("\0\0\x80\x3f", 4), two("\0\0\0\x40", 4);

} // namespace tg::data

#endif // TG_TEST_DATA_RECORDS_EXAMPLERECORDS_H
