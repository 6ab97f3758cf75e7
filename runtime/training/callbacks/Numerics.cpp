//===- Numerics.cpp - infinities and NaNs ---------------------------------===//
#include "Support.h"
#include "runtime/training/loop/Feed.h"
#include "runtime/training/metrics/Tensors.h"

#include <cmath>
#include <optional>

using namespace tg;
using namespace tg::training;

/// Throws RuntimeError for the first element of a tensor that is not finite.
static void expectFinite(const tg_tensor_t &tensor, const std::string &what,
                         const TrainingState &state) {
  if (!isFloat(tensor))
    return;
  visitElements(tensor, [&](auto elements) {
    for (size_t i = 0; i < elements.size(); ++i)
      if (const auto element = static_cast<double>(elements[i]);
          !std::isfinite(element))
        throw RuntimeError(TG_ERROR_NAN, what + " after step " +
                                             std::to_string(state.step()) +
                                             ": element " + std::to_string(i) +
                                             " is " + shortText(element) +
                                             ", expected a finite number");
  });
}

namespace {

class NumericsCheck : public Callback {
public:
  std::string name() const override { return "checkNumerics"; }
  void triggerEpoch(TrainingState &state) override {
    const tg_function_t &function =
        findFunction(state.model(), state.options().function);
    for (const NamedTensor &output : outputsOf(function, state.outputs()))
      expectFinite(output.tensor, "output '" + output.name + "'", state);
    const tg_model_t &tables = state.model().tables();
    for (uint32_t i = 0; i < tables.variable_count; ++i)
      checkVariable(state, i);
  }

private:
  void checkVariable(TrainingState &state, uint32_t index) {
    const tg_variable_t &variable = *state.model().tables().variables[index];
    if (variable.dtype.code != TG_DTYPE_FLOAT)
      return;
    std::vector<int64_t> shape(variable.dims, variable.dims + variable.rank);
    elements.resize(detail::count(shape) * variable.dtype.bits / 8);
    tg_tensor_t tensor = {};
    tensor.data = elements.data();
    tensor.device.device_type = TG_DEVICE_CPU;
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.dtype = variable.dtype;
    tensor.shape = shape.data();
    detail::check(tg_context_get_variable,
                  static_cast<const tg_context_t *>(state.context().handle()),
                  index, static_cast<const tg_tensor_t *>(&tensor));
    expectFinite(tensor, "variable '" + std::string(variable.name) + "'",
                 state);
  }

  std::vector<char> elements;
};

} // namespace

CallbackPtr training::checkNumerics() {
  return std::make_shared<NumericsCheck>();
}
