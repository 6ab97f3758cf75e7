// The frame of the fragment of docs/devices.md about runs in two calls: opens
// the stand-in for CUDA's driver, which libtgrt then finds by its name, and
// makes a stream of the host.
#include <dlfcn.h>
#include <tg/runtime.hpp>

#include <cstdio>

int main() {
  void *driver = dlopen("build/lib/simulator/libcuda.so.1", RTLD_NOW);
  if (!driver)
    return 1;
  auto retain = reinterpret_cast<int (*)(void **, int)>(
      dlsym(driver, "cuDevicePrimaryCtxRetain"));
  auto push =
      reinterpret_cast<int (*)(void *)>(dlsym(driver, "cuCtxPushCurrent_v2"));
  auto make = reinterpret_cast<int (*)(void **, unsigned)>(
      dlsym(driver, "cuStreamCreate"));
  tg::Model model = tg::Model::load("mlp.so", {.device = {TG_DEVICE_CUDA, 0}});
  void *primary = nullptr, *stream = nullptr;
  if (retain(&primary, 0) || push(primary) || make(&stream, 1))
    return 1;
  tg::Variables weights(false, {TG_DEVICE_CUDA, 0});
  tg::Context context = model.context({.seed = 42, .variables = weights});
  // the block
  const auto digitOf = [&](const std::vector<float> &image) {
    return context.run("test", {{"x", image}}).values<int64_t>("digit")[0];
  };
  std::printf("digits %d %d\n", int(digits[0]), int(digits[1]));
  return digits[0] == digitOf(ones) && digits[1] == digitOf(halves) ? 0 : 1;
}
