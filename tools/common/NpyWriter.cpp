/// Writes .npy files.
#include "Npy.h"
#include "WholeFile.h"
#include "tg/data/npy_header.hpp"

using namespace tg;
using namespace tg::npy;

bool tg::writeNpy(const std::string &path, tg_dtype_t dtype,
                  std::span<const int64_t> shape, std::span<const char> data,
                  std::string &error) {
  std::string header;
  if (makeFront(dtype, shape, header))
    return writeWholeFile(path, header, data, error);
  error = "'" + path + "': a .npy file cannot have this element type";
  return false;
}
