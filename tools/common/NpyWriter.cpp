/// Writes .npy files.
#include "Npy.h"
#include "WholeFile.h"
#include "tg/training/npy_header.hpp"

using namespace tg;
using namespace tg::npy;

/// Builds the magic, the version and the dictionary, padded so that the data is
/// aligned.
static bool makeHeader(tg_dtype_t dtype, std::span<const int64_t> shape,
                       std::string &header) {
  const NamedDtype *found = nullptr;
  for (const NamedDtype &named : namedDtypes)
    if (named.dtype.code == dtype.code && named.dtype.bits == dtype.bits)
      found = &named;
  if (!found)
    return false;
  std::string text = std::string("{'descr': '") + found->descr +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : shape)
    text += std::to_string(dim) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  text += "), }";
  const size_t prefix = magicBytes + 4;
  text.resize((prefix + text.size() + 1 + 63) / 64 * 64 - prefix - 1, ' ');
  text += '\n';
  header.assign(magic, magicBytes);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  header += text;
  return true;
}

bool tg::writeNpy(const std::string &path, tg_dtype_t dtype,
                  std::span<const int64_t> shape, std::span<const char> data,
                  std::string &error) {
  std::string header;
  if (makeHeader(dtype, shape, header))
    return writeWholeFile(path, header, data, error);
  error = "'" + path + "': a .npy file cannot have this element type";
  return false;
}
