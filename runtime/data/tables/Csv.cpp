//===- Csv.cpp - tables as text -------------------------------------------===//
#include "tg/data/csv.hpp"

#include "Numbers.h"
#include "RowIndex.h"
#include "runtime/data/Messages.h"

#include <algorithm>
#include <cstring>
#include <csv.h>

using namespace tg;
using namespace tg::data;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
/// Divides rows into fields by libcsv.
class FieldParser {
public:
  explicit FieldParser(char delimiter) {
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
      throw std::bad_alloc();
    csv_set_delim(&parser, static_cast<unsigned char>(delimiter));
  }
  ~FieldParser() { csv_free(&parser); }
  FieldParser(const FieldParser &) = delete;
  FieldParser &operator=(const FieldParser &) = delete;

  /// Returns the fields of a row. Throws DataError.
  std::vector<std::string> parse(const std::string &row) {
    std::vector<std::string> fields;
    const auto add = [](void *text, size_t size, void *all) {
      static_cast<std::vector<std::string> *>(all)->emplace_back(
          static_cast<const char *>(text), size);
    };
    const auto end = [](int, void *) {};
    if (csv_parse(&parser, row.data(), row.size(), add, end, &fields) !=
            row.size() ||
        csv_fini(&parser, add, end, &fields) != 0)
      throw DataError(std::string("expected fields as in RFC 4180, found an "
                                  "error: ") +
                      csv_strerror(csv_error(&parser)));
    return fields;
  }

private:
  csv_parser parser;
};
} // namespace

static bool isNumber(const std::string &field) {
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
  std::vector<std::string> columns =
      FieldParser(delimiterOf(rows.path())).parse(rows.read(0).text);
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
        features.push_back({column, {column}, true});
    for (const CsvFeature &feature : features)
      add(feature);
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override { return rows.size() - hasNames; }
  std::vector<Feature> read(uint64_t index) const override {
    const RowIndex::Row row = rows.read(index + hasNames);
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
  /// Adds the type of a feature, and the indices of its columns.
  void add(const CsvFeature &feature) {
    FeatureType type{feature.name, feature.dtype, {}};
    if (!feature.isScalar)
      type.shape = {static_cast<int64_t>(feature.columns.size())};
    if (feature.columns.empty() ||
        (feature.isScalar && feature.columns.size() != 1))
      throw DataError("feature '" + feature.name +
                      "': expected columns, or one column of a scalar, found " +
                      std::to_string(feature.columns.size()));
    types.push_back(std::move(type));
    std::vector<size_t> &used = indices.emplace_back();
    for (const std::string &column : feature.columns) {
      const auto found = std::find(columns.begin(), columns.end(), column);
      if (found == columns.end())
        throw DataError("feature '" + feature.name +
                        "': expected a column of the table, found '" + column +
                        "'");
      used.push_back(static_cast<size_t>(found - columns.begin()));
    }
  }

  std::vector<Feature> featuresOf(const std::string &row) const {
    const std::vector<std::string> fields =
        FieldParser(delimiterOf(rows.path())).parse(row);
    if (fields.size() != columns.size())
      throw DataError("expected " + std::to_string(columns.size()) +
                      " fields, found " + std::to_string(fields.size()));
    std::vector<Feature> result;
    for (size_t i = 0; i < types.size(); ++i) {
      Feature &feature = result.emplace_back(types[i].dtype, types[i].shape);
      std::byte *to = feature.data();
      for (size_t column : indices[i]) {
        if (!storeNumber(fields[column], types[i].dtype, to))
          throw DataError("column '" + columns[column] + "': expected " +
                          tg_dtype_name(types[i].dtype) + ", found '" +
                          fields[column].substr(0, 40) + "'");
        to += types[i].dtype.bits / 8;
      }
    }
    return result;
  }

  RowIndex rows;
  bool hasNames = false;
  std::vector<std::string> columns;
  std::vector<CsvFeature> features;
  ExampleType types;
  std::vector<std::vector<size_t>> indices; // of the columns of each feature
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
