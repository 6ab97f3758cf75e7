/// Tar archives for tests, made byte by byte.
#ifndef TG_TEST_DATA_ARCHIVES_TARFILES_H
#define TG_TEST_DATA_ARCHIVES_TARFILES_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <zlib.h>

namespace tg::data {

/// Returns the header and the padded contents of an entry of ustar. `size` is
/// stated in the header instead of the size of the contents.
inline std::string tarEntry(const std::string &name,
                            const std::string &contents, char type = '0',
                            std::optional<uint64_t> size = {}) {
  std::string header(512, '\0');
  const auto put = [&](size_t at, const std::string &text) {
    std::memcpy(header.data() + at, text.data(), text.size());
  };
  const auto octal = [](uint64_t number, int digits) {
    char text[32];
    std::snprintf(text, sizeof(text), "%0*llo", digits,
                  static_cast<unsigned long long>(number));
    return std::string(text);
  };
  put(0, name);
  put(100, "0000644");
  put(124, octal(size.value_or(contents.size()), 11));
  put(136, octal(0, 11));
  header[156] = type;
  if (type == '2')
    put(157, "target");
  put(257, std::string("ustar\00000", 8));
  std::memset(header.data() + 148, ' ', 8);
  unsigned sum = 0;
  for (unsigned char c : header)
    sum += c;
  put(148, octal(sum, 6) + '\0');
  std::string padded = contents;
  padded.resize((contents.size() + 511) / 512 * 512);
  return header + padded;
}

inline std::string tarEnd() { return std::string(1024, '\0'); }

inline std::string gzipped(const std::string &bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string contentsOf(const std::string &path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

} // namespace tg::data

#endif // TG_TEST_DATA_ARCHIVES_TARFILES_H
