// The frame of the C++ fragment of docs/devices.md: opens the stand-in for
// CUDA's driver, which libtgrt then finds by its name.
#include <dlfcn.h>
#include <tg/runtime.hpp>

#include <cstdio>

int main() {
  if (!dlopen("build/lib/simulator/libcuda.so.1", RTLD_NOW))
    return 1;
// the block
  std::printf("digit %d\n", int(digit));
  return model.tables().target == TG_TARGET_CUDA_80 ? 0 : 1;
}
