// The frame of the C fragment of docs/devices.md: opens the stand-in for CUDA's
// driver, which libtgrt then finds by its name.
#include <dlfcn.h>
#include <stdio.h>
#include <tg/runtime.h>

int main(void) {
  if (!dlopen("build/lib/simulator/libcuda.so.1", RTLD_NOW))
    return 1;
  tg_module_t *module = 0;
  tg_error_t error = {.struct_size = sizeof(error)};
// the block
  if (!module)
    return puts(error.message), 1;
  printf("target %u\n", tg_module_model(module)->target);
  return tg_module_unload(module, &error);
}
