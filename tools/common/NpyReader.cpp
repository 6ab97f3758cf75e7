/// Reads .npy files with mistrust.
#include "Npy.h"
#include "NpyFormat.h"
#include "WholeFile.h"

#include <charconv>
#include <fcntl.h>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;
using namespace tg::npy;

static constexpr size_t headerLimit = 65536;
static constexpr size_t rankLimit = 32;

/// The names for a message.
static std::string listNames() {
  std::string list;
  for (const NamedDtype &named : namedDtypes) {
    if (!list.empty())
      list += &named == std::end(namedDtypes) - 1 ? " or " : ", ";
    list += named.descr;
  }
  return list;
}

namespace {

/// Reads the header's dictionary: a literal of Python with three known keys.
class HeaderReader {
public:
  HeaderReader(const char *begin, const char *end) : at(begin), end(end) {}

  /// False, with `wrong` set, unless the header has the three keys once each.
  bool read();

  std::string descr;
  bool isFortran = false;
  std::vector<int64_t> shape;
  const char *wrong = nullptr;

private:
  bool refuse(const char *what) {
    wrong = what;
    return false;
  }
  void skipSpace() {
    while (at < end && (*at == ' ' || *at == '\n'))
      ++at;
  }
  /// Takes the text if it comes next.
  bool take(const char *text) {
    skipSpace();
    const size_t length = std::strlen(text);
    if (static_cast<size_t>(end - at) < length ||
        std::memcmp(at, text, length) != 0)
      return false;
    at += length;
    return true;
  }
  bool readString(std::string &text);
  bool readShape();
  bool readEntry();

  const char *at, *end;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};

} // namespace

bool HeaderReader::readString(std::string &text) {
  if (!take("'"))
    return false;
  const void *quote = std::memchr(at, '\'', static_cast<size_t>(end - at));
  if (!quote)
    return false;
  text.assign(at, static_cast<const char *>(quote));
  at = static_cast<const char *>(quote) + 1;
  return true;
}

bool HeaderReader::readShape() {
  if (!take("("))
    return refuse("expected a tuple as 'shape'");
  while (!take(")")) {
    skipSpace();
    int64_t dim;
    const auto [next, status] = std::from_chars(at, end, dim);
    if (status != std::errc() || dim < 0)
      return refuse("expected dimensions from 0 to 2^63 - 1 in 'shape'");
    at = next;
    shape.push_back(dim);
    if (shape.size() > rankLimit)
      return refuse("expected at most 32 dimensions");
    if (!take(",") && !(at < end && *at == ')'))
      return refuse("expected ',' or ')' in 'shape'");
  }
  return true;
}

bool HeaderReader::readEntry() {
  std::string key;
  if (!readString(key) || !take(":"))
    return refuse("expected a key and ':'");
  if (key == "descr" && !hasDescr) {
    hasDescr = true;
    return readString(descr) || refuse("expected a simple type as 'descr'");
  }
  if (key == "fortran_order" && !hasOrder) {
    hasOrder = true;
    isFortran = take("True");
    return isFortran || take("False") ||
           refuse("expected True or False as 'fortran_order'");
  }
  if (key == "shape" && !hasShape) {
    hasShape = true;
    return readShape();
  }
  return refuse("expected the keys 'descr', 'fortran_order' and 'shape' once");
}

bool HeaderReader::read() {
  if (!take("{"))
    return refuse("expected a dictionary");
  while (!take("}")) {
    if (!readEntry())
      return false;
    if (!take(",") && !(at < end && *at == '}'))
      return refuse("expected ',' or '}'");
  }
  skipSpace();
  if (at != end)
    return refuse("expected nothing behind the dictionary");
  if (!hasDescr || !hasOrder || !hasShape)
    return refuse(
        "expected the keys 'descr', 'fortran_order' and 'shape' once");
  return true;
}

