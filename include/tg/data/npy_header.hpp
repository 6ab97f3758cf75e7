/// The header of .npy files, the format of NumPy: a defensive parser, and a
/// writer.
#ifndef TG_DATA_NPY_HEADER_HPP
#define TG_DATA_NPY_HEADER_HPP

#include "../cxx20.h"
#include "../dtypes.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace tg::npy {

inline constexpr char magic[] = "\x93NUMPY";
inline constexpr size_t magicBytes = 6;

/// An element type and its name in the format.
struct NamedDtype {
  const char *descr;
  tg_dtype_t dtype;
};

inline constexpr NamedDtype namedDtypes[] = {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  {npy, {TG_DTYPE_##code, bits, 1}},
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
};

inline constexpr size_t headerLimit = 65536;
inline constexpr size_t rankLimit = 32;
/// The upper bound of the number of bytes before the elements of a file.
inline constexpr size_t frontLimit = magicBytes + 6 + headerLimit;

/// Returns the names of all element types for a message.
inline std::string listNames() {
  std::string list;
  for (const NamedDtype &named : namedDtypes) {
    if (!list.empty())
      list += &named == std::end(namedDtypes) - 1 ? " or " : ", ";
    list += named.descr;
  }
  return list;
}

/// Returns at most 32 characters of a file for a message, with characters
/// other than printable ASCII replaced by '?'.
inline std::string printable(std::string text) {
  text.resize(std::min<size_t>(text.size(), 32));
  for (char &c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return text;
}

/// A parser for the dictionary of the header, a Python literal with three known
/// keys.
class HeaderReader {
public:
  HeaderReader(const char *first, const char *last)
      : position(first), end(last) {}

  /// Parses the header. Returns false and sets `error` unless it has the three
  /// keys once each.
  bool read();

  std::string descr;
  bool isFortran = false;
  std::vector<int64_t> shape;
  std::string error;

private:
  /// Returns false and sets `error`. An empty `found` stands for the text that
  /// was not read yet.
  bool refuse(const char *expected, std::string found = "");
  void skipSpace() {
    while (position < end && (*position == ' ' || *position == '\n'))
      ++position;
  }
  /// Consumes the text if it comes next. Returns true if it did.
  bool take(const char *text) {
    skipSpace();
    const size_t length = std::strlen(text);
    if (static_cast<size_t>(end - position) < length ||
        std::memcmp(position, text, length) != 0)
      return false;
    position += length;
    return true;
  }
  bool readString(std::string &text);
  bool readShape();
  bool readEntry();

  const char *position, *end;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};

inline bool HeaderReader::refuse(const char *expected, std::string found) {
  if (found.empty())
    found =
        position == end ? "the end" : "'" + printable({position, end}) + "'";
  error = std::string("expected ") + expected + ", found " + found;
  return false;
}

inline bool HeaderReader::readString(std::string &text) {
  if (!take("'"))
    return false;
  const void *quote =
      std::memchr(position, '\'', static_cast<size_t>(end - position));
  if (!quote)
    return false;
  text.assign(position, static_cast<const char *>(quote));
  position = static_cast<const char *>(quote) + 1;
  return true;
}

inline bool HeaderReader::readShape() {
  if (!take("("))
    return refuse("a tuple as 'shape'");
  while (!take(")")) {
    skipSpace();
    int64_t dim;
    const auto [next, status] = std::from_chars(position, end, dim);
    if (status != std::errc() || dim < 0)
      return refuse("dimensions from 0 to 2^63 - 1 in 'shape'");
    position = next;
    shape.push_back(dim);
    if (shape.size() > rankLimit)
      return refuse("at most 32 dimensions", "more");
    if (!take(",") && !(position < end && *position == ')'))
      return refuse("',' or ')' in 'shape'");
  }
  return true;
}

inline bool HeaderReader::readEntry() {
  std::string key;
  if (!readString(key) || !take(":"))
    return refuse("a key and ':'");
  if (key == "descr" && !hasDescr) {
    hasDescr = true;
    return readString(descr) || refuse("a simple type as 'descr'");
  }
  if (key == "fortran_order" && !hasOrder) {
    hasOrder = true;
    isFortran = take("True");
    return isFortran || take("False") ||
           refuse("True or False as 'fortran_order'");
  }
  if (key == "shape" && !hasShape) {
    hasShape = true;
    return readShape();
  }
  return refuse("the keys 'descr', 'fortran_order' and 'shape' once",
                "'" + printable(key) + "'");
}

inline bool HeaderReader::read() {
  if (!take("{"))
    return refuse("a dictionary");
  while (!take("}")) {
    if (!readEntry())
      return false;
    if (!take(",") && !(position < end && *position == '}'))
      return refuse("',' or '}'");
  }
  skipSpace();
  if (position != end)
    return refuse("nothing behind the dictionary");
  if (!hasDescr || !hasOrder || !hasShape)
    return refuse("the keys 'descr', 'fortran_order' and 'shape' once",
                  "fewer");
  return true;
}

/// Finds the text of the header. Its length precedes it in 2 or 4 bytes.
/// Returns false and sets `reason` on failure.
inline bool findHeader(std::span<const char> bytes, size_t &begin,
                       size_t &length, std::string &reason) {
  if (bytes.size() < magicBytes + 4 ||
      std::memcmp(bytes.data(), magic, magicBytes) != 0) {
    reason = "expected a .npy file, found one that begins with '" +
             printable({bytes.data(),
                        bytes.data() + std::min(bytes.size(), magicBytes)}) +
             "'";
    return false;
  }
  const int major = bytes[magicBytes];
  if (major < 1 || major > 3) {
    reason = "format version " + std::to_string(major) + ", expected 1 to 3";
    return false;
  }
  const size_t lengthBytes = major == 1 ? 2 : 4;
  begin = magicBytes + 2 + lengthBytes;
  if (bytes.size() < begin) {
    reason = "cut short in the header";
    return false;
  }
  length = 0;
  std::memcpy(&length, bytes.data() + magicBytes + 2, lengthBytes);
  const size_t limit = std::min(bytes.size() - begin, headerLimit);
  if (length > limit) {
    reason = "header of " + std::to_string(length) +
             " bytes, expected at most " + std::to_string(limit);
    return false;
  }
  return true;
}

/// Computes the size of an array in bytes. Returns false on overflow.
inline bool countBytes(const std::vector<int64_t> &shape, tg_dtype_t dtype,
                       uint64_t &bytes) {
  bytes = dtype.bits / 8;
  bool isEmpty = false, overflows = false;
  for (int64_t dim : shape) {
    isEmpty |= dim == 0;
    overflows |=
        __builtin_mul_overflow(bytes, static_cast<uint64_t>(dim), &bytes);
  }
  if (isEmpty)
    bytes = 0;
  return isEmpty || !overflows;
}

/// The contents of a file before the elements.
struct Front {
  tg_dtype_t dtype = {};
  std::vector<int64_t> shape;
  /// The offset of the elements, in bytes.
  size_t dataOffset = 0;
};

/// Parses type and shape from the first bytes of a file of `fileBytes` bytes.
/// `bytes` must include the whole header, up to frontLimit. The elements must
/// fill the rest of the file exactly. On failure returns false and sets
/// `reason`.
inline bool parseFront(std::span<const char> bytes, uint64_t fileBytes,
                       Front &front, std::string &reason) {
  size_t begin, length;
  if (!findHeader(bytes, begin, length, reason))
    return false;
  const auto refuse = [&](const std::string &what) {
    reason = what;
    return false;
  };
  HeaderReader header(bytes.data() + begin, bytes.data() + begin + length);
  if (!header.read())
    return refuse("bad header: " + header.error);
  const NamedDtype *found = nullptr;
  for (const NamedDtype &named : namedDtypes)
    if (header.descr == named.descr)
      found = &named;
  if (!found)
    return refuse("element type '" + printable(header.descr) + "', expected " +
                  listNames());
  if (header.isFortran && header.shape.size() > 1)
    return refuse("Fortran order, expected C order");
  front.dataOffset = begin + length;
  uint64_t needed;
  if (!countBytes(header.shape, found->dtype, needed))
    return refuse("the size of the array overflows");
  if (needed != fileBytes - front.dataOffset)
    return refuse(std::to_string(fileBytes - front.dataOffset) +
                  " bytes of data, expected " + std::to_string(needed));
  front.dtype = found->dtype;
  front.shape = std::move(header.shape);
  return true;
}

/// Makes the contents of a file before the elements: the magic, the version and
/// the dictionary, padded so that the elements begin at a multiple of 64 bytes.
/// Returns false for an element type that the format does not have.
inline bool makeFront(tg_dtype_t dtype, std::span<const int64_t> shape,
                      std::string &front) {
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
  front.assign(magic, magicBytes);
  front += '\x01';
  front += '\0';
  front += static_cast<char>(text.size() & 255);
  front += static_cast<char>(text.size() >> 8);
  front += text;
  return true;
}

} // namespace tg::npy

#endif // TG_DATA_NPY_HEADER_HPP
