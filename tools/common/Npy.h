/// Reads and writes tensors as .npy files, the format of NumPy.
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

/// Reads a file with an element type of tg/dtypes.h, little endian, in C order,
/// whose size matches its header exactly. On failure returns false and sets
/// error to one sentence that names the file.
bool readNpy(const std::string &path, NpyArray &array, std::string &error);

/// Parses the bytes of a file in memory; `name` stands for the file in errors.
bool parseNpy(std::span<const char> bytes, const std::string &name,
              NpyArray &array, std::string &error);

/// Writes a temporary file and renames it; writes to devices and pipes in
/// place. data holds the elements of shape.
bool writeNpy(const std::string &path, tg_dtype_t dtype,
              std::span<const int64_t> shape, std::span<const char> data,
              std::string &error);

} // namespace tg

#endif // TG_TOOLS_COMMON_NPY_H
