//===- Directory.cpp - directories of images, one for each class ----------===//
#include "runtime/data/Messages.h"
#include "runtime/data/records/RecordFile.h"
#include "tg/data/image_directory.hpp"
#include "tg/data/images.hpp"

#include <algorithm>
#include <filesystem>

using namespace tg;
using namespace tg::data;
namespace fs = std::filesystem;

/// Returns the entries of a directory for which a condition holds, in the order
/// of the bytes of their names.
template <typename Condition>
static std::vector<std::string> entriesOf(const fs::path &path,
                                          Condition holds) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator next(path, error);
  for (; !error && next != fs::directory_iterator(); next.increment(error))
    if (holds(*next))
      names.push_back(next->path().filename().string());
  if (error)
    throw DataError(path.string() +
                    ": expected a directory that can be read, "
                    "found: " +
                    error.message());
  std::sort(names.begin(), names.end());
  return names;
}

static bool isImageName(const fs::path &path) {
  std::string ending = path.extension().string();
  for (char &c : ending)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

std::vector<std::string> tg::data::imageClasses(const std::string &path) {
  return entriesOf(path, [](const fs::directory_entry &entry) {
    std::error_code error;
    return entry.is_directory(error);
  });
}

/// Reads a whole file, which is no larger than an image can be.
static std::vector<std::byte> readFile(const std::string &path) {
  constexpr uint64_t limit = uint64_t(256) << 20;
  FileIdentity identity;
  const Descriptor file = openRegular(path, identity);
  if (identity.size > limit)
    throw DataError("expected at most " + std::to_string(limit) +
                    " bytes, found " + std::to_string(identity.size));
  std::vector<std::byte> bytes(identity.size);
  readBytes(file, identity.size, bytes.data(), bytes.size(), 0);
  return bytes;
}

namespace {
class DirectorySource : public Source {
public:
  DirectorySource(const std::string &path, std::vector<int64_t> extents)
      : types{{"image", {TG_DTYPE_FLOAT, 32, 1}, std::move(extents)},
              {"label", {TG_DTYPE_INT, 32, 1}, {}}} {
    if (types[0].shape.size() != 3)
      throw DataError("expected a shape [height, width, channels], found " +
                      types[0].text());
    const std::vector<std::string> classes = imageClasses(path);
    for (size_t i = 0; i < classes.size(); ++i) {
      const fs::path directory = fs::path(path) / classes[i];
      for (const std::string &name :
           entriesOf(directory, [](const fs::directory_entry &entry) {
             return isImageName(entry.path());
           }))
        files.push_back({(directory / name).string(), static_cast<int32_t>(i)});
    }
    if (files.empty())
      throw DataError("expected images CLASS/FILE.png, .jpg or .jpeg, found "
                      "none");
  }

  const ExampleType &type() const override { return types; }
  uint64_t size() const override { return files.size(); }
  std::vector<Feature> read(uint64_t index) const override {
    const File &file = files[index];
    return namingFile(file.path, [&]() -> std::vector<Feature> {
      const Feature image = decodeImage(readFile(file.path));
      for (size_t axis = 0; axis < 3; ++axis)
        if (types[0].shape[axis] != FeatureType::anyExtent &&
            types[0].shape[axis] != image.shape()[axis])
          throw DataError(
              "expected an image of " + types[0].text() + ", found " +
              FeatureType{"", types[0].dtype, image.shape()}.text());
      Feature label(types[1].dtype, {});
      label.values<int32_t>()[0] = file.label;
      return {toFloat(image), label};
    });
  }
  std::string place(uint64_t index) const override {
    return files[index].path + ":0";
  }
  std::string location(uint64_t index) const override {
    return files[index].path;
  }

private:
  struct File {
    std::string path;
    int32_t label;
  };

  ExampleType types;
  std::vector<File> files;
};
} // namespace

Dataset tg::data::openImageDirectory(const std::string &path,
                                     std::vector<int64_t> shape) {
  return namingFile(path, [&] {
    return Dataset::from(
        std::make_shared<DirectorySource>(path, std::move(shape)));
  });
}
