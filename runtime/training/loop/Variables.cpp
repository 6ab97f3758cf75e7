//===- Variables.cpp - variables of one element ---------------------------===//
#include "Variables.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tg;
using namespace tg::training;

std::optional<uint32_t> training::findNumber(const Model &model,
                                             const std::string &name) {
  const tg_model_t &tables = model.tables();
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const tg_variable_t &variable = *tables.variables[i];
    if (name == variable.name &&
        detail::count({variable.dims, variable.rank}) == 1)
      return i;
  }
  return std::nullopt;
}

namespace {

/// A tensor over one element with the type and the shape of a variable.
struct Element {
  explicit Element(const tg_variable_t &variable)
      : dims(variable.dims, variable.dims + variable.rank) {
    tensor.data = bytes;
    tensor.device.device_type = TG_DEVICE_CPU;
    tensor.ndim = static_cast<int32_t>(variable.rank);
    tensor.dtype = variable.dtype;
    tensor.shape = dims.data();
  }

  std::vector<int64_t> dims;
  tg_tensor_t tensor = {};
  alignas(8) char bytes[8] = {};
};

} // namespace

/// Returns true if the type of an integer or truth value T can represent a
/// number.
template <typename T> static bool fits(bool isTruth, double value) {
  const double low =
      isTruth ? 0 : static_cast<double>(std::numeric_limits<T>::min());
  const double end =
      isTruth ? 2 : std::ldexp(1.0, std::numeric_limits<T>::digits);
  return value >= low && value < end && std::floor(value) == value;
}

void training::setNumber(const Model &model, Context &context, uint32_t index,
                         double value) {
  const tg_variable_t &variable = *model.tables().variables[index];
  Element element(variable);
  detail::visitElement(variable.dtype, [&](auto typed) {
    using T = decltype(typed);
    if (std::is_integral_v<T> &&
        !fits<T>(variable.dtype.code == TG_DTYPE_BOOL, value))
      throw RuntimeError(TG_ERROR_DTYPE,
                         "variable '" + std::string(variable.name) + "' is " +
                             tg_dtype_name(variable.dtype) +
                             ", expected a number of this type, found " +
                             std::to_string(value));
    typed = static_cast<T>(value);
    std::memcpy(element.bytes, &typed, sizeof(typed));
  });
  detail::check(tg_context_set_variable, context.handle(), index,
                static_cast<const tg_tensor_t *>(&element.tensor));
}

double training::getNumber(const Model &model, const Context &context,
                           uint32_t index) {
  const tg_variable_t &variable = *model.tables().variables[index];
  Element element(variable);
  detail::check(tg_context_get_variable,
                static_cast<const tg_context_t *>(context.handle()), index,
                static_cast<const tg_tensor_t *>(&element.tensor));
  return detail::visitElement(variable.dtype, [&](auto typed) {
    std::memcpy(&typed, element.bytes, sizeof(typed));
    return static_cast<double>(typed);
  });
}
