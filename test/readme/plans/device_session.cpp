// The frame of the fragment of docs/devices.md about sessions: opens the
// stand-in for CUDA's driver, which libtgrt then finds by its name.
#include <dlfcn.h>
#include <iostream>
#include <tg/tg.h>

int main() {
  if (!dlopen("build/lib/simulator/libcuda.so.1", RTLD_NOW))
    return 1;
// the block
  return session.devices()[0].runs && session.devices()[1].runs ? 0 : 1;
}
