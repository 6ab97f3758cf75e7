//===- Csv.cpp - tables as text -------------------------------------------===//
#include "tg/data/csv.hpp"

#include "Numbers.h"
#include "RowIndex.h"
#include "runtime/data/Messages.h"

#include <algorithm>
#include <cstring>
#include <csv.h>
#include <deque>
#include <optional>
#include <unordered_map>

using namespace tg;
using namespace tg::data;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
/// Divides rows into fields: by libcsv if they have quotes.
class FieldParser {
public:
  explicit FieldParser(char fieldEnd) : delimiter(fieldEnd) {}

  /// Returns the fields of a row, which are valid until the row or this parser
  /// ends. Throws DataError.
  const std::vector<std::string_view> &parse(std::string_view row) {
    fields.clear();
    if (isPlain(row))
      split(row);
    else
      parseAll(row);
    if (fields.size() > fieldLimit)
      throw DataError("expected at most " + std::to_string(fieldLimit) +
                      " fields, found more");
    return fields;
  }

private:
  /// The upper bound of the number of fields.
  static constexpr size_t fieldLimit = size_t(1) << 18;

  bool isBlank(char c) const {
    return (c == ' ' || c == '\t') && c != delimiter;
  }
  /// Returns true if libcsv would only divide a row at delimiters and remove
  /// the blanks around fields.
  bool isPlain(std::string_view row) const {
    return row.find('"') == row.npos && row.find('\r') == row.npos &&
           !std::all_of(row.begin(), row.end(),
                        [this](char c) { return isBlank(c); });
  }

  void split(std::string_view row) {
    for (;;) {
      const size_t end = std::min(row.find(delimiter), row.size());
      fields.push_back(trimmed(row.substr(0, end)));
      if (end == row.size() || fields.size() > fieldLimit)
        return;
      row.remove_prefix(end + 1);
    }
  }
  std::string_view trimmed(std::string_view field) const {
    while (!field.empty() && isBlank(field.front()))
      field.remove_prefix(1);
    while (!field.empty() && isBlank(field.back()))
      field.remove_suffix(1);
    return field;
  }

  void parseAll(std::string_view row) {
    csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
      throw std::bad_alloc();
    csv_set_delim(&parser, static_cast<unsigned char>(delimiter));
    texts.clear();
    const auto add = [](void *text, size_t size, void *all) {
      auto &texts = *static_cast<std::deque<std::string> *>(all);
      if (texts.size() <= fieldLimit)
        texts.emplace_back(static_cast<const char *>(text), size);
    };
    const auto end = [](int, void *) {};
    const bool isWhole = csv_parse(&parser, row.data(), row.size(), add, end,
                                   &texts) == row.size() &&
                         csv_fini(&parser, add, end, &texts) == 0;
    const std::string error = csv_strerror(csv_error(&parser));
    csv_free(&parser);
    if (!isWhole)
      throw DataError("expected fields as in RFC 4180, found an error: " +
                      error);
    fields.assign(texts.begin(), texts.end());
  }

  char delimiter;
  std::vector<std::string_view> fields;
  std::deque<std::string> texts; // of fields without the quotes
};
} // namespace

static bool isNumber(std::string_view field) {
  double number = 0;
  return parseNumber(field, number);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static char delimiterOf(const std::string &path) {
  return path.ends_with(".tsv") ? '\t' : ',';
}

/// Returns the names of the columns; `isFirst` is true if they are in the first
/// row.
static std::vector<std::string> columnsOf(const RowIndex &rows, bool &isFirst) {
  isFirst = false;
  if (rows.size() == 0)
    throw DataError("expected a row with the names of columns, found none");
  const std::string row = rows.read(0).text;
  FieldParser parser(delimiterOf(rows.path()));
  const std::vector<std::string_view> &fields = parser.parse(row);
  std::vector<std::string> columns(fields.begin(), fields.end());
  isFirst = !std::all_of(columns.begin(), columns.end(), isNumber);
  if (!isFirst)
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i] = "c" + std::to_string(i);
  return columns;
}

