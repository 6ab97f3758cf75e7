/* A host that uses only tg/abi.h: loads the model `mlp`, trains it on generated
 * digits and classifies others, all in memory that it allocates itself. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tg/abi.h>

enum { BATCH = 32, PIXELS = 784, CLASSES = 10, STEPS = 200 };
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

static void run(const char *name, const tg_tensor_t *inputs, const tg_tensor_t *outputs) {
  const tg_function_t *function = NULL;
  for (uint32_t i = 0; i < model->function_count; ++i)
    if (strcmp(model->functions[i]->name, name) == 0)
      function = model->functions[i];
  check(function ? TG_OK : TG_ERROR_NOT_FOUND, name);
  call.inputs = inputs, call.input_count = function->input_count;
  call.outputs = outputs, call.output_count = function->output_count;
  if (function->flags & TG_FUNCTION_USES_PACKED) /* the weights may have changed */
    check(model->pack(model, &call), "pack");
  check(function->run(function, &call), name);
}

static tg_tensor_t tensor(void *data, uint8_t code, uint8_t bits, int32_t rank, int64_t *shape) {
  return (tg_tensor_t){data, {TG_DEVICE_CPU, 0}, rank, {code, bits, 1}, shape, NULL, 0};
}

int main(int argc, char **argv) {
  static float x[BATCH][PIXELS], probabilities[BATCH][CLASSES], loss, rate = 1e-3f;
  int32_t label[BATCH], right = 0;
  int64_t digit[BATCH], seed = 1, rows[2] = {BATCH, PIXELS}, classes[2] = {BATCH, CLASSES};
  void *library = dlopen(argc > 1 ? argv[1] : "./mlp.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  tg_model_get_fn *get;
  *(void **)&get = dlsym(library, TG_MODEL_SYMBOL); /* the conversion that POSIX defines */
  check(get ? get(TG_ABI_VERSION, TG_TARGET_BEST, &model) : TG_ERROR_LOAD, "load");
  for (uint32_t i = 0; i < model->function_count; ++i) {
    int64_t symbols[1] = {BATCH}; /* the largest batch; smaller ones also fit */
    tg_plan_t plan = {.struct_size = sizeof(plan), .symbols = symbols};
    check(model->functions[i]->plan(model->functions[i], &plan, &error), "plan");
    if (plan.workspace_bytes > call.workspace_bytes)
      call.workspace_bytes = plan.workspace_bytes;
  }
  call.workspace = memory(call.workspace_bytes);
  call.slab = memory(call.slab_bytes = model->slab_bytes);
  call.packed = memory(call.packed_bytes = model->packed_bytes);

  run("init", (tg_tensor_t[]){tensor(&seed, TG_DTYPE_INT, 64, 0, NULL)}, NULL);
  for (int i = 0; i < BATCH; ++i) /* digit d sets the pixels d, d + 10, d + 20 … */
    for (int j = label[i] = i % CLASSES; j < PIXELS; j += CLASSES)
      x[i][j] = (float)rand() / (float)RAND_MAX;
  tg_tensor_t in[3] = {tensor(x, TG_DTYPE_FLOAT, 32, 2, rows), tensor(label, TG_DTYPE_INT, 32, 1, rows),
                       tensor(&rate, TG_DTYPE_FLOAT, 32, 0, NULL)};
  for (int step = 0; step < STEPS; ++step)
    run("train", in, (tg_tensor_t[]){tensor(&loss, TG_DTYPE_FLOAT, 32, 0, NULL)});
  rows[0] = classes[0] = CLASSES; /* another batch size with the same code */
  run("test", in,
      (tg_tensor_t[]){tensor(probabilities, TG_DTYPE_FLOAT, 32, 2, classes), tensor(digit, TG_DTYPE_INT, 64, 1, rows)});
  for (int i = 0; i < CLASSES; ++i)
    right += digit[i] == label[i];
  printf("loss %.4f, %d of %d digits right\n", (double)loss, right, CLASSES);
  return dlclose(library) || right != CLASSES;
}
