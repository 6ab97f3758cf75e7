/* The same as serve_bare.c with libtgrt: the file is checked before it is
 * mapped, arguments have names instead of an order, and two threads run. */
#include "digits.h"

#include <tg/runtime.h>

static tg_error_t error = {.struct_size = sizeof(tg_error_t)};

static void check(tg_status_t status) {
  if (status == TG_OK)
    return;
  fprintf(stderr, "%s: %s\n", tg_status_name(status), error.message);
  exit(1);
}

int main(int argc, char **argv) {
  static float images[DIGITS][PIXELS], probabilities[DIGITS][CLASSES];
  static int labels[DIGITS];
  if (argc != 3) {
    fprintf(stderr, "usage: embed-serve-hosted <serve.so> <digits.csv>\n");
    return 1;
  }
  readDigits(argv[2], images, labels);
  tg_pool_t *pool;
  tg_module_t *module;
  tg_context_t *context;
  uint32_t test;
  check(tg_pool_create(2, &pool, &error));
  check(tg_module_load(argv[1], NULL, &module, &error));
  tg_context_options_t options = {.struct_size = sizeof(options), .parallel = tg_pool_parallel(pool)};
  check(tg_context_create(module, &options, &context, &error));
  check(tg_context_init(context, 0, &error)); /* the library contains the weights, so the seed has no effect */
  check(tg_module_find_function(module, "test", &test, &error));
  check(tg_context_reserve(context, test, (int64_t[]){DIGITS}, &error));

  int64_t shapes[2][2] = {{DIGITS, PIXELS}, {DIGITS, CLASSES}};
  tg_named_tensor_t tensors[2] = {
      {"image", {images, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, shapes[0], NULL, 0}},
      {"probabilities", {probabilities, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, shapes[1], NULL, 0}}};
  check(tg_context_run_named(context, "test", tensors, 2, &error));
  int right = countRight(probabilities, labels);
  printf("%d of %d digits right\n", right, DIGITS);
  tg_context_destroy(context);
  check(tg_module_unload(module, &error));
  check(tg_pool_destroy(pool, &error));
  return right < DIGITS * 9 / 10;
}
