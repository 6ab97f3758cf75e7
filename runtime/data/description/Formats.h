/// Formats of files, known by their endings, and of directories.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_FORMATS_H
#define TG_RUNTIME_DATA_DESCRIPTION_FORMATS_H

#include "Encoded.h"

namespace tg::data {

/// A format of files.
struct Format {
  const char *name;
  /// The endings of its files. A file has the format with its longest ending;
  /// that of a directory is "/".
  std::vector<const char *> endings;
  /// Opens files. `description` has the key "features" and other keys of the
  /// format, unless the files are described by their names alone. Throws
  /// DataError.
  EncodedDataset (*open)(const std::vector<std::string> &paths,
                         Object &description);
};

/// Returns the format of a file, or null.
const Format *formatOf(const std::string &path);

/// Opens files of one format. Images stay encoded.
EncodedDataset openAll(const std::vector<std::string> &paths,
                       Object &description);

/// Opens TFRecord files of records of the type tf.train.Example. Without
/// features, those of the first record are used, as they are.
EncodedDataset openRecords(const std::vector<std::string> &paths,
                           Object &description);

/// Opens tables as text. A feature has "columns": a name or "FIRST:LAST", or a
/// list of them; without them it is the column of its name.
EncodedDataset openTables(const std::vector<std::string> &paths,
                          Object &description);
/// Opens files of SVMlight. The feature "x" may have a shape: the number of
/// columns.
EncodedDataset openSparseRows(const std::vector<std::string> &paths,
                              Object &description);
/// Opens directories of images. The feature "image" may have a shape.
EncodedDataset openImages(const std::vector<std::string> &paths,
                          Object &description);
/// Opens tar archives. Without features, those of the first example are used:
/// arrays and bytes.
EncodedDataset openArchives(const std::vector<std::string> &paths,
                            Object &description);
/// Opens LMDB databases. "values" says how features are encoded in a value.
EncodedDataset openDatabases(const std::vector<std::string> &paths,
                             Object &description);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_FORMATS_H
