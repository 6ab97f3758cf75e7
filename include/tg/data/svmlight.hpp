/// Sparse rows as text, in the format of SVMlight and LIBSVM.
#ifndef TG_DATA_SVMLIGHT_HPP
#define TG_DATA_SVMLIGHT_HPP

#include "dataset.hpp"

namespace tg::data {

/// Opens a file of lines "LABEL INDEX:VALUE ...", with indices from 1 on in
/// ascending order; "qid:N" and comments after '#' are skipped. The features
/// are "x", f32 [columns], with zeros for the values that are not listed, and
/// "label", f32 []. With 0 columns, the file is read once for the largest
/// index. Rows are read from the file when they are asked for. Throws
/// DataError.
Dataset openSvmLight(const std::string &path, int64_t columns = 0);

} // namespace tg::data

#endif // TG_DATA_SVMLIGHT_HPP
