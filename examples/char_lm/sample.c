/* Prints text of the character model: loads model.so, which contains the loop
 * over characters, sets the seed and calls it once. */
#include <tg/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2000 };
static tg_error_t error = {.struct_size = sizeof(tg_error_t)};
static tg_context_t *context;

static void check(tg_status_t status) {
  if (status == TG_OK)
    return;
  fprintf(stderr, "%s: %s\n", tg_status_name(status), error.message);
  exit(1);
}

static tg_tensor_t tensor(void *data, uint8_t code, uint8_t bits, int32_t rank,
                          int64_t *shape) {
  return (tg_tensor_t){
      data, {TG_DEVICE_CPU, 0}, rank, {code, bits, 1}, shape, NULL, 0};
}

/* Samples a text with this seed. Returns its number of characters. */
static int64_t sample(int64_t seed, int32_t lines, float temperature,
                      char *text) {
  int64_t length = 0, shape[1] = {LONGEST};
  check(tg_context_set_seed(context, seed, &error));
  tg_named_tensor_t tensors[4] = {
      {"lines", tensor(&lines, TG_DTYPE_INT, 32, 0, NULL)},
      {"temperature", tensor(&temperature, TG_DTYPE_FLOAT, 32, 0, NULL)},
      {"text", tensor(text, TG_DTYPE_UINT, 8, 1, shape)},
      {"length", tensor(&length, TG_DTYPE_INT, 64, 0, NULL)}};
  check(tg_context_run_named(context, "sample", tensors, 4, &error));
  return length;
}

int main(int argc, char **argv) {
  static char text[LONGEST], again[LONGEST];
  int64_t seed = argc > 2 ? atoll(argv[2]) : 1;
  int32_t lines = argc > 3 ? atoi(argv[3]) : 10;
  float temperature = argc > 4 ? strtof(argv[4], NULL) : 0.5f;
  if (argc < 2 || argc > 5 || lines < 1 || !(temperature > 0)) {
    fprintf(stderr, "usage: char_lm_sample <model.so> [seed] [lines, 1 or "
                    "more] [temperature, above 0]\n");
    return 1;
  }
  tg_module_t *module;
  check(tg_module_load(argv[1], NULL, &module, &error));
  check(tg_context_create(module, NULL, &context, &error));
  /* The library contains the weights, so the seed has no effect. */
  check(tg_context_init(context, 0, &error));
  int64_t length = sample(seed, lines, temperature, text);
  fwrite(text, 1, (size_t)length, stdout);
  int isSame = sample(seed, lines, temperature, again) == length &&
               !memcmp(text, again, (size_t)length);
  if (!isSame)
    fprintf(stderr, "expected the same text from the same seed\n");
  tg_context_destroy(context);
  check(tg_module_unload(module, &error));
  return !isSame;
}
