/* Runs the digits network, whose library contains its trained weights, with
 * only tg/abi.h: one file, three blocks of memory, two calls. */
#include "digits.h"

#include <dlfcn.h>
#include <string.h>
#include <tg/abi.h>

static const tg_model_t *model;
static tg_error_t error = {.struct_size = sizeof(tg_error_t)};
static tg_call_t call = {.struct_size = sizeof(tg_call_t), .error = &error};

static void check(tg_status_t status, const char *what) {
  if (status == TG_OK)
    return;
  fprintf(stderr, "%s: status 0x%x: %s\n", what, (unsigned)status, error.message);
  exit(1);
}

static void *memory(uint64_t bytes) {
  void *result = bytes ? aligned_alloc(model->alignment, bytes) : NULL;
  check(result || !bytes ? TG_OK : TG_ERROR_MEMORY, "memory");
  return result;
}

static void run(const char *name, tg_tensor_t *tensors, uint32_t inputs, uint32_t outputs) {
  const tg_function_t *function = NULL;
  int64_t symbols[1] = {DIGITS};
  tg_plan_t plan = {.struct_size = sizeof(plan), .symbols = symbols};
  for (uint32_t i = 0; i < model->function_count; ++i)
    if (strcmp(model->functions[i]->name, name) == 0)
      function = model->functions[i];
  check(function ? TG_OK : TG_ERROR_NOT_FOUND, name);
  check(function->plan(function, &plan, &error), name);
  call.workspace = memory(call.workspace_bytes = plan.workspace_bytes);
  call.inputs = tensors, call.input_count = inputs;
  call.outputs = tensors + inputs, call.output_count = outputs;
  if (function->flags & TG_FUNCTION_USES_PACKED)
    check(model->pack(model, &call), "pack"); /* once, since the weights do not change */
  check(function->run(function, &call), name);
  free(call.workspace);
}

int main(int argc, char **argv) {
  static float images[DIGITS][PIXELS], probabilities[DIGITS][CLASSES];
  static int labels[DIGITS];
  if (argc != 3) {
    fprintf(stderr, "usage: embed-serve-bare <serve.so> <digits.csv>\n");
    return 1;
  }
  readDigits(argv[2], images, labels);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  tg_model_get_fn *get;
  *(void **)&get = dlsym(library, TG_MODEL_SYMBOL); /* the conversion that POSIX defines */
  check(get ? get(TG_ABI_VERSION, TG_TARGET_BEST, &model) : TG_ERROR_LOAD, "load");
  call.slab = memory(call.slab_bytes = model->slab_bytes);
  call.packed = memory(call.packed_bytes = model->packed_bytes);

  run("init", NULL, 0, 0); /* no seed: the library contains the weights */
  int64_t shapes[2][2] = {{DIGITS, PIXELS}, {DIGITS, CLASSES}};
  tg_tensor_t tensors[2] = {
      {images, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, shapes[0], NULL, 0},
      {probabilities, {TG_DEVICE_CPU, 0}, 2, {TG_DTYPE_FLOAT, 32, 1}, shapes[1], NULL, 0}};
  run("test", tensors, 1, 1);
  int right = countRight(probabilities, labels);
  printf("%d of %d digits right\n", right, DIGITS);
  free(call.packed), free(call.slab);
  return dlclose(library) || right < DIGITS * 9 / 10;
}
