/// Checks that files of tables and arrays, and descriptions of data sets, are
/// either read or refused with a message. The first byte of an input is the
/// format of the rest.
#include "MemoryFile.h"

#include "tg/data/arrays.hpp"
#include "tg/data/csv.hpp"
#include "tg/data/loader.hpp"
#include "tg/data/pipeline.hpp"
#include "tg/data/svmlight.hpp"

#include <filesystem>
#include <unistd.h>

using namespace tg::data;
using namespace tg::fuzz;

/// Returns the path of an array of images, for descriptions.
static const std::string &images() {
  static const std::string path = [] {
    std::string made =
        (std::filesystem::temp_directory_path() / "fuzz-data-XXXXXX").string();
    expect(mkdtemp(made.data()), "a directory");
    Feature image({TG_DTYPE_UINT, 8, 1}, {3, 4, 5, 1});
    for (size_t i = 0; i < image.size(); ++i)
      image.values<uint8_t>()[i] = static_cast<uint8_t>(i);
    writeNpz(made + "/images.npz", {{"image", image}});
    return made + "/images.npz";
  }();
  return path;
}

/// Opens a file, or the description that the rest of an input is a part of.
static Dataset open(char format, const std::string &path,
                    const std::string &rest) {
  switch (format) {
  case 'c':
    return openCsv(path);
  case 's':
    return openSvmLight(path);
  case 'n':
    return openNpy(path);
  case 'z':
    return openNpz(path);
  case 't':
    return openSafetensors(path);
  case 'i':
    return openIdx(path);
  case 'b':
    return openCifar(path);
  default:
    // Batches may be of any size.
    return openDescription(R"({"files": ")" + images() + "\", " + rest)
        .unbatched();
  }
}

/// Reads some examples, whose features have the declared types.
static void read(const Dataset &data) {
  Loader loader(data, {.threads = 0});
  for (int i = 0; i < 20; ++i) {
    const Example *example = loader.next();
    if (!example)
      return;
    expect(example->features.size() == data.type().size(), "all features");
    for (size_t k = 0; k < data.type().size(); ++k) {
      const FeatureType &type = data.type()[k];
      const Feature &feature = example->features[k];
      expect(feature.dtype().code == type.dtype.code &&
                 feature.dtype().bits == type.dtype.bits &&
                 feature.shape().size() == type.shape.size(),
             "elements of the declared type");
      uint64_t sum = 0;
      for (std::byte byte : feature.bytes())
        sum += static_cast<uint64_t>(byte);
      expect(sum <= 255 * feature.byteCount(), "bytes that can be read");
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (!size)
    return 0;
  const std::string path = memoryFile(bytes + 1, size - 1);
  try {
    read(open(static_cast<char>(bytes[0]), path,
              {reinterpret_cast<const char *>(bytes + 1), size - 1}));
  } catch (const DataError &error) {
    expect(*error.what(), "a message");
  }
  return 0;
}
