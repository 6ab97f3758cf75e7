/// Loading a library on a GPU: the table that is chosen, the devices and the
/// drivers that are refused.
#include "test/runtime/support/ModelFile.h"
#include "test/runtime/support/Pair.h"

#include "tg/runtime.hpp"

using namespace tg::test;

namespace {

class DeviceLoadTest : public SimulatorTest {
protected:
  /// Loads the fixture and unloads it. Returns the status.
  tg_status_t tryLoad(const tg_load_options_t &options,
                      tg_model_get_fn *get = pair_tg_model_get) {
    tg_module_t *module = nullptr;
    const tg_status_t status = tg_module_adopt(get, &options, &module, &error);
    if (status == TG_OK) {
      found = tg_module_model(module);
      EXPECT_EQ(tg_module_unload(module, nullptr), TG_OK);
    } else {
      EXPECT_EQ(module, nullptr);
      EXPECT_EQ(error.status, status);
    }
    return status;
  }

  const tg_model_t *found = nullptr;
};

/// A getter of an image that the driver refuses.
tg_status_t getBroken(uint32_t version, uint32_t target,
                      const tg_model_t **model) {
  static const char *const kernels[] = {"k"};
  static const tg_image_t image = {sizeof(image), 1, kernels,
                                   ".version 7.0\nno kernel\n", 23};
  static const tg_image_t *const images[] = {&pairImage, &image};
  static tg_model_t broken;
  const tg_status_t status = pair_tg_model_get(version, target, model);
  if (status != TG_OK)
    return status;
  broken = **model;
  broken.images = images;
  broken.image_count = 2;
  *model = &broken;
  return TG_OK;
}

/// A getter of a list of kernels with one that is not in the code.
tg_status_t getWithoutKernel(uint32_t version, uint32_t target,
                             const tg_model_t **model) {
  static const char *const kernels[] = {"pair_add", "pair_none"};
  static tg_image_t image;
  static const tg_image_t *const images[] = {&image};
  const tg_status_t status = getBroken(version, target, model);
  if (status != TG_OK)
    return status;
  image = pairImage;
  image.kernels = kernels;
  image.kernel_count = 2;
  tg_model_t &changed = const_cast<tg_model_t &>(**model);
  changed.images = images;
  changed.image_count = 1;
  return TG_OK;
}

/// A getter of the table for CPUs alone.
tg_status_t getHost(uint32_t version, uint32_t target,
                    const tg_model_t **model) {
  *model = nullptr;
  return target < 16 ? pair_tg_model_get(version, target, model)
                     : tg_status_t(TG_ERROR_NOT_FOUND);
}

/// A getter of a table that needs constants with a large alignment.
tg_status_t getAligned(uint32_t version, uint32_t target,
                       const tg_model_t **model) {
  static tg_model_t changed;
  const tg_status_t status = pair_tg_model_get(version, target, model);
  if (status != TG_OK)
    return status;
  changed = **model;
  changed.alignment = 4096;
  *model = &changed;
  return TG_OK;
}

} // namespace

TEST_F(DeviceLoadTest, choosesTheTableOfTheDevice) {
  ASSERT_EQ(tryLoad(onGpu()), TG_OK) << error.message;
  EXPECT_EQ(found->device_type, TG_DEVICE_CUDA);
  EXPECT_EQ(tryLoad(onGpu(0, TG_TARGET_CUDA_80)), TG_OK) << error.message;
  tg_load_options_t options = onGpu();
  for (int32_t type : {0, int32_t(TG_DEVICE_CPU)}) {
    options.device.device_type = type;
    ASSERT_EQ(tryLoad(options), TG_OK) << error.message;
    EXPECT_EQ(found->device_type, 0);
  }
  // Options of the first version have no device.
  options = onGpu();
  options.struct_size = offsetof(tg_load_options_t, device);
  ASSERT_EQ(tryLoad(options), TG_OK) << error.message;
  EXPECT_EQ(found->device_type, 0);
  options.struct_size += 4; // half a device
  EXPECT_EQ(tryLoad(options), TG_ERROR_STRUCT);
}

TEST_F(DeviceLoadTest, refusesOtherTargetsAndDevices) {
  tg_load_options_t options = onGpu(0, TG_TARGET_X86_64_V2);
  EXPECT_EQ(tryLoad(options), TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "x86-64-v2 is a target of CPUs, expected one of NVIDIA GPUs, "
               "from 16 to 31, or TG_TARGET_BEST");
  EXPECT_EQ(tryLoad(onGpu(0, 17)), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message,
               "the library has no code for target 17, expected another target "
               "of NVIDIA GPUs, or TG_TARGET_BEST");
  EXPECT_EQ(tryLoad(onGpu(0, 99)), TG_ERROR_NOT_FOUND);
  options = onGpu(0, TG_TARGET_CUDA_80);
  options.device.device_type = 0;
  EXPECT_EQ(tryLoad(options), TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "cuda-80 runs on a device of type 2, expected a target of "
               "CPUs, or this device in the options");
  options = onGpu();
  options.device.device_type = TG_DEVICE_CUDA_HOST;
  EXPECT_EQ(tryLoad(options), TG_ERROR_DEVICE);
  EXPECT_EQ(tryLoad(onGpu(), getHost), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message,
               "the library has no code for NVIDIA GPUs, expected one compiled "
               "with --targets=cpu,cuda");
}

