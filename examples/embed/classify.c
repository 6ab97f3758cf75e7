/* Classifies the ten digits of digits.npy by digits.so; both are installed with
 * the runtime, in share/tg/models. */
#include <stdio.h>
#include <stdlib.h>
#include <tg/runtime.h>

enum { HEADER = 128, IMAGES = 10, PIXELS = 64, CLASSES = 10 }; /* the bytes before the elements, and the extents */
static tg_error_t error = {.struct_size = sizeof(tg_error_t)};

static void check(tg_status_t status) {
  if (status == TG_OK)
    return;
  fprintf(stderr, "%s: %s\n", tg_status_name(status), error.message);
  exit(1);
}

int main(int argc, char **argv) {
  static float image[IMAGES][PIXELS], probability[IMAGES][CLASSES];
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file || fseek(file, HEADER, SEEK_SET) || fread(image, sizeof(image), 1, file) != 1 || fclose(file))
    return fprintf(stderr, "usage: classify <digits.so> <digits.npy>\n"), 1;
  tg_module_t *module;
  tg_context_t *context;
  uint32_t test;
  check(tg_module_load(argv[1], NULL, &module, &error));
  check(tg_context_create(module, NULL, &context, &error));
  check(tg_context_init(context, 0, &error)); /* the library contains its weights */
  check(tg_module_find_function(module, "test", &test, &error));
  check(tg_context_reserve(context, test, (int64_t[]){IMAGES}, &error)); /* memory for this batch */
  int64_t in[] = {IMAGES, PIXELS}, out[] = {IMAGES, CLASSES};
  tg_named_tensor_t tensors[] = {
      {"image", {image, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, in, NULL, 0}},
      {"probabilities", {probability, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, out, NULL, 0}}};
  check(tg_context_run_named(context, "test", tensors, 2, &error));
  for (int i = 0, best = 0; i < IMAGES; ++i, best = 0) {
    for (int class = 1; class < CLASSES; ++class)
      best = probability[i][class] > probability[i][best] ? class : best;
    printf("image %d: %d (%.1f %%)\n", i, best, 100.0 * (double)probability[i][best]);
  }
  tg_context_destroy(context);
  check(tg_module_unload(module, &error));
  return 0;
}
