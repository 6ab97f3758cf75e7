//===- SafetensorsTest.cpp - rows of the tensors of safetensors files -----===//
#include "tg/data/arrays.hpp"
#include "tg/data/pipeline.hpp"

#include "test/data/Files.h"

#include <cstring>
#include <gmock/gmock.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Returns a file with this header, and data of some bytes 0, 1, 2 ...
std::string fileOf(const std::string &header, size_t bytes) {
  const uint64_t length = header.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, sizeof(length));
  file += header;
  for (size_t i = 0; i < bytes; ++i)
    file += static_cast<char>(i);
  return file;
}

class Safetensors : public FilesTest {
protected:
  std::string errorOfHeader(const std::string &header, size_t bytes) const {
    return errorOf([&] {
      openSafetensors(write("t.safetensors", fileOf(header, bytes)));
    });
  }
};

const char *const kTwo =
    R"({"__metadata__": {"a": "b"},
        "y": {"dtype": "I16", "shape": [2, 2], "data_offsets": [2, 10]},
        "x": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}})";

TEST_F(Safetensors, RowsOfAllTensors) {
  const Dataset data = openFiles({write("t.safetensors", fileOf(kTwo, 10))});
  EXPECT_EQ(data.size(), 2u);
  EXPECT_EQ(data.type()[0].name, "y");
  EXPECT_EQ(data.type()[0].text(), "i16 [2]");
  const Example row = data.read(0, 1);
  EXPECT_THAT(row.features[0].values<int16_t>(), ElementsAre(0x706, 0x908));
  EXPECT_THAT(row.features[1].values<uint8_t>(), ElementsAre(1));
}

TEST_F(Safetensors, RefusesEachTruncation) {
  const std::string whole = fileOf(kTwo, 10);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(errorOf([&] {
                  openSafetensors(
                      write("cut.safetensors", whole.substr(0, length)));
                }),
                HasSubstr("cut.safetensors: expected"))
        << length;
}

TEST_F(Safetensors, RefusesWrongHeaders) {
  EXPECT_THAT(errorOfHeader("[1]", 0), HasSubstr("expected a header in JSON"));
  EXPECT_THAT(errorOfHeader("{}", 0), HasSubstr("at least one tensor"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U9", "shape": [2], "data_offsets": [0, 2]}})", 2),
      HasSubstr("expected an element type of safetensors, found 'U9'"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U8", "shape": [3], "data_offsets": [0, 2]}})", 2),
      HasSubstr("tensor 'x'.data_offsets: expected 3 bytes for ui8 [3]"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}})", 3),
      HasSubstr("tensor 'x': expected data from 0 on, found 1"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}})", 3),
      HasSubstr("expected 2 bytes of data, found 3"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U8", "shape": [], "data_offsets": [0, 1]}})", 1),
      HasSubstr("tensor 'x': expected a tensor with rows, found a scalar"));
  EXPECT_THAT(
      errorOfHeader(
          R"({"x": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
              "y": {"dtype": "U8", "shape": [1], "data_offsets": [2, 3]}})",
          3),
      HasSubstr("tensor 'y': expected 2 rows, found 1"));
  EXPECT_THAT(errorOfHeader(
                  R"({"x": {"dtype": "F64", "shape": [4611686018427387904, 4],
                    "data_offsets": [0, 2]}})",
                  2),
              HasSubstr("expected less than 2^63 bytes"));
}

} // namespace
