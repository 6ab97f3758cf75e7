/// Data set readers on valid, truncated and hostile files.
#include <tg/training.hpp>

#include <filesystem>
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
  EXPECT_EQ(readIdx(images).dims, (std::vector<size_t>{2, 1, 3}));
  LabelledImages read = readMnist(images, labels);
  EXPECT_EQ(read.size(), 2u);
  EXPECT_EQ(read.height * 100 + read.width * 10 + read.channels, 131u);
  EXPECT_EQ(read.labels, (std::vector<int32_t>{7, 0}));
  EXPECT_EQ(read.pixels, (std::vector<float>{0, 0.2f, 1, 0.4f, 0, 0}));
  EXPECT_EQ(read.images()[1][0], 0.4f);
}

TEST_F(ReadersTest, refusesEveryTruncationOfIdx) {
  for (const std::string &whole : {twoImages, twoLabels})
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::string path = write("cut", whole.substr(0, size));
      EXPECT_EQ(errorOf([&] { readIdx(path); }).find("'cut' has "), 0u) << size;
    }
  const std::string path = write("long", twoLabels + "x");
  EXPECT_EQ(errorOf([&] { readIdx(path); }),
            "'long' has 3 bytes behind its header, expected the elements of "
            "[2]");
}

TEST_F(ReadersTest, doesNotTrustHeadersOfIdx) {
  std::string path = write("empty", "");
  EXPECT_EQ(errorOf([&] { readIdx(path); }),
            "'empty' has 0 bytes, expected an IDX file, which has more");
  path = write("floats", bytes({0, 0, 13, 1, 0, 0, 0, 0}));
  EXPECT_EQ(errorOf([&] { readIdx(path); }),
            "'floats' begins with 00000d01, expected 000008 and the number of "
            "dimensions, as IDX files of unsigned bytes do");
  path = write("rank", bytes({0, 0, 8, 255, 1}));
  EXPECT_EQ(errorOf([&] { readIdx(path); }),
            "'rank' has 5 bytes, expected a header of 1024");
  // Each factor is valid, but their product is 0 modulo 2^64.
  path = write("wraps", bytes({0, 0, 8, 2, 128, 0, 0, 0, 128, 0, 0, 0}));
  EXPECT_EQ(errorOf([&] { readIdx(path); }),
            "'wraps' has 0 bytes behind its header, expected the elements of "
            "[2147483648, 2147483648]");
  std::string many = bytes({0, 0, 8, 16});
  for (int i = 0; i < 16; ++i)
    many += bytes({255, 255, 255, 255});
  path = write("many", many);
  EXPECT_EQ(errorOf([&] { readIdx(path); }).find("'many' has 0 bytes"), 0u);
}

TEST_F(ReadersTest, refusesImagesAndLabelsThatDoNotFit) {
  const std::string images = write("images", twoImages);
  const std::string labels = write("labels", twoLabels);
  EXPECT_EQ(errorOf([&] { readMnist(labels, labels); }),
            "'labels' has 1 dimensions, expected the 3 of images");
  EXPECT_EQ(errorOf([&] { readMnist(images, images); }),
            "'images' has 3 dimensions, expected the one of labels");
  const std::string one = write("one", bytes({0, 0, 8, 1, 0, 0, 0, 1, 3}));
  EXPECT_EQ(errorOf([&] { readMnist(images, one); }),
            "'one' has 1 labels, expected one for each of the 2 images of "
            "'images'");
  EXPECT_EQ(errorOf([&] { readMnist(images, labels, 5); }),
            "'labels' has the label 7, expected labels below 5");
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
              "'cut.bin' has " + std::to_string(size) +
                  " bytes, expected whole records of 3073 bytes, as the binary "
                  "version has them");
  }
  const std::vector<std::string> label = {write("label.bin", whole)};
  EXPECT_EQ(errorOf([&] { readCifar10(label); }),
            "'label.bin' has the label 10 in record 1, expected labels below "
            "10");
  const std::vector<std::string> coarse = {
      write("coarse.bin", cifar({bytes({20, 0})}))};
  EXPECT_EQ(errorOf([&] { readCifar100(coarse, CifarLabel::coarse); }),
            "'coarse.bin' has the label 20 in record 0, expected labels below "
            "20");
}

TEST_F(ReadersTest, tellsWhatCannotBeRead) {
  EXPECT_EQ(errorOf([&] { readIdx(directory / "none"); }),
            "'none' cannot be read");
  EXPECT_EQ(errorOf([&] { readIdx("/"); }),
            "'/' is no regular file, expected one");
  // The pipe has no writer.
  const std::vector<std::string> paths = {directory / "pipe"};
  ASSERT_EQ(mkfifo(paths[0].c_str(), 0600), 0);
  EXPECT_EQ(errorOf([&] { readCifar10(paths); }),
            "'pipe' is no regular file, expected one");
}

TEST_F(ReadersTest, makesOneHot) {
  const std::vector<int32_t> labels = {1, 0};
  EXPECT_EQ(makeOneHot(labels, 3), (std::vector<float>{0, 1, 0, 1, 0, 0}));
  EXPECT_THROW(makeOneHot(labels, 1), std::invalid_argument);
}
