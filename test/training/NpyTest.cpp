/// .npy arrays, alone and in blocks: valid, truncated and hostile files.
#include <tg/training.hpp>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tg;

namespace {
/// A test with files in a directory that its end removes.
class NpyTest : public testing::Test {
protected:
  NpyTest() {
    directory = std::filesystem::temp_directory_path() /
                ("tg-npy-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory);
  }
  ~NpyTest() override { std::filesystem::remove_all(directory); }

  std::string write(const std::string &name, const std::string &bytes) {
    const std::string path = directory / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// Writes a file of elements as NumPy writes it.
  template <typename E>
  std::string writeArray(const std::string &name, const std::string &descr,
                         const std::string &shape,
                         const std::vector<E> &elements) {
    return write(name, arrayBytes(descr, shape, elements));
  }
  template <typename E>
  static std::string arrayBytes(const std::string &descr,
                                const std::string &shape,
                                const std::vector<E> &elements) {
    std::string header = "{'descr': '" + descr +
                         "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((10 + header.size() + 64) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\0", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char *>(elements.data()),
                 elements.size() * sizeof(E));
    return bytes;
  }
  template <typename Read> std::string errorOf(Read read) {
    try {
      read();
    } catch (const std::exception &error) {
      std::string text = error.what();
      for (size_t at;
           (at = text.find(directory.string() + "/")) != std::string::npos;)
        text.erase(at, directory.string().size() + 1);
      return text;
    }
    return "";
  }

  std::filesystem::path directory;
};
} // namespace

TEST_F(NpyTest, readsRows) {
  const std::string path =
      writeArray<float>("x", "<f4", "(2, 1, 3)", {1, 2, 3, 4, 5, 6});
  const NpyTable<float> table = readNpy<float>(path);
  EXPECT_EQ(table.dims, (std::vector<size_t>{2, 1, 3}));
  EXPECT_EQ(table.rowSize, 3u);
  EXPECT_EQ(table.rows().size(), 2u);
  EXPECT_EQ(table.elements, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const std::string scalar = writeArray<int64_t>("s", "<i8", "()", {7});
  EXPECT_EQ(readNpy<int32_t>(scalar).elements, (std::vector<int32_t>{7}));
  const std::string none = writeArray<float>("none", "<f4", "(0, 4)", {});
  EXPECT_EQ(readNpy<float>(none).rows().size(), 0u);
}

TEST_F(NpyTest, convertsNumbers) {
  const std::string doubles = writeArray<double>("d", "<f8", "(2,)", {0.5, -2});
  EXPECT_EQ(readNpy<float>(doubles).elements, (std::vector<float>{0.5f, -2}));
  const std::string longs =
      writeArray<int64_t>("l", "<i8", "(3,)", {1, -2, 300});
  EXPECT_EQ(readNpy<int32_t>(longs).elements,
            (std::vector<int32_t>{1, -2, 300}));
  EXPECT_EQ(readNpy<double>(longs).elements, (std::vector<double>{1, -2, 300}));
  EXPECT_EQ(errorOf([&] { readNpy<uint8_t>(longs); }),
            "l: element 1 is -2, expected a number that the requested type "
            "represents");
  EXPECT_EQ(errorOf([&] { readNpy<int8_t>(longs); }),
            "l: element 2 is 300, expected a number that the requested type "
            "represents");
  EXPECT_NE(errorOf([&] { readNpy<int32_t>(doubles); }), "");
  const std::string booleans = writeArray<uint8_t>("b", "|b1", "(2,)", {1, 0});
  EXPECT_EQ(readNpy<float>(booleans).elements, (std::vector<float>{1, 0}));
  EXPECT_EQ(readNpy<uint8_t>(booleans).elements, (std::vector<uint8_t>{1, 0}));
}

TEST_F(NpyTest, refusesEveryTruncation) {
  const std::string whole = arrayBytes<int16_t>("<i2", "(2, 2)", {1, 2, 3, 4});
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string path = write("cut", whole.substr(0, size));
    EXPECT_EQ(errorOf([&] { readNpy<float>(path); }).find("cut: "), 0u) << size;
  }
  const std::string path = write("long", whole + "x");
  EXPECT_EQ(errorOf([&] { readNpy<float>(path); }),
            "long: 9 bytes of data, expected 8");
}

TEST_F(NpyTest, doesNotTrustHeaders) {
  const auto error = [&](const std::string &descr, const std::string &shape) {
    const std::string path = writeArray<float>("h", descr, shape, {1});
    return errorOf([&] { readNpy<float>(path); });
  };
  EXPECT_NE(error("<f4", "(4294967296, 4294967296)").find("overflows"),
            std::string::npos);
  EXPECT_NE(error("<f4", "(1000000000000,)").find("bytes of data"),
            std::string::npos);
  EXPECT_NE(error(">f4", "(1,)").find("element type '>f4', expected <f4"),
            std::string::npos);
  const std::string path = writeArray<float>("e", "<f4", "(3, 0)", {});
  EXPECT_EQ(errorOf([&] { readNpy<float>(path); }),
            "e: expected rows with elements, found f32 [3, 0]");
  EXPECT_NE(errorOf([&] { readNpy<float>(directory / "nowhere"); }), "");
}

TEST_F(NpyTest, areWhatBlocksLoad) {
  const std::string x0 =
      writeArray<double>("x0", "<f8", "(2, 2)", {1, 2, 3, 4});
  const std::string y0 = writeArray<int64_t>("y0", "<i8", "(2,)", {7, 8});
  const std::string x1 = writeArray<float>("x1", "<f4", "(1, 2)", {5, 6});
  const std::string y1 = writeArray<int32_t>("y1", "<i4", "(1,)", {9});
  for (bool preloads : {false, true}) {
    DataBlocks<float, int32_t> blocks({{x0, y0}, {x1, y1}},
                                      {.preloads = preloads});
    std::vector<float> xs;
    std::vector<int32_t> ys;
    while (const auto *block = blocks.next())
      for (auto [x, y] : block->batches()) {
        xs.insert(xs.end(), x.values().begin(), x.values().end());
        ys.insert(ys.end(), y.values().begin(), y.values().end());
      }
    EXPECT_EQ(xs, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(ys, (std::vector<int32_t>{7, 8, 9}));
  }
  DataBlocks<float, int32_t> uneven({{x0, y1}});
  EXPECT_EQ(errorOf([&] { uneven.next(); }),
            "y1: expected the 2 rows of x0, found 1");
  DataBlocks<float> many({{x0, x1}});
  EXPECT_EQ(errorOf([&] { many.next(); }),
            "expected 1 .npy files for a block, found 2");
}
