/* Prints the least time of a call of the function test of a model with an input
 * x of [1, 784] and outputs of [1, 10] and [1]: calls <model.so>. */
#include <tg/runtime.h>

#include <stdio.h>
#include <time.h>

enum { CALLS = 2000, ROUNDS = 50 };

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

int main(int count, char **arguments) {
  static float x[784], probabilities[10];
  int64_t digit[1], one[] = {1}, wide[] = {1, 784}, narrow[] = {1, 10};
  tg_error_t error = {.struct_size = sizeof(error)};
  tg_module_t *module;
  tg_context_t *context;
  uint32_t test;
  if (count != 2 ||
      tg_module_load(arguments[1], NULL, &module, &error) != TG_OK ||
      tg_context_create(module, NULL, &context, &error) != TG_OK ||
      tg_context_init(context, 1, &error) != TG_OK ||
      tg_module_find_function(module, "test", &test, &error) != TG_OK ||
      tg_context_reserve(context, test, one, &error) != TG_OK) {
    fprintf(stderr, "measure_calls: %s\n", error.message);
    return 1;
  }
  const tg_tensor_t input = {
      .data = x, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, wide};
  const tg_tensor_t outputs[] = {
      {probabilities, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, narrow},
      {digit, {TG_DEVICE_CPU, 0}, 1, {TG_DTYPE_INT, 64, 1}, one}};
  double least = 1e9;
  for (int round = 0; round < ROUNDS; ++round) {
    const double begin = microseconds();
    for (int i = 0; i < CALLS; ++i)
      if (tg_context_run(context, test, &input, 1, outputs, 2, &error) != TG_OK)
        return 1;
    const double taken = (microseconds() - begin) / CALLS;
    least = taken < least ? taken : least;
  }
  printf("%.3f\n", least);
  return 0;
}
