//===- CsvTest.cpp - tables as text ---------------------------------------===//
#include "tg/data/csv.hpp"
#include "tg/data/pipeline.hpp"

#include "test/data/Files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Csv : public FilesTest {
protected:
  std::string write(const std::string &text,
                    const std::string &name = "t.csv") const {
    return FilesTest::write(name, text);
  }
  static float at(const Dataset &data, uint64_t row, size_t feature) {
    return data.read(0, row).features[feature].values<float>()[0];
  }
  /// Returns the message for the first row that is wrong.
  std::string errorOfRows(const std::string &text,
                          std::vector<CsvFeature> features = {}) const {
    return errorOf([&] {
      const Dataset data = openCsv(write(text), features);
      for (uint64_t row = 0; row < data.size(); ++row)
        data.read(0, row);
    });
  }
};

TEST_F(Csv, ColumnsAreFeatures) {
  const Dataset data = openCsv(write("x,\"y, z\"\r\n1,2.5\r\n\r\n-3,+1e3"));
  EXPECT_EQ(data.size(), 2u);
  EXPECT_EQ(data.type()[1].name, "y, z");
  EXPECT_EQ(data.type()[1].text(), "f32 []");
  EXPECT_EQ(at(data, 0, 1), 2.5f);
  EXPECT_EQ(at(data, 1, 0), -3);
  EXPECT_EQ(at(data, 1, 1), 1000);
  EXPECT_THAT(data.places(0, 1), ElementsAre(HasSubstr("t.csv:1")));
}

TEST_F(Csv, NumbersWithoutNames) {
  const Dataset data = openCsv(write("1\t2\n3\t4\n", "t.tsv"));
  EXPECT_EQ(data.size(), 2u);
  EXPECT_EQ(data.type()[1].name, "c1");
  EXPECT_EQ(at(data, 0, 1), 2);
}

TEST_F(Csv, BlanksAroundFields) {
  // Rows with quotes are divided by libcsv, others without it.
  for (const char *quoted : {"", "\""}) {
    const std::string name = std::string(quoted) + "c" + quoted;
    const Dataset data =
        openCsv(write(" a\t, b ," + name + "\n 1 ,\t2,3\t\n4, 5 ," + quoted +
                      "6" + quoted + " \n"));
    EXPECT_EQ(data.type()[0].name, "a");
    EXPECT_EQ(data.type()[1].name, "b");
    EXPECT_EQ(data.type()[2].name, "c");
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(at(data, 0, i), float(i + 1));
      EXPECT_EQ(at(data, 1, i), float(i + 4));
    }
  }
  EXPECT_THAT(errorOfRows("a,b\n1,\n"), HasSubstr("column 'b': expected f32"));
  EXPECT_THAT(errorOfRows("a,b\n \t\n"), HasSubstr("expected 2 fields"));
}

TEST_F(Csv, RowsWithLineEndsInQuotes) {
  const Dataset data = openCsv(
      write("text,n\n\"a\nb\",1\n\"say \"\"x\"\"\",2\n"), {{"n", {"n"}, true}});
  EXPECT_EQ(data.size(), 2u);
  EXPECT_EQ(at(data, 0, 0), 1);
  EXPECT_EQ(at(data, 1, 0), 2);
}

TEST_F(Csv, ManyRowsOfDifferentLengths) {
  std::string text = "n,pad\n";
  for (int row = 0; row < 1000; ++row)
    text += std::to_string(row) + "," + std::string(size_t(1 + row % 97), '7') +
            "\n";
  const Dataset data = openCsv(write(text), {{"n", {"n"}, true}});
  ASSERT_EQ(data.size(), 1000u);
  for (uint64_t row = 0; row < 1000; ++row)
    EXPECT_EQ(at(data, row, 0), float(row));
}

/// Rows longer than the buffers that read them.
TEST_F(Csv, LongRows) {
  std::string text;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 20000; ++column)
      text += std::to_string(row * 100000 + column) + ",";
    text.back() = '\n';
  }
  const std::string path = write(text);
  EXPECT_EQ(csvColumns(path).size(), 20000u);
  const Dataset data = openCsv(path, {{"ends", {"c0", "c19999"}}});
  EXPECT_THAT(data.read(0, 2).features[0].values<float>(),
              ElementsAre(200000, 219999));
}

