//===- DirectoryTest.cpp - directories of images, one for each class ------===//
#include "tg/data/image_directory.hpp"
#include "tg/data/images.hpp"
#include "tg/data/pipeline.hpp"

#include "test/data/Files.h"

#include <gmock/gmock.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ImageDirectory : public FilesTest {
protected:
  ImageDirectory() {
    write("dogs/b.png", pngOf(3, 7));
    write("cats/z.PNG", pngOf(2, 5));
    write("cats/a.png", pngOf(2, 4));
    write("cats/notes.txt", "no image");
    write("readme", "no class");
  }

  static std::string pngOf(int64_t width, uint8_t value) {
    Feature image({TG_DTYPE_UINT, 8, 1}, {2, width, 1});
    for (uint8_t &pixel : image.values<uint8_t>())
      pixel = value;
    const std::vector<std::byte> png = encodePng(image);
    return {reinterpret_cast<const char *>(png.data()), png.size()};
  }
};

TEST_F(ImageDirectory, ClassesAndFilesInTheirOrder) {
  EXPECT_THAT(imageClasses(directory), ElementsAre("cats", "dogs"));
  const Dataset data = openImageDirectory(directory);
  ASSERT_EQ(data.size(), 3u);
  const int values[] = {4, 5, 7}, labels[] = {0, 0, 1};
  for (uint64_t i = 0; i < 3; ++i) {
    const Example example = data.read(0, i);
    EXPECT_EQ(example.features[0].values<float>()[0],
              static_cast<float>(values[i]) / 255);
    EXPECT_EQ(example.features[1].values<int32_t>()[0], labels[i]);
  }
  EXPECT_THAT(data.places(0, 1), ElementsAre(path("cats/z.PNG:0")));
}

TEST_F(ImageDirectory, Description) {
  const Dataset data =
      openDescription(R"({"files": ")" + directory +
                      R"(", "map": [{"resize": [4, 4]}], "batch": 3})");
  EXPECT_THAT(data.read(0, 0).features[0].shape(), ElementsAre(3, 4, 4, 1));
}

TEST_F(ImageDirectory, RefusesWrongImages) {
  const Dataset data =
      openDescription(R"({"files": ")" + directory +
                      R"(", "features": {"image": {"shape": [2, 2, 1]}}})");
  EXPECT_EQ(errorOf([&] { data.read(0, 2); }),
            path("dogs/b.png") +
                ": expected an image of f32 [2, 2, 1], found f32 [2, 3, 1]");
  write("cats/a.png", pngOf(2, 4).substr(0, 30));
  EXPECT_THAT(errorOf([&] { data.read(0, 0); }),
              HasSubstr(path("cats/a.png") + ": "));
  std::filesystem::remove(path("cats/a.png"));
  EXPECT_THAT(errorOf([&] { data.read(0, 0); }), HasSubstr(path("cats/a.png")));
  EXPECT_EQ(errorOf([&] { openImageDirectory(path("dogs")); }),
            path("dogs") +
                ": expected images CLASS/FILE.png, .jpg or .jpeg, found none");
  EXPECT_THAT(errorOf([&] { openImageDirectory(path("none")); }),
              HasSubstr(path("none") + ": expected a directory that can be"));
}

} // namespace