TEST_F(DeviceLoadTest, refusesDevicesThatDoNotExist) {
  EXPECT_EQ(tryLoad(onGpu(3)), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message, "device cuda:3, expected below 1");
  EXPECT_EQ(error.found, 3);
  EXPECT_EQ(error.expected, 1);
  EXPECT_EQ(tryLoad(onGpu(-1)), TG_ERROR_NOT_FOUND);
  configure("TG_SIMULATOR_DEVICES", "2");
  EXPECT_EQ(tryLoad(onGpu(1)), TG_OK) << error.message;
}

TEST_F(DeviceLoadTest, refusesASystemWithoutDevices) {
  configure("TG_SIMULATOR_DEVICES", "0");
  EXPECT_EQ(tryLoad(onGpu()), TG_ERROR_NOT_FOUND) << error.message;
}

TEST_F(DeviceLoadTest, refusesOldDevices) {
  configure("TG_SIMULATOR_CAPABILITY", "75");
  EXPECT_EQ(tryLoad(onGpu()), TG_ERROR_TARGET);
  EXPECT_STREQ(error.message, "the device has compute capability 7.5, expected "
                              "at least 8.0 for this library");
  configure("TG_SIMULATOR_CAPABILITY", "90");
  EXPECT_EQ(tryLoad(onGpu()), TG_OK) << error.message;
}

TEST_F(DeviceLoadTest, refusesOldDrivers) {
  configure("TG_SIMULATOR_VERSION", "10020");
  EXPECT_EQ(tryLoad(onGpu()), TG_ERROR_OLD_DRIVER);
  EXPECT_STREQ(error.message, "the driver for NVIDIA GPUs is for CUDA 10.2, "
                              "expected at least 11.0");
  configure("TG_SIMULATOR_VERSION", "11000");
  EXPECT_EQ(tryLoad(onGpu()), TG_OK) << error.message;
}

TEST_F(DeviceLoadTest, reportsADriverThatDoesNotStart) {
  ASSERT_TRUE(cuda.fail("cuInit", 1, 803));
  EXPECT_EQ(tryLoad(onGpu()), TG_ERROR_NO_DRIVER);
  EXPECT_EQ(std::string(error.message).find("no driver for NVIDIA GPUs: "), 0u);
}

TEST_F(DeviceLoadTest, quotesTheLogOfTheDriver) {
  EXPECT_EQ(tryLoad(onGpu(), getBroken), TG_ERROR_LOAD);
  const std::string message = error.message;
  EXPECT_NE(message.find("CUDA_ERROR_INVALID_PTX (218)"), std::string::npos)
      << message;
  EXPECT_NE(message.find("line 2"), std::string::npos) << message;
  EXPECT_EQ(tryLoad(onGpu(), getWithoutKernel), TG_ERROR_LOAD);
  EXPECT_NE(std::string(error.message).find("cannot find kernel pair_none"),
            std::string::npos)
      << error.message;
  EXPECT_EQ(tryLoad(onGpu(), getAligned), TG_ERROR_ALIGNMENT);
}

TEST_F(DeviceLoadTest, loadsFiles) {
  TrailerFields fields;
  fields.targets = 1u << TG_TARGET_X86_64_V2 | 1u << TG_TARGET_CUDA_80;
  const Bytes file = seal(readFile(rawPairPath), fields);
  fields.targets = 1u << TG_TARGET_CUDA_80;
  const Bytes deviceOnly = seal(readFile(rawPairPath), fields);
  const tg_load_options_t options = onGpu();
  for (const Bytes &bytes : {file, deviceOnly}) {
    tg_module_t *module = nullptr;
    ASSERT_EQ(tg_module_load_memory(bytes.data(), bytes.size(), &options,
                                    &module, &error),
              TG_OK)
        << error.message;
    EXPECT_EQ(tg_module_unload(module, nullptr), TG_OK);
  }
}

TEST_F(DeviceLoadTest, wrapperPassesTheDeviceOn) {
  tg::Model model =
      tg::Model::adopt(pair_tg_model_get, {.device = {TG_DEVICE_CUDA, 0}});
  tg::Context context = model.context({.seed = 3});
  const tg::Outputs &outputs =
      context.run("test", {{"x", std::vector<float>{1, 2}}});
  const auto y = outputs.values<float>("y");
  EXPECT_EQ(y[0], 3.5f);
  EXPECT_EQ(y[1], 6.5f);
}
