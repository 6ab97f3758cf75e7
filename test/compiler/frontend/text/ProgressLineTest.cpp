//===- ProgressLineTest.cpp - Tests of the progress line ------------------===//
#include "compiler/frontend/text/ProgressLine.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
/// The time of the test clock.
ProgressLine::Seconds now(0);
ProgressLine::Seconds testClock() { return now; }

class ProgressLineTest : public testing::Test {
protected:
  ProgressLineTest() { now = ProgressLine::Seconds(0); }
  void showAt(double seconds, size_t done, ProgressLine &line) {
    now = ProgressLine::Seconds(seconds);
    line.show(done, 40);
  }
  std::string text;
  llvm::raw_string_ostream stream{text};
};

TEST_F(ProgressLineTest, showsWhatTakesLong) {
  {
    ProgressLine line(stream, /*isTerminal=*/true, testClock);
    showAt(1.9, 3, line);
    EXPECT_EQ(text, "");
    showAt(2.5, 4, line);
    EXPECT_EQ(text, "\r\x1b[K4 of 40 kernels compiled, 2 s");
    showAt(2.55, 5, line); // too soon to be read
    showAt(3.5, 6, line);
    EXPECT_EQ(text, "\r\x1b[K4 of 40 kernels compiled, 2 s"
                    "\r\x1b[K6 of 40 kernels compiled, 3 s");
  }
  EXPECT_EQ(llvm::StringRef(text).take_back(4), "\r\x1b[K");
}

TEST_F(ProgressLineTest, leavesNothingWhenAllIsDone) {
  ProgressLine line(stream, /*isTerminal=*/true, testClock);
  showAt(5, 39, line);
  showAt(6, 40, line);
  std::string before = text;
  EXPECT_EQ(llvm::StringRef(text).take_back(5), "s\r\x1b[K");
  showAt(7, 40, line);
  EXPECT_EQ(text, before);
}

TEST_F(ProgressLineTest, isNotForFiles) {
  ProgressLine line(stream, testClock);
  showAt(5, 3, line);
  showAt(6, 40, line);
  EXPECT_EQ(text, "");
}
} // namespace
