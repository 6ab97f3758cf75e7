//===- ArraysTest.cpp - arrays in NPY, NPZ, IDX and CIFAR files -----------===//
#include "tg/data/arrays.hpp"

#include "test/data/Files.h"
#include "test/data/Support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Arrays : public FilesTest {
protected:
  static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

/// Returns a file of NumPy's with a header, for i64 [3, 2].
std::string npyOf(const std::string &shape, const std::string &elements) {
  std::string header =
      "{'descr': '<i8', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(118, ' ');
  header.back() = '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + elements;
}

std::string elementsOf(std::vector<int64_t> numbers) {
  return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * 8};
}

TEST_F(Arrays, NpyRowsAreReadFromTheFile) {
  const std::string file =
      write("points.npy", npyOf("(3, 2)", elementsOf({0, 1, 2, 3, 4, 5})));
  const Dataset data = openNpy(file);
  EXPECT_EQ(data.size(), 3u);
  EXPECT_EQ(data.type()[0].name, "points");
  EXPECT_EQ(data.type()[0].text(), "i64 [2]");
  EXPECT_THAT(epochOf(data), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                                         ElementsAre(4, 5)));
  EXPECT_THAT(data.places(0, 1), ElementsAre(file + ":1"));
  const Feature all = readNpy(file);
  EXPECT_THAT(all.shape(), ElementsAre(3, 2));
  EXPECT_THAT(all.values<int64_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  const Feature one = readNpy(write("one.npy", npyOf("()", elementsOf({7}))));
  EXPECT_THAT(one.shape(), ElementsAre());
  EXPECT_THAT(one.values<int64_t>(), ElementsAre(7));
}

TEST_F(Arrays, NpyRefusesEachTruncation) {
  const std::string whole = npyOf("(3, 2)", elementsOf({0, 1, 2, 3, 4, 5}));
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string file = write("cut.npy", whole.substr(0, length));
    EXPECT_THAT(errorOf([&] { openNpy(file); }), HasSubstr(file));
    EXPECT_THAT(errorOf([&] { readNpy(file); }), HasSubstr(file));
  }
  EXPECT_THAT(
      errorOf([&] { openNpy(write("one.npy", npyOf("()", elementsOf({1})))); }),
      HasSubstr("expected an array with rows"));
  EXPECT_THAT(errorOf([&] { openNpy(directory); }), HasSubstr(directory));
  EXPECT_THAT(errorOf([&] { openNpy(path("none.npy")); }),
              HasSubstr("none.npy"));
}

TEST_F(Arrays, FileThatShrinksIsAnError) {
  const std::string file =
      write("points.npy", npyOf("(3, 2)", elementsOf({0, 1, 2, 3, 4, 5})));
  const Dataset data = openNpy(file);
  std::filesystem::resize_file(file, 150);
  EXPECT_THAT(errorOf([&] { data.read(0, 0); }),
              HasSubstr(file +
                        ": record 0 at byte 128: expected the file as it "
                        "was when the data set was made"));
  EXPECT_THAT(errorOf([&] { data.read(0, 2); }),
              HasSubstr(file + ": record 2 at byte 160: "));
}

TEST_F(Arrays, NpzRoundTrip) {
  Feature numbers(i64, {2, 3});
  std::iota(numbers.values<int64_t>().begin(), numbers.values<int64_t>().end(),
            0);
  const Feature empty({TG_DTYPE_FLOAT, 32, 1}, {0, 4});
  Feature one({TG_DTYPE_UINT, 8, 1}, {});
  one.values<uint8_t>()[0] = 7;
  writeNpz(path("a.npz"),
           {{"numbers.3", numbers}, {"empty", empty}, {"one", one}});
  const std::vector<NamedFeature> read = readNpz(path("a.npz"));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].name, "numbers.3");
  EXPECT_THAT(read[0].array.shape(), ElementsAre(2, 3));
  EXPECT_THAT(read[0].array.values<int64_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(read[1].array.shape(), ElementsAre(0, 4));
  EXPECT_THAT(read[2].array.values<uint8_t>(), ElementsAre(7));
  writeNpz(path("b.npz"),
           {{"numbers.3", numbers}, {"empty", empty}, {"one", one}});
  EXPECT_EQ(contents(path("a.npz")), contents(path("b.npz")));
}

TEST_F(Arrays, NpzRowsAreExamples) {
  Feature x(i64, {2, 2}), y(i64, {2}), z(i64, {3});
  std::iota(x.values<int64_t>().begin(), x.values<int64_t>().end(), 0);
  y.values<int64_t>()[0] = 8;
  y.values<int64_t>()[1] = 9;
  writeNpz(path("a.npz"), {{"x", x}, {"y", y}});
  EXPECT_THAT(epochOf(openNpz(path("a.npz"))),
              ElementsAre(ElementsAre(0, 1, 8), ElementsAre(2, 3, 9)));
  writeNpz(path("a.npz"), {{"x", x}, {"z", z}});
  EXPECT_EQ(errorOf([&] { openNpz(path("a.npz")); }),
            path("a.npz") + ": array 'z': expected 2 rows, found 3");
}

