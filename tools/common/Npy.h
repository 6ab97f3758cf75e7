/// Arrays as .npy files, the format of NumPy: the tools' way to take and give
/// tensors.
#ifndef TG_TOOLS_COMMON_NPY_H
#define TG_TOOLS_COMMON_NPY_H

#include "tg/abi.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tg {

/// An array in row-major order; data holds exactly the elements of shape.
struct NpyArray {
  tg_dtype_t dtype = {};
  std::vector<int64_t> shape;
  std::vector<char> data;
};

/// Reads a file of an element type of tg/dtypes.h, little endian, in C order,
/// whose size is exactly what its header says. On failure returns false and
/// sets error to one sentence that names the file.
bool readNpy(const std::string &path, NpyArray &array, std::string &error);

/// The same for bytes in memory; `name` stands for the file in errors.
bool parseNpy(std::span<const char> bytes, const std::string &name,
              NpyArray &array, std::string &error);

/// Writes a file aside and renames it; writes to devices and pipes in place.
/// data holds the elements of shape.
bool writeNpy(const std::string &path, tg_dtype_t dtype,
              std::span<const int64_t> shape, std::span<const char> data,
              std::string &error);

} // namespace tg

#endif // TG_TOOLS_COMMON_NPY_H
