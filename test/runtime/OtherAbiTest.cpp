/// Libraries of other versions of the ABI are refused with both versions, in
/// whichever way they are loaded.
#include "support/Line.h"
#include "support/ModelFile.h"

#include "tg/runtime.hpp"

#include <unistd.h>

using namespace tg::test;

namespace {

/// The ABI version that getOther() accepts, as the tables of a library do: that
/// major, and this minor and higher ones.
uint32_t otherVersion;

/// A getter like that of a library of another ABI. It has no target 17.
tg_status_t getOther(uint32_t version, uint32_t target,
                     const tg_model_t **model) {
  *model = nullptr;
  if (target == 17)
    return TG_ERROR_NOT_FOUND;
  if (version >> 16 != otherVersion >> 16 || version < otherVersion)
    return TG_ERROR_ABI;
  return line_tg_model_get(TG_ABI_VERSION, TG_TARGET_BEST, model);
}

/// Returns the message for a library of a version, and checks the numbers of
/// the error.
std::string adopt(uint32_t version, tg_device_t device = {}) {
  otherVersion = version;
  tg_load_options_t options = {};
  options.struct_size = sizeof(options);
  options.device = device;
  tg_module_t *module = nullptr;
  Error error;
  EXPECT_EQ(tg_module_adopt(getOther, &options, &module, &error), TG_ERROR_ABI);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(error.found, version >> 16 < 64 ? int64_t(version) : -1);
  EXPECT_EQ(error.expected, TG_ABI_VERSION);
  return error.message;
}

const std::string expected = ", expected 1.0 to 1.4, which this libtgrt runs";

/// Returns the sealed fixture with another version in its trailer, whose hash
/// fits.
Bytes sealedOf(uint32_t version) {
  Bytes file = readFile(linePath);
  tg_trailer_t trailer = trailerOf(file);
  trailer.abi_version = version;
  replaceTrailer(file, trailer);
  return file;
}

} // namespace

TEST(OtherAbiTest, theTrailerSaysTheVersion) {
  for (const auto &[version, text] :
       {std::pair{TG_ABI_VERSION + 1, "1.5"}, {0x20000u, "2.0"}, {9u, "0.9"}}) {
    const Bytes file = sealedOf(version);
    tg_module_t *module = nullptr;
    Error error;
    EXPECT_EQ(tg_module_load_memory(file.data(), file.size(), nullptr, &module,
                                    &error),
              TG_ERROR_ABI);
    EXPECT_EQ(error.message, "the library has ABI " + (text + expected));
    EXPECT_EQ(error.found, version);
    EXPECT_EQ(error.expected, TG_ABI_VERSION);
  }
}

TEST(OtherAbiTest, theExceptionOfTheWrapperHasTheFileToo) {
  const std::string path =
      testing::TempDir() + "tg-abi-" + std::to_string(::getpid()) + ".so";
  ASSERT_TRUE(writeFile(path, sealedOf(0x20003)));
  try {
    tg::Model::load(path);
    ADD_FAILURE() << "expected an error";
  } catch (const tg::RuntimeError &error) {
    EXPECT_EQ(error.what(), "TG_ERROR_ABI: '" + path +
                                "': the library has ABI 2.3" + expected);
  }
  std::remove(path.c_str());
}

// A library without trailer and a linked one only refuse versions. The message
// has the lowest that they accept.
TEST(OtherAbiTest, theVersionIsFoundWithoutATrailer) {
  for (const auto &[version, text] : {std::pair{TG_ABI_VERSION + 1, "1.5"},
                                      {0x1ffffu, "1.65535"},
                                      {0x20000u, "2.0"},
                                      {0x2000bu, "2.11"},
                                      {0x3f0001u, "63.1"},
                                      {9u, "0.9"}})
    EXPECT_EQ(adopt(version), "the library has ABI " + (text + expected));
  EXPECT_EQ(adopt(64u << 16),
            "the library accepts no ABI below 64.0" + expected);
}

// A table for a device may need a higher version than those for CPUs.
TEST(OtherAbiTest, theVersionOfCodeForADeviceIsFound) {
  EXPECT_EQ(adopt(TG_ABI_VERSION + 2, {TG_DEVICE_CUDA, 0}),
            "the library has ABI 1.6" + expected);
}
