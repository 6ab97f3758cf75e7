/// The output of a progress bar.
#include <tg/training/progress_bar.hpp>

#include <gtest/gtest.h>
#include <sstream>

using namespace tg;

namespace {
class ProgressBarTest : public testing::Test {
protected:
  ProgressBarOptions with(int verbose, size_t width = 10) {
    return {.width = width,
            .verbose = verbose,
            .interval = 0.5,
            .clock = [this] { return seconds; }};
  }
  std::string take() {
    std::string text = stream.str();
    stream.str("");
    return text;
  }

  double seconds = 100;
  std::ostringstream stream;
};
} // namespace

TEST_F(ProgressBarTest, writesOneLineAgainAndAgain) {
  ProgressBar bar(200, stream, with(1));
  seconds += 1;
  bar.update(50, {{"loss", 2.0}});
  EXPECT_EQ(take(), "\r 50/200 [=>........] - ETA: 3.0s - loss: 2.0000");
  seconds += 1;
  bar.update(100, {{"loss", 1.0}});
  EXPECT_EQ(take(), "\r100/200 [====>.....] - ETA: 2.0s - loss: 1.5000");
  bar.add(100, {{"loss", 0.0}});
  // Spaces overwrite the rest of the longer previous line.
  EXPECT_EQ(take(), "\r200/200 [==========] - 2.0s - loss: 0.7500     \n");
  bar.update(200);
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressBarTest, writesNoMoreOftenThanAsked) {
  ProgressBar bar(100, stream, with(1));
  bar.update(1);
  EXPECT_NE(take(), "");
  seconds += 0.4;
  bar.update(2);
  EXPECT_EQ(take(), "");
  seconds += 0.2;
  bar.update(3);
  EXPECT_NE(take(), "");
}

TEST_F(ProgressBarTest, weighsValuesByExamples) {
  ProgressBar bar(100, stream, with(0));
  bar.update(90, {{"loss", 1.0}});
  bar.update(100, {{"loss", 2.0}, {"accuracy", 0.5}});
  EXPECT_DOUBLE_EQ(bar.mean("loss"), 1.1);
  EXPECT_DOUBLE_EQ(bar.mean("accuracy"), 0.5);
  EXPECT_EQ(bar.mean("unknown"), 0);
  // Repeated updates do not count an example twice.
  bar.update(100, {{"loss", 50.0}});
  EXPECT_DOUBLE_EQ(bar.mean("loss"), 1.1);
}

TEST_F(ProgressBarTest, isSilent) {
  ProgressBar bar(10, stream, with(0));
  bar.update(5);
  bar.update(10);
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressBarTest, writesOneLineAtTheEnd) {
  ProgressBar bar(10, stream, with(2));
  bar.update(5, {{"loss", 1e-5}});
  EXPECT_EQ(take(), "");
  seconds += 3723;
  bar.update(10, {{"loss", 1e-5}});
  EXPECT_EQ(take(), "10/10 - 1:02:03 - loss: 1.000e-05\n");
}

TEST_F(ProgressBarTest, goesBeyondItsTarget) {
  ProgressBar bar(0, stream, with(1, 4));
  bar.update(3);
  EXPECT_EQ(take(), "\r3/0 [====] - 0.0s\n");
}
