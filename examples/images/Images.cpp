/// Writes archives of JPEG images, and a library that tgc-train trains on them.
///
///   images [directory]
///
/// writes train.tar, valid.tar, their descriptions train.json and valid.json,
/// and images.so into the directory, by default one for temporary files.
#include "../Example.h"
#include "Drawing.h"
#include "Network.h"

#include <fstream>

using namespace tg;

/// Describes an archive: all images get the size that the network expects.
static void describe(const std::string &directory, const std::string &part,
                     const std::string &order) {
  std::ofstream file(directory + "/" + part + ".json");
  file << R"({"files": ")" << part << R"(.tar",
 "features": {"image": {"type": "jpeg"}, "label": {"type": "i32"}},
 )" << order
       << R"("map": [{"resize": [40, 40]}],
 "batch": 32}
)";
  if (!file.flush())
    throw std::runtime_error("cannot write '" + directory + "/" + part +
                             ".json'");
}

static void prepare(const std::string &directory) {
  images::writeArchive(directory + "/train.tar", 640, 1);
  images::writeArchive(directory + "/valid.tar", 100, 2);
  describe(directory, "train", R"("shuffle": true, "seed": 7,
 )");
  describe(directory, "valid", "");
  Program program("images");
  images::defineNetwork(program);
  program.compile(directory + "/images.so");
  std::printf("train.tar, valid.tar and images.so are in %s\n",
              directory.c_str());
}

int main(int argc, char **argv) { return example::run(argc, argv, prepare); }
