/// .npy files: round iterations, and errors for invalid files.
#include "tools/common/Npy.h"
#include "tg/dtypes.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;

namespace {

/// Returns a file of format 1.0 with this header dictionary and `dataBytes`
/// bytes of data.
std::vector<char> makeFile(const std::string &header, size_t dataBytes) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 255);
  file += static_cast<char>(header.size() >> 8);
  file += header + std::string(dataBytes, '\1');
  return {file.begin(), file.end()};
}

/// Parses a file. Returns the error, or "" on success.
std::string parse(const std::vector<char> &file, NpyArray *into = nullptr) {
  NpyArray array;
  std::string error;
  if (!parseNpy(file, "x.npy", into ? *into : array, error)) {
    EXPECT_EQ(error.find("'x.npy': "), 0u) << error;
    return error;
  }
  return "";
}

const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(2, 3), }\n";

/// Returns a file with the valid header in which one text is replaced.
std::vector<char> changed(const std::string &from, const std::string &to,
                          size_t dataBytes = 24) {
  std::string header = good;
  const size_t at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return makeFile(header.replace(at, from.size(), to), dataBytes);
}

} // namespace

TEST(Npy, writesWhatItReads) {
  const std::string path = testing::TempDir() + "/tg-test.npy";
  const tg_dtype_t dtypes[] = {
#define TG_ROW(name, front, code, bits, ...) {TG_DTYPE_##code, bits, 1},
      TG_DTYPES(TG_ROW)
#undef TG_ROW
  };
  const std::vector<std::vector<int64_t>> shapes = {
      {}, {5}, {2, 3}, {0, 7}, {1, 1, 1, 1}};
  for (tg_dtype_t dtype : dtypes)
    for (const std::vector<int64_t> &shape : shapes) {
      size_t bytes = dtype.bits / 8;
      for (int64_t dim : shape)
        bytes *= static_cast<size_t>(dim);
      std::vector<char> data(bytes);
      for (size_t i = 0; i < bytes; ++i)
        data[i] = static_cast<char>(i);
      std::string error;
      ASSERT_TRUE(writeNpy(path, dtype, shape, data, error)) << error;
      NpyArray array;
      ASSERT_TRUE(readNpy(path, array, error)) << error;
      EXPECT_EQ(array.shape, shape);
      EXPECT_EQ(array.data, data);
      EXPECT_EQ(array.dtype.code, dtype.code);
      EXPECT_EQ(array.dtype.bits, dtype.bits);
    }
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_size % 64, 1); // the data is aligned
  ::unlink(path.c_str());
}

TEST(Npy, readsOtherSpellings) {
  NpyArray array;
  EXPECT_EQ(parse(makeFile(good, 24), &array), "");
  EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(parse(makeFile("{'shape':(2,3),'descr':'<f4','fortran_order':"
                           "False}",
                           24)),
            "");
  // A 1-D array has both Fortran and C order.
  EXPECT_EQ(parse(makeFile("{'descr': '<f4', 'fortran_order': True, 'shape': "
                           "(6,), }",
                           24)),
            "");
  std::vector<char> second = makeFile(good, 24);
  second[6] = 2; // format 2.0 has 4 bytes of length
  second.insert(second.begin() + 10, 2, '\0');
  EXPECT_EQ(parse(second), "");
}

TEST(Npy, refusesTruncations) {
  const std::vector<char> file = makeFile(good, 24);
  for (size_t i = 0; i < file.size(); ++i)
    EXPECT_NE(parse({file.begin(), file.begin() + static_cast<long>(i)}), "")
        << i;
}

TEST(Npy, refusesWrongSizes) {
  EXPECT_EQ(parse(makeFile(good, 23)),
            "'x.npy': 23 bytes of data, expected 24");
  EXPECT_NE(parse(makeFile(good, 25)), "");
  for (const char *shape :
       {"(2, 4)", "(-1, 3)", "(2, -3)", "(2, 9223372036854775808)",
        "(4611686018427387904, 4)", "(4294967296, 4294967296)", "(2, 3.0)",
        "(2, 3", "2, 3)", "(2 3)", "[2, 3]", "(2L, 3)", "(True, 3)",
        "(2, 3,, )"})
    EXPECT_NE(parse(changed("(2, 3)", shape)), "") << shape;
  std::string deep = "(";
  for (int i = 0; i < 40; ++i)
    deep += "1, ";
  EXPECT_NE(parse(changed("(2, 3)", deep + ")", 4)), "");
  // An array with a zero dimension is empty, even if the product of the others
  // overflows.
  EXPECT_EQ(parse(changed("(2, 3)", "(0, 9223372036854775807, 9)", 0)), "");
}

