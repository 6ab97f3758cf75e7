/// Small files of all formats, and what reading them gives.
#ifndef TG_TEST_DATA_HOSTILE_KINDS_H
#define TG_TEST_DATA_HOSTILE_KINDS_H

#include "runtime/data/arrays/Npy.h"
#include "test/data/Files.h"
#include "tg/data/arrays.hpp"
#include "tg/data/example.hpp"
#include "tg/data/images.hpp"
#include "tg/data/loader.hpp"
#include "tg/data/pipeline.hpp"

#include <algorithm>
#include <numeric>
#include <zlib.h>

namespace tg::data {

/// A format of files.
struct Kind {
  /// The name of a file of the format, which may be in directories of its own.
  const char *name;
  /// True if each change of a byte is noticed, or changes no element.
  bool hasChecksums = false;
  /// True if each file that is cut short is refused.
  bool noticesCuts = true;
};

inline constexpr Kind kinds[] = {
    // A file that ends between records has fewer of them.
    {"a.tfrecord", true, false},
    {"a.tfrecord.gz", true},
    {"a.tfrecord.zlib", true},
    {"a.npz", true},
    {"images/one/a.png", true},
    {"pictures/one/a.jpg"},
    {"a.npy"},
    {"a.safetensors"},
    {"a-ubyte"},
    {"a-ubyte.gz", true},
    {"a.bin"},
    {"a.bin.gz", true},
    // A row may end at the end of the file.
    {"a.csv", false, false},
    {"a.svm", false, false},
};

/// Returns the path that a user opens for a file: that of the directory for
/// images.
inline std::string sourceOf(const std::string &path) {
  const size_t images = path.rfind("/one/");
  return images == std::string::npos ? path : path.substr(0, images);
}

/// Compresses bytes as a gzip file.
inline std::string gzipped(const std::string &bytes) {
  z_stream stream = {};
  EXPECT_EQ(
      deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// Returns an IDX header of bytes with these extents.
inline std::string idxHeader(std::initializer_list<uint32_t> extents) {
  std::string header = {0, 0, 8, static_cast<char>(extents.size())};
  for (uint32_t extent : extents)
    for (int shift : {24, 16, 8, 0})
      header += static_cast<char>(extent >> shift & 255);
  return header;
}

/// Returns what reading a file gives: the types and bytes of all elements in
/// batches of two, or "refused: " and the message.
inline std::string outcomeOf(const Dataset &data) {
  try {
    Loader loader(data.batch({.size = 2}), {.threads = 0});
    std::string all;
    while (const Example *batch = loader.next())
      for (const Feature &feature : batch->features) {
        all += FeatureType{"", feature.dtype(), feature.shape()}.text() + ":";
        all.append(reinterpret_cast<const char *>(feature.data()),
                   feature.byteCount());
      }
    return all;
  } catch (const DataError &error) {
    return std::string("refused: ") + error.what();
  }
}
inline std::string outcomeOf(const std::string &path) {
  try {
    return outcomeOf(openFiles({sourceOf(path)}));
  } catch (const DataError &error) {
    return std::string("refused: ") + error.what();
  }
}

/// A test with a file of each format.
class HostileTest : public FilesTest {
protected:
  HostileTest() {
    Feature rows({TG_DTYPE_UINT, 8, 1}, {3, 2});
    std::iota(rows.values<uint8_t>().begin(), rows.values<uint8_t>().end(), 1);
    for (auto [name, encoding] : {std::pair{"a.tfrecord", Compression::none},
                                  {"a.tfrecord.gz", Compression::gzip},
                                  {"a.tfrecord.zlib", Compression::zlib}})
      writeTFRecords(path(name), {{"rows", rows}}, encoding);
    writeNpz(path("a.npz"), {{"rows", rows}, {"again", rows}});
    const std::string elements(reinterpret_cast<const char *>(rows.data()),
                               rows.byteCount());
    write("a.npy", npyHeader(rows) + elements);
    const std::string header =
        R"({"rows":{"dtype":"U8","shape":[3,2],"data_offsets":[0,6]}})";
    write("a.safetensors", std::string(1, char(header.size())) +
                               std::string(7, '\0') + header + elements);
    write("a-ubyte", idxHeader({3, 2}) + elements);
    write("a-ubyte.gz", gzipped(idxHeader({3, 2}) + elements));
    write("a.bin", std::string(3073, 'x'));
    write("a.bin.gz", gzipped(std::string(3073, 'x')));
    write("a.csv", "x,\"y\"\n1,2.5\n3,\"4\"\n5,6\n");
    write("a.svm", "1 1:2 3:4.5\n0 2:1 # two\n");
    writeImages();
  }

  std::string bytesOf(const Kind &kind) const {
    std::ifstream file(path(kind.name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

private:
  void writeImages() const {
    Feature image({TG_DTYPE_UINT, 8, 1}, {3, 2, 1});
    std::iota(image.values<uint8_t>().begin(), image.values<uint8_t>().end(),
              7);
    const std::vector<std::byte> png = encodePng(image);
    write("images/one/a.png",
          {reinterpret_cast<const char *>(png.data()), png.size()});
    write("pictures/one/a.jpg", jpeg());
  }
  static std::string jpeg();
};

} // namespace tg::data

#endif // TG_TEST_DATA_HOSTILE_KINDS_H