TEST_F(Csv, RangesOfColumns) {
  const std::string path = write("a,b,c,d:e\n1,2,3,4\n5,6,7,8\n");
  const Dataset data = openCsv(path, {{"x", {"b:c", "a"}},
                                      {"one", {"b:b"}, true},
                                      {"colon", {"d:e"}, true},
                                      {"c"}});
  EXPECT_EQ(data.type()[0].text(), "f32 [3]");
  const Example row = data.read(0, 1);
  EXPECT_THAT(row.features[0].values<float>(), ElementsAre(6, 7, 5));
  EXPECT_THAT(row.features[1].values<float>(), ElementsAre(6));
  EXPECT_THAT(row.features[2].values<float>(), ElementsAre(8));
  EXPECT_EQ(data.type()[3].text(), "f32 []");
  EXPECT_THAT(row.features[3].values<float>(), ElementsAre(7));
  const auto error = [&](CsvFeature feature) {
    return errorOf([&] { openCsv(path, {feature}); });
  };
  const std::string begin = path + ": feature 'x': expected ";
  const std::string range = "FIRST:LAST, two columns in their order, found ";
  EXPECT_EQ(error({"x", {"c:b"}}), begin + range + "'c:b'");
  EXPECT_EQ(error({"x", {"a:z"}}), begin + range + "'a:z'");
  EXPECT_EQ(error({"x", {":"}}), begin + range + "':'");
  EXPECT_EQ(error({"x", {"z"}}), begin + "a column of the table, found 'z'");
  EXPECT_EQ(error({"x", {"a:b"}, true}),
            begin + "one column of a scalar, found 2");
}

TEST_F(Csv, DescribedFeatures) {
  const std::string path = write("a,b,c,label\n1,2,3,4\n5,6,7,8\n");
  const Dataset data = openDescription(
      R"({"files": ")" + path +
      R"(", "features": {"x": {"columns": "a:c"}, "ca": {"type": "i16", "columns": ["c", "a"]},
          "label": {"type": "i32"}}})");
  EXPECT_EQ(data.type()[0].text(), "f32 [3]");
  EXPECT_EQ(data.type()[2].text(), "i32 []");
  const Example row = data.read(0, 1);
  EXPECT_THAT(row.features[0].values<float>(), ElementsAre(5, 6, 7));
  EXPECT_THAT(row.features[1].values<int16_t>(), ElementsAre(7, 5));
  EXPECT_THAT(row.features[2].values<int32_t>(), ElementsAre(8));
  const auto error = [&](const std::string &features) {
    return errorOf([&] {
      openDescription(R"({"files": ")" + path + R"(", "features": )" +
                      features + "}");
    });
  };
  EXPECT_EQ(error(R"({"x": {"columns": "c:a"}})"),
            path + ": feature 'x': expected FIRST:LAST, two columns in their "
                   "order, found 'c:a'");
  EXPECT_EQ(error(R"({"z": {}})"),
            path + ": feature 'z': expected a column of the table, found 'z'");
  EXPECT_EQ(error(R"({"x": {"columns": 3}})"),
            "features.x.columns: expected FIRST:LAST or a list of columns, "
            "found 3");
}

TEST_F(Csv, RefusesWrongRows) {
  const std::string path = directory + "/t.csv";
  EXPECT_EQ(errorOfRows("a,b\n1,2\n3\n"),
            path + ": record 1 at byte 8: expected 2 fields, found 1");
  EXPECT_EQ(errorOfRows("a,b\n1,x\n"),
            path + ": record 0 at byte 4: column 'b': expected f32, found 'x'");
  EXPECT_EQ(errorOfRows("a,b\n1,\n"),
            path + ": record 0 at byte 4: column 'b': expected f32, found ''");
  EXPECT_THAT(
      errorOfRows("a\n300\n", {{"a", {"a"}, true, {TG_DTYPE_UINT, 8, 1}}}),
      HasSubstr("column 'a': expected ui8, found '300'"));
  EXPECT_THAT(
      errorOfRows("a\n2\n", {{"a", {"a"}, true, {TG_DTYPE_BOOL, 8, 1}}}),
      HasSubstr("expected i1, found '2'"));
  EXPECT_EQ(errorOfRows(""), path + ": expected a row with the names of "
                                    "columns, found none");
  EXPECT_EQ(errorOfRows("a,b\n1,\"2\n3,4\n"),
            path + ": expected a quote at the end of a field, found the end of "
                   "the file");
  EXPECT_THAT(errorOfRows("a,b\n1,\"2\"x\n"),
              HasSubstr("record 0 at byte 4: expected fields as in RFC 4180"));
}

} // namespace