TEST(Npy, refusesWrongHeaders) {
  for (const char *descr : {"'>f4'", "'<f2'", "'|O'", "'<U10'", "'<c8'", "''",
                            "[('a', '<f4')]", "'<f4", "<f4"})
    EXPECT_NE(parse(changed("'<f4'", descr)), "") << descr;
  EXPECT_EQ(parse(changed("False", "True")),
            "'x.npy': Fortran order, expected C order");
  EXPECT_NE(parse(changed("False", "Maybe")), "");
  EXPECT_NE(parse(changed("'descr': '<f4', ", "")), "");
  EXPECT_NE(parse(changed("'descr'", "'shape'")), "");
  EXPECT_NE(parse(changed("}", "} import os")), "");
  EXPECT_NE(parse(changed("{", "")), "");
  EXPECT_NE(parse(makeFile(std::string(5000, '('), 24)), "");
}

TEST(Npy, refusesOtherFormats) {
  std::vector<char> file = makeFile(good, 24);
  file[6] = 9;
  EXPECT_EQ(parse(file), "'x.npy': format version 9, expected 1 to 3");
  file = makeFile(good, 24);
  file[0] = 'P';
  EXPECT_EQ(
      parse(file),
      "'x.npy': expected a .npy file, found one that begins with 'PNUMPY'");
  file = makeFile(good, 24);
  file[8] = file[9] = '\xff'; // a header of 65535 bytes
  EXPECT_NE(parse(file), "");
  file = makeFile(good, 24);
  file[6] = 2; // four bytes of length, two of them text
  EXPECT_NE(parse(file), "");
}

TEST(Npy, refusesPathsThatAreNoFiles) {
  NpyArray array;
  std::string error;
  EXPECT_FALSE(readNpy("/nonexistent.npy", array, error));
  EXPECT_FALSE(readNpy("/", array, error));
  EXPECT_FALSE(readNpy("/dev/zero", array, error));
  const std::string fifo = testing::TempDir() + "/tg-npy-fifo";
  ::unlink(fifo.c_str());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_FALSE(readNpy(fifo, array, error)); // and does not hang
  ::unlink(fifo.c_str());
  EXPECT_FALSE(writeNpy("/nonexistent/x.npy", {TG_DTYPE_FLOAT, 32, 1}, {},
                        std::vector<char>(4), error));
  EXPECT_FALSE(writeNpy(testing::TempDir() + "/half.npy",
                        {TG_DTYPE_FLOAT, 16, 1}, {}, std::vector<char>(2),
                        error));
}

TEST(Npy, holesAreNotReadBeforeTheHeaderFits) {
  const std::string path = testing::TempDir() + "/tg-huge.npy";
  const std::vector<char> file = makeFile(good, 24);
  std::FILE *stream = std::fopen(path.c_str(), "w");
  ASSERT_EQ(std::fwrite(file.data(), 1, file.size(), stream), file.size());
  std::fclose(stream);
  ASSERT_EQ(::truncate(path.c_str(), int64_t(1) << 40), 0);
  NpyArray array;
  std::string error;
  EXPECT_FALSE(readNpy(path, array, error));
  EXPECT_NE(error.find("bytes of data, expected 24"), std::string::npos)
      << error;
  ::unlink(path.c_str());
}

TEST(Npy, messagesShowNoControlCharacters) {
  EXPECT_EQ(
      parse(changed("<f4", "\x1b[2J\nz\xff")),
      "'x.npy': element type '?[2J?z?', expected <f4, <f8, |i1, <i2, <i4, "
      "<i8, |u1 or |b1");
}

TEST(Npy, pipesAreWrittenInPlace) {
  const std::string path = testing::TempDir() + "/tg-npy-pipe";
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  std::string error;
  const char data[4] = {1, 2, 3, 4};
  EXPECT_TRUE(writeNpy(path, {TG_DTYPE_FLOAT, 32, 1}, {}, data, error))
      << error;
  std::vector<char> found(4096);
  const ssize_t count = ::read(reader, found.data(), found.size());
  ::close(reader);
  ASSERT_GT(count, 0);
  found.resize(static_cast<size_t>(count));
  NpyArray array;
  EXPECT_EQ(parse(found, &array), "");
  EXPECT_EQ(array.data, std::vector<char>(data, data + 4));
  ::unlink(path.c_str());
}