/// Text of a file for a message: one line of characters that every terminal
/// shows.
static std::string printable(std::string text) {
  text.resize(std::min<size_t>(text.size(), 32));
  for (char &c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return text;
}

/// The header's text, whose length stands before it in 2 or 4 bytes.
static bool findHeader(std::span<const char> bytes, size_t &begin,
                       size_t &length, std::string &why) {
  if (bytes.size() < magicBytes + 4 ||
      std::memcmp(bytes.data(), magic, magicBytes) != 0) {
    why = "expected a .npy file";
    return false;
  }
  const int major = bytes[magicBytes];
  if (major < 1 || major > 3) {
    why = "format version " + std::to_string(major) + ", expected 1 to 3";
    return false;
  }
  const size_t lengthBytes = major == 1 ? 2 : 4;
  begin = magicBytes + 2 + lengthBytes;
  if (bytes.size() < begin) {
    why = "cut short in the header";
    return false;
  }
  length = 0;
  std::memcpy(&length, bytes.data() + magicBytes + 2, lengthBytes);
  const size_t most = std::min(bytes.size() - begin, headerLimit);
  if (length > most) {
    why = "header of " + std::to_string(length) + " bytes, expected at most " +
          std::to_string(most);
    return false;
  }
  return true;
}

/// The bytes of an array; false if the number overflows.
static bool countBytes(const std::vector<int64_t> &shape, tg_dtype_t dtype,
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

/// Reads type and shape from the first bytes of a file of `fileBytes`, all of
/// its header among them; dataAt is where the elements begin, which fill the
/// rest exactly.
static bool parseFront(std::span<const char> front, uint64_t fileBytes,
                       NpyArray &array, size_t &dataAt, std::string &why) {
  size_t begin, length;
  if (!findHeader(front, begin, length, why))
    return false;
  const auto refuse = [&](const std::string &what) {
    why = what;
    return false;
  };
  HeaderReader header(front.data() + begin, front.data() + begin + length);
  if (!header.read())
    return refuse(std::string("bad header: ") + header.wrong);
  const NamedDtype *found = nullptr;
  for (const NamedDtype &named : namedDtypes)
    if (header.descr == named.descr)
      found = &named;
  if (!found)
    return refuse("element type '" + printable(header.descr) + "', expected " +
                  listNames());
  if (header.isFortran && header.shape.size() > 1)
    return refuse("Fortran order, expected C order");
  dataAt = begin + length;
  uint64_t needed;
  if (!countBytes(header.shape, found->dtype, needed))
    return refuse("the size of the array overflows");
  if (needed != fileBytes - dataAt)
    return refuse(std::to_string(fileBytes - dataAt) +
                  " bytes of data, expected " + std::to_string(needed));
  array.dtype = found->dtype;
  array.shape = std::move(header.shape);
  return true;
}

bool tg::parseNpy(std::span<const char> bytes, const std::string &name,
                  NpyArray &array, std::string &error) {
  size_t dataAt;
  std::string why;
  if (!parseFront(bytes, bytes.size(), array, dataAt, why)) {
    error = "'" + name + "': " + why;
    return false;
  }
  array.data.assign(bytes.begin() + static_cast<ptrdiff_t>(dataAt),
                    bytes.end());
  return true;
}

/// Reads exactly so many bytes at `offset`.
static bool readBytes(int file, const std::string &path, uint64_t offset,
                      std::span<char> into, std::string &error) {
  for (size_t got = 0; got < into.size();) {
    const ssize_t count = ::pread(file, into.data() + got, into.size() - got,
                                  static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failErrno(path, "cannot read", error);
    if (count == 0) {
      error = "'" + path + "' became shorter while it was read";
      return false;
    }
    got += static_cast<size_t>(count);
  }
  return true;
}

/// Reads an open file: its front first, so that no memory is asked for before
/// the header was found to fit the file.
static bool readArray(int file, const std::string &path, NpyArray &array,
                      std::string &error) {
  struct stat status;
  if (::fstat(file, &status) != 0)
    return failErrno(path, "cannot stat", error);
  if (!S_ISREG(status.st_mode)) {
    error = "'" + path + "' is not a regular file";
    return false;
  }
  const auto fileBytes = static_cast<uint64_t>(status.st_size);
  std::vector<char> front(
      std::min<uint64_t>(fileBytes, magicBytes + 6 + headerLimit));
  if (!readBytes(file, path, 0, front, error))
    return false;
  size_t dataAt;
  std::string why;
  if (!parseFront(front, fileBytes, array, dataAt, why)) {
    error = "'" + path + "': " + why;
    return false;
  }
  array.data.resize(fileBytes - dataAt);
  return readBytes(file, path, dataAt, array.data, error);
}

bool tg::readNpy(const std::string &path, NpyArray &array, std::string &error) {
  // Does not wait for the writer of a FIFO.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return failErrno(path, "cannot open", error);
  const bool isRead = readArray(file, path, array, error);
  ::close(file);
  return isRead;
}
