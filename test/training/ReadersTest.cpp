/// Data set readers on valid, truncated and hostile files.
#include <tg/training.hpp>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;

namespace {
/// A test with files in a directory that its end removes.
class ReadersTest : public testing::Test {
protected:
  ReadersTest() {
    directory = std::filesystem::temp_directory_path() /
                ("tg-readers-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory);
  }
  ~ReadersTest() override { std::filesystem::remove_all(directory); }

  std::string write(const std::string &name, const std::string &bytes) {
    const std::string path = directory / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// Returns the message of a failing read, without the directory.
  template <typename Read> std::string errorOf(Read read) {
    try {
      read();
    } catch (const std::runtime_error &error) {
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

static std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (int value : values)
    text += static_cast<char>(value);
  return text;
}

static const std::string twoImages =
    bytes({0, 0,  8,   3,   0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, //
           0, 51, 255, 102, 0, 0});
static const std::string twoLabels = bytes({0, 0, 8, 1, 0, 0, 0, 2, 7, 0});

TEST_F(ReadersTest, readsIdx) {
  const std::string images = write("images", twoImages);
  const std::string labels = write("labels", twoLabels);
  LabelledImages read = readMnist(images, labels);
  EXPECT_EQ(read.size(), 2u);
  EXPECT_EQ(read.height * 100 + read.width * 10 + read.channels, 131u);
  EXPECT_EQ(read.labels, (std::vector<int32_t>{7, 0}));
  EXPECT_EQ(read.pixels, (std::vector<float>{0, 0.2f, 1, 0.4f, 0, 0}));
  EXPECT_EQ(read.images()[1][0], 0.4f);
}

TEST_F(ReadersTest, refusesEveryTruncationOfIdx) {
  const std::string images = write("images", twoImages);
  const std::string labels = write("labels", twoLabels);
  for (size_t size = 0; size < twoImages.size(); ++size) {
    const std::string path = write("cut", twoImages.substr(0, size));
    EXPECT_EQ(errorOf([&] { readMnist(path, labels); }).find("cut: expected "),
              0u)
        << size;
  }
  for (size_t size = 0; size < twoLabels.size(); ++size) {
    const std::string path = write("cut", twoLabels.substr(0, size));
    EXPECT_EQ(errorOf([&] { readMnist(images, path); }).find("cut: expected "),
              0u)
        << size;
  }
}

TEST_F(ReadersTest, refusesImagesAndLabelsThatDoNotFit) {
  const std::string images = write("images", twoImages);
  const std::string labels = write("labels", twoLabels);
  EXPECT_EQ(errorOf([&] { readMnist(labels, labels); }),
            "labels: expected images ui8 [rows, height, width], found rows of "
            "ui8 []");
  EXPECT_EQ(errorOf([&] { readMnist(images, images); }),
            "images: expected labels ui8 [rows], found rows of ui8 [1, 3]");
  const std::string one = write("one", bytes({0, 0, 8, 1, 0, 0, 0, 1, 3}));
  EXPECT_EQ(errorOf([&] { readMnist(images, one); }),
            "one: expected a label for each of the 2 images of images, found "
            "1");
  EXPECT_EQ(errorOf([&] { readMnist(images, labels, 5); }),
            "images: record 0 at byte 16: expected labels below 5, found 7");
}

/// Returns records with the labels; each pixel value encodes its position.
static std::string cifar(std::initializer_list<std::string> labels) {
  std::string text;
  for (const std::string &label : labels) {
    text += label;
    for (int i = 0; i < 3072; ++i)
      text += static_cast<char>(i / 1024 * 100 + i % 1024 % 7);
  }
  return text;
}

TEST_F(ReadersTest, readsCifar) {
  const std::vector<std::string> paths = {
      write("1.bin", cifar({bytes({3}), bytes({9})})),
      write("2.bin", cifar({bytes({0})}))};
  LabelledImages read = readCifar10(paths);
  EXPECT_EQ(read.labels, (std::vector<int32_t>{3, 9, 0}));
  EXPECT_EQ(read.imageSize(), 3072u);
  ASSERT_EQ(read.pixels.size(), 3u * 3072);
  // Planar colors become interleaved RGB pixels.
  for (size_t channel = 0; channel < 3; ++channel)
    EXPECT_EQ(read.images()[2][5 * 3 + channel],
              static_cast<float>(channel * 100 + 5) / 255);
  const std::vector<std::string> hundred = {
      write("train.bin", cifar({bytes({19, 99}), bytes({4, 0})}))};
  EXPECT_EQ(readCifar100(hundred).labels, (std::vector<int32_t>{99, 0}));
  EXPECT_EQ(readCifar100(hundred, CifarLabel::coarse).labels,
            (std::vector<int32_t>{19, 4}));
}

TEST_F(ReadersTest, refusesWhatIsNoCifar) {
  const std::string whole = cifar({bytes({3}), bytes({10})});
  for (size_t size : {0, 1, 3072, 3074, 6145}) {
    const std::vector<std::string> cut = {
        write("cut.bin", whole.substr(0, size))};
    EXPECT_EQ(errorOf([&] { readCifar10(cut); }),
              size == 3074
                  ? "cut.bin: expected records with 1 labels, found 2"
                  : "cut.bin: expected whole records of 3073 or 3074 bytes, "
                    "found " +
                        std::to_string(size) + " bytes");
  }
  const std::vector<std::string> label = {write("label.bin", whole)};
  EXPECT_EQ(errorOf([&] { readCifar10(label); }),
            "label.bin: record 1 at byte 3073: expected labels below 10, found "
            "10");
  const std::vector<std::string> coarse = {
      write("coarse.bin", cifar({bytes({20, 0})}))};
  EXPECT_EQ(errorOf([&] { readCifar100(coarse, CifarLabel::coarse); }),
            "coarse.bin: record 0 at byte 0: expected labels below 20, found "
            "20");
}

TEST_F(ReadersTest, tellsWhatCannotBeRead) {
  EXPECT_NE(errorOf([&] { readMnist(directory / "none", "/"); }).find("none"),
            std::string::npos);
  // The pipe has no writer.
  const std::vector<std::string> paths = {directory / "pipe"};
  ASSERT_EQ(mkfifo(paths[0].c_str(), 0600), 0);
  EXPECT_NE(errorOf([&] { readCifar10(paths); }).find("regular file"),
            std::string::npos);
}

TEST_F(ReadersTest, makesOneHot) {
  const std::vector<int32_t> labels = {1, 0};
  EXPECT_EQ(makeOneHot(labels, 3), (std::vector<float>{0, 1, 0, 1, 0, 0}));
  EXPECT_THROW(makeOneHot(labels, 1), std::invalid_argument);
}