namespace {
class CsvSource : public Source {
public:
  CsvSource(const std::string &path, std::vector<CsvFeature> listed)
      : rows(path, /*hasQuotes=*/true), columns(columnsOf(rows, hasNames)),
        features(std::move(listed)) {
    if (features.empty())
      for (const std::string &column : columns)
        features.push_back({column});
    ColumnIndex indexOf;
    for (size_t i = 0; i < columns.size(); ++i)
      indexOf.emplace(columns[i], i); // the first one of a name
    for (const CsvFeature &feature : features)
      add(feature, indexOf);
    for (size_t i = 0; i < types.size(); ++i)
      words += wordsOf(i);
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override { return rows.size() - hasNames; }
  std::vector<Feature> read(uint64_t index) const override {
    const RowIndex::Row row = rows.readRecord(index + hasNames, index);
    try {
      return featuresOf(row.text);
    } catch (const DataError &error) {
      throw DataError(rows.path() + ": record " + std::to_string(index) +
                      " at byte " + std::to_string(row.offset) + ": " +
                      error.what());
    }
  }
  std::string place(uint64_t index) const override {
    return rows.path() + ":" + std::to_string(index);
  }
  std::string location(uint64_t index) const override {
    return rows.path() + ": record " + std::to_string(index) + " at byte " +
           std::to_string(rows.read(index + hasNames).offset);
  }

private:
  using ColumnIndex = std::unordered_map<std::string_view, size_t>;

  /// Adds the type of a feature, and the indices of its columns.
  void add(const CsvFeature &feature, const ColumnIndex &indexOf) {
    std::vector<size_t> &used = indices.emplace_back();
    for (const std::string &column : feature.columns)
      addColumns(feature.name, column, indexOf, used);
    if (feature.columns.empty())
      addColumns(feature.name, feature.name, indexOf, used);
    const bool isScalar = feature.isScalar || feature.columns.empty();
    if (isScalar && used.size() != 1)
      throw DataError("feature '" + feature.name +
                      "': expected one column of a scalar, found " +
                      std::to_string(used.size()));
    FeatureType type{feature.name, feature.dtype, {}};
    if (!isScalar)
      type.shape = {static_cast<int64_t>(used.size())};
    types.push_back(std::move(type));
  }
  /// Adds the index of a column, or those of the columns FIRST:LAST.
  static void addColumns(const std::string &feature, const std::string &column,
                         const ColumnIndex &indexOf,
                         std::vector<size_t> &used) {
    const auto indexIn = [&](std::string_view name) {
      const auto found = indexOf.find(name);
      return found == indexOf.end() ? std::optional<size_t>() : found->second;
    };
    const size_t colon = column.find(':');
    std::optional<size_t> first = indexIn(column), last = first;
    const bool isRange = !first && colon != column.npos;
    if (isRange) {
      first = indexIn(std::string_view(column).substr(0, colon));
      last = indexIn(std::string_view(column).substr(colon + 1));
    }
    if (!first || !last || *first > *last)
      throw DataError("feature '" + feature + "': expected " +
                      (isRange ? "FIRST:LAST, two columns in their order"
                               : "a column of the table") +
                      ", found '" + column + "'");
    for (size_t index = *first; index <= *last; ++index)
      used.push_back(index);
  }

  std::vector<Feature> featuresOf(const std::string &row) const {
    FieldParser parser(delimiterOf(rows.path()));
    const std::vector<std::string_view> &fields = parser.parse(row);
    if (fields.size() != columns.size())
      throw DataError("expected " + std::to_string(columns.size()) +
                      " fields, found " + std::to_string(fields.size()));
    // One memory for all features, of which each begins at a whole word.
    auto memory = std::make_shared_for_overwrite<uint64_t[]>(words);
    auto *to = reinterpret_cast<std::byte *>(memory.get());
    std::vector<Feature> result;
    result.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      result.emplace_back(types[i].dtype, types[i].shape, memory, to);
      store(fields, i, to);
      to += wordsOf(i) * sizeof(uint64_t);
    }
    return result;
  }
  /// Stores the elements of a feature.
  void store(const std::vector<std::string_view> &fields, size_t feature,
             std::byte *to) const {
    const tg_dtype_t dtype = types[feature].dtype;
    for (size_t column : indices[feature]) {
      if (!storeNumber(fields[column], dtype, to))
        throw DataError("column '" + columns[column] + "': expected " +
                        tg_dtype_name(dtype) + ", found '" +
                        std::string(fields[column].substr(0, 40)) + "'");
      to += dtype.bits / 8;
    }
  }
  /// Returns the memory of a feature.
  size_t wordsOf(size_t feature) const {
    const size_t bytes =
        indices[feature].size() * types[feature].dtype.bits / 8;
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
  }

  RowIndex rows;
  bool hasNames = false;
  std::vector<std::string> columns;
  std::vector<CsvFeature> features;
  ExampleType types;
  std::vector<std::vector<size_t>> indices; // of the columns of each feature
  size_t words = 0;                         // of memory for a row
};
} // namespace

Dataset tg::data::openCsv(const std::string &path,
                          std::vector<CsvFeature> features) {
  return namingFile(path, [&] {
    return Dataset::from(
        std::make_shared<CsvSource>(path, std::move(features)));
  });
}

std::vector<std::string> tg::data::csvColumns(const std::string &path) {
  return namingFile(path, [&] {
    bool isFirst = false;
    return columnsOf(RowIndex(path, /*hasQuotes=*/true), isFirst);
  });
}
