// Runs two models in one C++ program through the wrapper; one is declared at
// global scope, one in a namespace.
#include <cstdio>
#include <tg/runtime.hpp>

TG_DECLARE_MODEL(one);
namespace app {
TG_DECLARE_MODEL(two);
}

static void run(tg_model_get_fn *get) {
  const std::vector<float> x = {3, -4};
  const tg::Model model = tg::Model::adopt(get);
  tg::Context context = model.context();
  const tg_function_t &function = *model.tables().functions[0];
  const auto y = context.run(function.name, {{function.inputs[0]->name, x}})
                     .values<float>(function.outputs[0]->name);
  std::printf("%s: %g %g\n", model.tables().name, y[0], y[1]);
}

int main() {
  run(one_tg_model_get);
  run(app::two_tg_model_get);
}
