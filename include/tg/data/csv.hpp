/// Tables as text, with values separated by commas or tabs.
///
///   Dataset data = openCsv("digits.csv", {{"image", {"p00:p77"}}, {"label"}});
#ifndef TG_DATA_CSV_HPP
#define TG_DATA_CSV_HPP

#include "dataset.hpp"

namespace tg::data {

/// A feature of the rows of a table.
struct CsvFeature {
  std::string name;
  /// The columns whose numbers are its elements, by name. "p0:p63" is all
  /// columns from p0 to p63. A single column `isScalar` is a feature of shape
  /// []. Empty: the column `name`, as a scalar.
  std::vector<std::string> columns = {};
  bool isScalar = false;
  /// The element type: one of tg/dtypes.h. Integers must be in its range.
  tg_dtype_t dtype = {TG_DTYPE_FLOAT, 32, 1};
};

/// Opens a table as RFC 4180 describes it: fields are separated by a comma, or
/// by a tab in files `*.tsv`, and may be in quotes. The first row has the names
/// of the columns, unless each of its fields is a number; then the names are
/// c0, c1 and so on. Empty lines are skipped. Rows are read from the file when
/// they are asked for. Without features, each column is one, f32 []. Throws
/// DataError.
Dataset openCsv(const std::string &path, std::vector<CsvFeature> features = {});

/// Returns the names of the columns of a table.
std::vector<std::string> csvColumns(const std::string &path);

} // namespace tg::data

#endif // TG_DATA_CSV_HPP
