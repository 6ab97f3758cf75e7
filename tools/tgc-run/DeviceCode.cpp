/// Prints what the code of a library for devices needs.
#include "DeviceCode.h"

#include "runtime/cuda/PtxVersion.h"
#include "tools/common/Targets.h"

#include "tg/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <memory>

using namespace tg;

/// Prints what a table needs.
static void printNeeds(const tg_model_t &model) {
  Version least = {0, 0};
  uint32_t capability = model.capability;
  for (uint32_t i = 0; i < model.image_count; ++i) {
    const auto *code = static_cast<const char *>(model.images[i]->code);
    const Version ptx = ptxVersionOf(code);
    least = ptx > least ? ptx : least;
    capability = std::max(capability, capabilityOf(code));
  }
  const Version driver = driverForPtx(least);
  std::printf("  %s: compute capability %u.%u, a driver for CUDA %d.%d\n",
              nameOfTarget(model.target).c_str(), capability / 10,
              capability % 10, driver.major, driver.minor);
  // The first image has the kernels that the compiler made.
  for (uint32_t i = 1; i < model.image_count; ++i) {
    const tg_image_t &image = *model.images[i];
    const auto *code = static_cast<const char *>(image.code);
    const Version ptx = ptxVersionOf(code);
    std::printf("    %s: PTX %d.%d for compute capability %u.%u\n",
                image.kernels[0], ptx.major, ptx.minor, capabilityOf(code) / 10,
                capabilityOf(code) % 10);
  }
}

void tg::describeDeviceCode(const std::string &path, const tg_model_t &model) {
  constexpr uint32_t devices = ~0u << 16; // see TG_TARGET_BEST
  if (!(model.targets & devices))
    return;
  const tg_trailer_t trailer = Model::verify(path);
  const std::unique_ptr<void, int (*)(void *)> library(
      dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL),
      dlclose);
  const auto get = reinterpret_cast<tg_model_get_fn *>(
      library ? dlsym(library.get(), trailer.symbol) : nullptr);
  if (!get)
    throw RuntimeError(TG_ERROR_LOAD, "'" + path + "': cannot be loaded again");
  std::printf("\ncode for devices\n");
  for (uint32_t target = 16; target < 32; ++target) {
    const tg_model_t *found = nullptr;
    if (model.targets >> target & 1 &&
        get(TG_ABI_VERSION, target, &found) == TG_OK &&
        TG_HAS(tg_model_t, found, capability) &&
        found->device_type == TG_DEVICE_CUDA)
      printNeeds(*found);
  }
}
