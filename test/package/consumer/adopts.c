/* Runs a model library of tg_add_model that is linked into the program. */
#include <stdio.h>
#include <tg/runtime.h>

TG_DECLARE_MODEL(linked);

int main(void) {
  tg_module_t *module = NULL;
  tg_error_t error = {.struct_size = sizeof(error)};
  if (tg_module_adopt(linked_tg_model_get, NULL, &module, &error) != TG_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("%s\n", tg_module_model(module)->name);
  return tg_module_unload(module, &error) != TG_OK;
}
