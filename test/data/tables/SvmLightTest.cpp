//===- SvmLightTest.cpp - sparse rows as text -----------------------------===//
#include "tg/data/svmlight.hpp"
#include "tg/data/pipeline.hpp"

#include "test/data/Files.h"

#include <gmock/gmock.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class SvmLight : public FilesTest {
protected:
  std::string errorOfRow(const std::string &row, int64_t columns = 0) const {
    return errorOf([&] {
      openSvmLight(write("t.svm", "1 1:1\n" + row), columns).read(0, 1);
    });
  }
};

TEST_F(SvmLight, DenseRows) {
  const Dataset data =
      openFiles({write("t.svm", "# it's a \"comment\n+1 2:0.5 4:-3 # end\n\n"
                                "-1 qid:7\t1:2e1\n")});
  EXPECT_EQ(data.size(), 2u);
  EXPECT_EQ(data.type()[0].text(), "f32 [4]");
  EXPECT_THAT(data.read(0, 0).features[0].values<float>(),
              ElementsAre(0, 0.5f, 0, -3));
  EXPECT_THAT(data.read(0, 1).features[0].values<float>(),
              ElementsAre(20, 0, 0, 0));
  EXPECT_EQ(data.read(0, 0).features[1].values<float>()[0], 1);
  EXPECT_EQ(data.read(0, 1).features[1].values<float>()[0], -1);
}

TEST_F(SvmLight, DescribedColumns) {
  const Dataset data = openDescription(
      R"({"files": ")" + write("t.svm", "1 1:1\n") +
      R"(", "features": {"x": {"shape": [3]}, "label": {"type": "f32"}}})");
  EXPECT_THAT(data.read(0, 0).features[0].values<float>(),
              ElementsAre(1, 0, 0));
}

TEST_F(SvmLight, RefusesWrongRows) {
  const std::string place = path("t.svm") + ": record 1 at byte 6: ";
  EXPECT_EQ(errorOfRow("x 1:2"), place + "expected a label, found 'x'");
  EXPECT_EQ(errorOfRow("1 1"), place + "expected INDEX:VALUE, found '1'");
  EXPECT_EQ(errorOfRow("1 1:a"), place + "expected INDEX:VALUE, found '1:a'");
  EXPECT_EQ(errorOfRow("1 0:1"), place + "expected indices from 1 on in "
                                         "ascending order, found '0:1'");
  EXPECT_EQ(errorOfRow("1 2:1 2:1"), place + "expected indices from 1 on in "
                                             "ascending order, found '2:1'");
  EXPECT_EQ(errorOfRow("1 3:1", 2),
            place + "expected indices of at most 2, found 3");
  EXPECT_THAT(errorOfRow("1 9999999999999:1"),
              HasSubstr("expected at most 4194304 columns, unless their number "
                        "is stated, found 9999999999999"));
  EXPECT_THAT(errorOfRow("1 1:1", 9999999999999),
              HasSubstr("expected 1 to 2^32 columns, found 9999999999999"));
  EXPECT_THAT(errorOfRow("1", -1), HasSubstr("expected at least 0 columns"));
}

} // namespace
