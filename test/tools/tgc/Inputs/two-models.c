/* Runs two models in one program that allocates all memory. */
#include <stdio.h>
#include <tg/abi.h>

TG_DECLARE_MODEL(one);
TG_DECLARE_MODEL(two);

static int run(tg_model_get_fn *get, float *x) {
  static _Alignas(64) char workspace[4096];
  const tg_model_t *model;
  tg_error_t error = {.struct_size = sizeof(error)};
  int64_t shape[1] = {2};
  float y[2];
  tg_tensor_t tensors[2] = {{x, {TG_DEVICE_CPU, 0}, 1, {TG_DTYPE_FLOAT, 32, 1}, shape, NULL, 0},
                            {y, {TG_DEVICE_CPU, 0}, 1, {TG_DTYPE_FLOAT, 32, 1}, shape, NULL, 0}};
  tg_call_t call = {.struct_size = sizeof(call),
                    .inputs = tensors,
                    .outputs = tensors + 1,
                    .input_count = 1,
                    .output_count = 1,
                    .workspace = workspace,
                    .workspace_bytes = sizeof(workspace),
                    .error = &error};
  if (get(TG_ABI_VERSION, TG_TARGET_BEST, &model) != TG_OK ||
      model->functions[0]->run(model->functions[0], &call) != TG_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("%s: %g %g\n", model->name, (double)y[0], (double)y[1]);
  return 0;
}

int main(void) {
  float x[2] = {3, -4};
  return run(one_tg_model_get, x) | run(two_tg_model_get, x);
}
