/// The messages of tf.train.Example:
///
///   Example:   features = 1
///   Features:  map<string, Feature> feature = 1
///   Feature:   one of bytes_list = 1, float_list = 2, int64_list = 3
///   each list: repeated value = 1, numbers packed or not
#ifndef TG_RUNTIME_DATA_RECORDS_EXAMPLEFORMAT_H
#define TG_RUNTIME_DATA_RECORDS_EXAMPLEFORMAT_H

#include "Wire.h"

#include "tg/data/example.hpp"

namespace tg::data {

/// Returns the field number of the list of a kind.
constexpr uint32_t listField(ExampleKind kind) {
  return kind == ExampleKind::bytes ? 1 : kind == ExampleKind::floats ? 2 : 3;
}

/// Returns the name of the list of a kind.
constexpr const char *listName(ExampleKind kind) {
  return kind == ExampleKind::bytes    ? "bytes_list"
         : kind == ExampleKind::floats ? "float_list"
                                       : "int64_list";
}

/// Returns a name as written in messages: in quotes, without control
/// characters and of limited length.
std::string quoteName(std::string_view name);

/// Throws `error` again, for a feature.
[[noreturn]] void failFeature(std::string_view name, const DataError &error);

/// Calls visit(name, message) for each feature of a record, in its order and
/// with repetitions. The views are parts of the record. Throws DataError.
template <typename Visit>
void visitFeatures(std::string_view record, Visit visit);

/// The list of a feature. A list in several parts is one list, as in protobuf,
/// and a list of another kind replaces those before it.
struct ValueList {
  std::optional<ExampleKind> kind;
  std::vector<std::string_view> parts; // messages of this kind

  explicit ValueList(std::string_view feature);

  /// Returns the number of values. Throws DataError, as do the functions below.
  /// Integers are counted without a check of their encoding.
  uint64_t count() const;
  /// Copies the values of a list of this kind to memory for `count` values.
  void copyFloats(float *into) const;
  /// Calls take(value) for each integer.
  template <typename Take> void visitIntegers(Take take) const {
    for (std::string_view part : parts)
      for (WireReader list(part); list.next();) {
        if (list.number() != 1)
          continue;
        const std::string_view numbers = integersOf(list);
        for (const char *at = numbers.data(), *end = at + numbers.size();
             at != end;)
          take(static_cast<int64_t>(readVarint(at, end)));
      }
  }
  std::vector<std::string_view> strings() const;

private:
  /// Returns the encoded integers or floats of a field of values.
  static std::string_view integersOf(const WireReader &list);
  static std::string_view floatsOf(const WireReader &list);
};

/// An entry of the map of features.
struct FeatureEntry {
  std::string_view name, message;

  explicit FeatureEntry(std::string_view entry);
};

template <typename Visit>
void visitFeatures(std::string_view record, Visit visit) {
  for (WireReader example(record); example.next();) {
    if (example.number() != 1)
      continue;
    for (WireReader features(example.bytesOf("features")); features.next();) {
      if (features.number() != 1)
        continue;
      const FeatureEntry entry(features.bytesOf("feature"));
      visit(entry.name, entry.message);
    }
  }
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_EXAMPLEFORMAT_H
