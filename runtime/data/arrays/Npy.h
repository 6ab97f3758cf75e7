/// The header of .npy files.
#ifndef TG_RUNTIME_DATA_ARRAYS_NPY_H
#define TG_RUNTIME_DATA_ARRAYS_NPY_H

#include "tg/data/arrays.hpp"
#include "tg/data/npy_header.hpp"

namespace tg::data {

/// Returns the bytes of a .npy file before the elements. Throws DataError for
/// an element type that the format does not have.
std::string npyHeader(const Feature &array);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARRAYS_NPY_H
