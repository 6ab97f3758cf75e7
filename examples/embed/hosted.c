/* The same as bare.c with libtgrt: the file is checked before it is mapped, a
 * pool of two threads runs it, a second context reads published weights, and the
 * variables are saved to a checkpoint and loaded again. */
#include <tg/runtime.h>

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 32, PIXELS = 784, CLASSES = 10, STEPS = 200 };
static tg_error_t error = {.struct_size = sizeof(tg_error_t)};

static void check(tg_status_t status) {
  if (status == TG_OK)
    return;
  fprintf(stderr, "%s: %s\n", tg_status_name(status), error.message);
  exit(1);
}

static tg_tensor_t tensor(void *data, uint8_t code, uint8_t bits, int32_t rank, int64_t *shape) {
  return (tg_tensor_t){data, {TG_DEVICE_CPU, 0}, rank, {code, bits, 1}, shape, NULL, 0};
}

static tg_context_t *context(tg_module_t *module, uint32_t flags, const tg_parallel_t *parallel) {
  tg_context_options_t options = {.struct_size = sizeof(options), .flags = flags, .parallel = parallel};
  const int64_t batch[1] = {BATCH};
  tg_context_t *result;
  check(tg_context_create(module, &options, &result, &error));
  for (uint32_t f = 0; f < tg_module_model(module)->function_count; ++f)
    check(tg_context_reserve(result, f, batch, &error)); /* for batches up to this size */
  return result;
}

int main(int argc, char **argv) {
  static float x[BATCH][PIXELS], probabilities[BATCH][CLASSES];
  int32_t label[BATCH];
  int64_t digit[BATCH], rows[2] = {BATCH, PIXELS}, classes[2] = {BATCH, CLASSES};
  float loss = 0, rate = 1e-3f;
  if (argc != 3)
    return fprintf(stderr, "usage: hosted <mlp.so> <checkpoint to write>\n"), 1;
  for (int i = 0; i < BATCH; ++i) /* digit d sets the pixels d, d + 10, d + 20 … */
    for (int j = label[i] = i % CLASSES; j < PIXELS; j += CLASSES)
      x[i][j] = (float)rand() / (float)RAND_MAX;

  tg_pool_t *pool;
  tg_module_t *module;
  check(tg_pool_create(2, &pool, &error));
  check(tg_module_load(argv[1], NULL, &module, &error));
  tg_context_t *trainer = context(module, 0, tg_pool_parallel(pool));
  tg_context_t *server = context(module, TG_CONTEXT_SHARED, NULL);
  check(tg_context_init(trainer, 1, &error));
  tg_named_tensor_t train[] = {{"x", tensor(x, TG_DTYPE_FLOAT, 32, 2, rows)},
                               {"label", tensor(label, TG_DTYPE_INT, 32, 1, rows)},
                               {"learning_rate", tensor(&rate, TG_DTYPE_FLOAT, 32, 0, NULL)},
                               {"loss", tensor(&loss, TG_DTYPE_FLOAT, 32, 0, NULL)}};
  for (int step = 0; step < STEPS; ++step)
    check(tg_context_run_named(trainer, "train", train, 4, &error));
  check(tg_context_save_variables(trainer, argv[2], &error));
  check(tg_context_init(trainer, 2, &error)); /* discards the trained weights */
  check(tg_context_load_variables(trainer, argv[2], &error));
  check(tg_module_publish(module, trainer, &error)); /* any number of servers may be running */

  rows[0] = classes[0] = CLASSES; /* another batch size with the same code */
  tg_named_tensor_t test[] = {{"x", tensor(x, TG_DTYPE_FLOAT, 32, 2, rows)},
                              {"probabilities", tensor(probabilities, TG_DTYPE_FLOAT, 32, 2, classes)},
                              {"digit", tensor(digit, TG_DTYPE_INT, 64, 1, rows)}};
  check(tg_context_run_named(server, "test", test, 3, &error));
  int right = 0;
  for (int i = 0; i < CLASSES; ++i)
    right += digit[i] == label[i];
  printf("loss %.4f, %d of %d digits right\n", (double)loss, right, CLASSES);
  tg_context_destroy(server), tg_context_destroy(trainer);
  check(tg_module_unload(module, &error));
  check(tg_pool_destroy(pool, &error));
  return right != CLASSES;
}
