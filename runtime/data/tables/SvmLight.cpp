//===- SvmLight.cpp - sparse rows as text ---------------------------------===//
#include "tg/data/svmlight.hpp"

#include "Numbers.h"
#include "RowIndex.h"
#include "runtime/data/Messages.h"

#include <algorithm>

using namespace tg;
using namespace tg::data;

namespace {
/// Divides a row into words.
class Words {
public:
  explicit Words(std::string_view row) : rest(row.substr(0, row.find('#'))) {}

  /// Returns the next word, or an empty one at the end.
  std::string_view next() {
    const size_t begin = std::min(rest.find_first_not_of(" \t"), rest.size());
    rest.remove_prefix(begin);
    const std::string_view word =
        rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
    rest.remove_prefix(word.size());
    return word;
  }

private:
  std::string_view rest;
};
} // namespace

[[noreturn]] static void fail(const std::string &expected,
                              std::string_view found) {
  throw DataError("expected " + expected + ", found '" +
                  std::string(found.substr(0, 40)) + "'");
}

/// Parses a row and calls use(index, value) for each of its values, whose
/// indices begin with 0. Returns the label. Throws DataError.
template <typename Use> static float parseRow(const std::string &row, Use use) {
  Words words(row);
  float label = 0;
  const std::string_view first = words.next();
  if (!parseNumber(first, label))
    fail("a label", first);
  int64_t before = 0;
  for (std::string_view word = words.next(); !word.empty();
       word = words.next()) {
    if (word.starts_with("qid:"))
      continue;
    const size_t colon = word.find(':');
    int64_t index = 0;
    float value = 0;
    if (colon == std::string_view::npos ||
        !parseNumber(word.substr(0, colon), index) ||
        !parseNumber(word.substr(colon + 1), value))
      fail("INDEX:VALUE", word);
    if (index <= before)
      fail("indices from 1 on in ascending order", word);
    before = index;
    use(index - 1, value);
  }
  return label;
}

/// Returns true if a row is a comment alone.
static bool isComment(const std::string &row) {
  return Words(row).next().empty();
}

namespace {
class SvmLightSource : public Source {
public:
  SvmLightSource(const std::string &path, int64_t count)
      : rows(path, /*hasQuotes=*/false), columns(count) {
    while (comments < rows.size() && isComment(rows.read(comments).text))
      ++comments;
    for (uint64_t i = 0; !count && i < size(); ++i)
      parse(i, [this](int64_t index, float) {
        columns = std::max(columns, index + 1);
      });
    // Rows are dense, so that an index alone can need any memory.
    constexpr int64_t most = int64_t(1) << 22;
    if (!count && columns > most)
      throw DataError("expected at most " + std::to_string(most) +
                      " columns, unless their number is stated, found " +
                      std::to_string(columns));
    constexpr int64_t limit = int64_t(1) << 32;
    if (columns < 1 || columns > limit)
      throw DataError("expected 1 to 2^32 columns, found " +
                      std::to_string(columns));
    types = {{"x", f32, {columns}}, {"label", f32, {}}};
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override { return rows.size() - comments; }
  std::vector<Feature> read(uint64_t index) const override {
    Feature x(f32, {columns}), label(f32, {});
    const std::span<float> values = x.values<float>();
    std::fill(values.begin(), values.end(), 0.0f);
    label.values<float>()[0] = parse(index, [&](int64_t column, float value) {
      if (column >= columns)
        throw DataError("expected indices of at most " +
                        std::to_string(columns) + ", found " +
                        std::to_string(column + 1));
      values[static_cast<size_t>(column)] = value;
    });
    return {x, label};
  }
  std::string place(uint64_t index) const override {
    return rows.path() + ":" + std::to_string(index);
  }
  std::string location(uint64_t index) const override {
    return locationOf(index, rows.read(index + comments));
  }

private:
  static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};

  std::string locationOf(uint64_t index, const RowIndex::Row &row) const {
    return rows.path() + ": record " + std::to_string(index) + " at byte " +
           std::to_string(row.offset);
  }

  template <typename Use> float parse(uint64_t index, Use use) const {
    const RowIndex::Row row = rows.readRecord(index + comments, index);
    try {
      return parseRow(row.text, use);
    } catch (const DataError &error) {
      throw DataError(locationOf(index, row) + ": " + error.what());
    }
  }

  RowIndex rows;
  uint64_t comments = 0; // the rows before the first example
  int64_t columns;
  ExampleType types;
};
} // namespace

Dataset tg::data::openSvmLight(const std::string &path, int64_t columns) {
  return namingFile(path, [&] {
    if (columns < 0)
      throw DataError("expected at least 0 columns, found " +
                      std::to_string(columns));
    return Dataset::from(std::make_shared<SvmLightSource>(path, columns));
  });
}
