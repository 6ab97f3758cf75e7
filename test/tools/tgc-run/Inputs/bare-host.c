/* A caller of abi.h alone: runs host functions, prints and failing calls,
 * and compares the variables before and after. */
#include <tg/abi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tg_error_t error = {.struct_size = sizeof(tg_error_t)};
static const tg_model_t *model;
static char *slab, *before;

static int calls, failAt;
static tg_status_t count(void *user, const tg_host_call_t *call) {
  int *counter = user;
  ++*counter;
  ((float *)call->outputs[0].data)[0] = (float)*counter;
  return *counter == failAt ? 3 : TG_OK;
}
static void print(void *user, const char *label, const tg_tensor_t *value) {
  (void)user;
  printf("%s %g\n", label, (double)*(const float *)value->data);
}

static const tg_host_function_t function = {sizeof(function), 0, "count", count,
                                            &calls};
static const tg_host_function_t *const functions[] = {&function};
static tg_host_t host = {sizeof(host), 1, functions, print, 0};

/* Runs a function of one input and one output and prints the outcome. */
static void run(const char *name, float x, const tg_host_t *given) {
  const tg_function_t *found = 0;
  for (uint32_t i = 0; i < model->function_count; ++i)
    if (strcmp(model->functions[i]->name, name) == 0)
      found = model->functions[i];
  tg_plan_t plan = {.struct_size = sizeof(plan)};
  if (!found || found->plan(found, &plan, &error) != TG_OK)
    exit(2);
  float y = 0;
  tg_tensor_t input = {&x, {TG_DEVICE_CPU, 0}, 0, {TG_DTYPE_FLOAT, 32, 1},
                       0,  0,                  0};
  tg_tensor_t output = input;
  output.data = &y;
  tg_call_t call = {
      .struct_size = sizeof(call),
      .inputs = &input,
      .input_count = found->input_count,
      .outputs = &output,
      .output_count = found->output_count,
      .slab = slab,
      .slab_bytes = model->slab_bytes,
      .workspace = aligned_alloc(64, plan.workspace_bytes),
      .workspace_bytes = plan.workspace_bytes,
      .error = &error,
      .host = given,
  };
  memset(call.workspace, 0xff, plan.workspace_bytes);
  memcpy(before, slab, model->slab_bytes);
  const tg_status_t status = found->run(found, &call);
  const int changed = memcmp(before, slab, model->slab_bytes) != 0;
  printf("%s(%g): 0x%x, y %g, variables %s%s%s\n", name, (double)x, status,
         (double)y, changed ? "changed" : "kept", status ? ", " : "",
         status ? error.message : "");
  if (status && changed != (int)error.variables_changed)
    exit(3);
  free(call.workspace);
}

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  tg_model_get_fn *get = 0;
  if (library)
    *(void **)&get = dlsym(library, TG_MODEL_SYMBOL);
  if (!get || get(TG_ABI_MAJOR << 16, TG_TARGET_BEST, &model) != TG_ERROR_ABI ||
      get(TG_ABI_VERSION, TG_TARGET_BEST, &model) != TG_OK)
    return 1;
  slab = aligned_alloc(64, model->slab_bytes);
  before = aligned_alloc(64, model->slab_bytes);
  memset(slab, 0, model->slab_bytes);

  for (uint32_t i = 0; i < model->function_count; ++i)
    for (uint32_t j = 0; j < model->functions[i]->host_function_count; ++j) {
      const tg_host_need_t *need = model->functions[i]->host_functions[j];
      printf("%s calls %s: %u inputs, %u outputs, line %u\n",
             model->functions[i]->name, need->name, need->input_count,
             need->output_count, model->locations[need->location]->line);
    }
  failAt = 1;
  run("init", 5, &host);
  run("init", 5, &host);
  run("train", 1, 0);
  host.print = 0;
  run("train", 2, &host);
  host.print = print;
  run("train", 1, &host);
  run("train", -1, &host);
  failAt = 6;
  run("train", 1, &host);
  failAt = 7;
  run("init", 5, &host);
  host.struct_size = 8;
  run("train", 1, &host);
  host.struct_size = sizeof(host);
  host.functions = 0;
  run("train", 1, &host);
  return 0;
}
