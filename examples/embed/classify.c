/* Classifies the ten digits of digits.npy by digits.so; both are installed with
 * the runtime, in share/tg/models. */
#include <stdio.h>
#include <tg/runtime.h>

int main(int argc, char **argv) {
  static float images[10][64], probabilities[10][10];
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  /* The numbers are the end of the file, after a header of any length. */
  if (!file || fseek(file, -(long)sizeof(images), SEEK_END) || !fread(images, sizeof(images), 1, file) || fclose(file))
    return fprintf(stderr, "usage: classify <digits.so> <digits.npy>, a file of ten images of 64 floats\n"), 1;
  tg_tensor_t in = {images, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, (int64_t[]){10, 64}, NULL, 0};
  tg_tensor_t out = {probabilities, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, (int64_t[]){10, 10}, NULL, 0};

  tg_error_t error = {.struct_size = sizeof(error)};
  tg_module_t *module;
  tg_context_t *context;
  uint32_t test;
  if (tg_module_load(argv[1], NULL, &module, &error) || tg_context_create(module, NULL, &context, &error) ||
      tg_context_init(context, 0, &error) || /* the library contains its weights */
      tg_module_find_function(module, "test", &test, &error) ||
      tg_context_reserve(context, test, (int64_t[]){10}, &error) || /* memory for this batch */
      tg_context_run(context, test, &in, 1, &out, 1, &error))
    return fprintf(stderr, "%s: %s\n", tg_status_name(error.status), error.message), 1;
  for (int i = 0, best = 0; i < 10; ++i, best = 0) {
    for (int digit = 1; digit < 10; ++digit)
      best = probabilities[i][digit] > probabilities[i][best] ? digit : best;
    printf("image %d: %d (%.1f %%)\n", i, best, 100.0 * (double)probabilities[i][best]);
  }
  tg_context_destroy(context);
  return (int)tg_module_unload(module, &error);
}