/// Damaged archives give the arrays or an error, never other numbers.
TEST_F(Arrays, NpzRefusesDamage) {
  Feature x(i64, {2, 2});
  std::iota(x.values<int64_t>().begin(), x.values<int64_t>().end(), 0);
  writeNpz(path("a.npz"), {{"x", x}});
  const std::string whole = contents(path("a.npz"));
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(
        errorOf([&] { readNpz(write("cut.npz", whole.substr(0, length))); }),
        HasSubstr("cut.npz"))
        << length;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    std::vector<NamedFeature> read;
    if (errorOf([&] { read = readNpz(write("bad.npz", damaged)); }) !=
        "no error")
      continue;
    for (const NamedFeature &array : read)
      EXPECT_THAT(array.array.values<int64_t>(), ElementsAre(0, 1, 2, 3)) << i;
  }
}

std::string idxOf(char type, std::vector<char> dims, const std::string &bytes) {
  std::string file{0, 0, type, static_cast<char>(dims.size())};
  for (char dim : dims)
    file += std::string{0, 0, 0, dim};
  return file + bytes;
}

TEST_F(Arrays, IdxOfBytesAndBigEndianNumbers) {
  const Dataset bytes =
      openIdx(write("labels-idx1-ubyte", idxOf(8, {3}, std::string{5, 6, 7})));
  EXPECT_EQ(bytes.size(), 3u);
  EXPECT_EQ(bytes.read(0, 2).features[0].values<uint8_t>()[0], 7);
  const Dataset words =
      openIdx(write("w.idx", idxOf(0x0b, {1, 2}, std::string{1, 2, -1, -2})));
  EXPECT_EQ(words.type()[0].name, "w");
  EXPECT_THAT(words.read(0, 0).features[0].values<int16_t>(),
              ElementsAre(0x102, -2));
}

TEST_F(Arrays, CompressedIdx) {
  const std::string plain = idxOf(0x0b, {2, 1}, std::string{1, 2, 0, 4});
  gzFile file = gzopen(path("w.idx.gz").c_str(), "wb");
  gzwrite(file, plain.data(), static_cast<unsigned>(plain.size()));
  gzclose(file);
  const Dataset words = openIdx(path("w.idx.gz"));
  EXPECT_EQ(words.type()[0].name, "w");
  EXPECT_THAT(words.read(0, 1).features[0].values<int16_t>(), ElementsAre(4));
  const std::string whole = contents(path("w.idx.gz"));
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(
        errorOf([&] { openIdx(write("c.idx.gz", whole.substr(0, length))); }),
        "no error");
}

TEST_F(Arrays, IdxRefusesWrongHeaders) {
  const auto error = [&](const std::string &bytes) {
    return errorOf([&] { openIdx(write("bad.idx", bytes)); });
  };
  const std::string file = path("bad.idx");
  EXPECT_THAT(error(""), HasSubstr(file + ": expected an IDX file"));
  EXPECT_THAT(error(idxOf(7, {1}, "a")), HasSubstr("expected an IDX file"));
  EXPECT_THAT(error(idxOf(8, {2}, "a")),
              HasSubstr("expected 2 bytes for ui8 [2], found 1"));
  EXPECT_THAT(error(std::string{0, 0, 8, 9, 1}),
              HasSubstr("expected a header of 40 bytes, found 5"));
  const std::string huge = std::string{0, 0, 14, 3} + std::string(12, '\xff');
  EXPECT_THAT(error(huge), HasSubstr("expected less than 2^63 bytes"));
}

TEST_F(Arrays, CifarRecords) {
  std::string record(1, '\x03');
  for (int i = 0; i < 3072; ++i)
    record += static_cast<char>(i % 251);
  const Dataset ten = openCifar(write("batch.bin", record + record));
  EXPECT_EQ(ten.size(), 2u);
  const Example example = ten.read(0, 1);
  EXPECT_EQ(example.features[0].values<uint8_t>()[0], 3);
  EXPECT_THAT(example.features[1].shape(), ElementsAre(3, 32, 32));
  EXPECT_EQ(example.features[1].values<uint8_t>()[300], 300 % 251);
  const Dataset hundred =
      openCifar(write("train.bin", std::string(1, 2) + record));
  EXPECT_EQ(hundred.type()[0].name, "coarse_label");
  EXPECT_EQ(hundred.read(0, 0).features[1].values<uint8_t>()[0], 3);
  EXPECT_EQ(hundred.read(0, 0).features[2].values<uint8_t>()[300], 300 % 251);
  EXPECT_THAT(errorOf([&] { openCifar(write("cut.bin", record + "ab")); }),
              HasSubstr("expected whole records of 3073 or 3074 bytes, found"));
}

} // namespace
