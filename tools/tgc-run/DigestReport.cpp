/// Computes the digests of outputs and variables.
#include "DigestReport.h"

#include "tg/dtypes.h"

#include <bit>

using namespace tg;

// Elements are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);

std::string tg::toHex(const Digest &digest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// Returns the line of one tensor: "<digest>  variable w: f32 [2, 3]".
static std::string describeTensor(std::span<const char> bytes, const char *kind,
                                  const char *name, tg_dtype_t dtype,
                                  std::span<const int64_t> shape) {
  std::string text = toHex(sha256(bytes.data(), bytes.size())) + "  " + kind +
                     " " + name + ": " + tg_dtype_name(dtype);
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : " [") + std::to_string(shape[i]);
  return text + (shape.empty() ? "\n" : "]\n");
}

/// Copies the elements of a variable. Returns false if the variables have no
/// values.
static bool readVariable(const Context &context, const tg_variable_t &variable,
                         uint32_t index, std::vector<char> &bytes) {
  bytes.resize(variable.bytes);
  tg_tensor_t tensor = {};
  tensor.data = bytes.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(variable.rank);
  tensor.dtype = variable.dtype;
  tensor.shape = const_cast<int64_t *>(variable.dims); // only read
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  const tg_status_t status =
      tg_context_get_variable(context.handle(), index, &tensor, &error);
  if (status != TG_OK && status != TG_ERROR_SLAB)
    throw RuntimeError(error);
  return status == TG_OK;
}

/// Returns one line for each variable, and one for the digest of these lines.
/// Returns "" if the variables have no values.
static std::string describeVariables(const tg_model_t &model,
                                     const Context &context) {
  std::string text;
  std::vector<char> bytes;
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    const tg_variable_t &variable = *model.variables[i];
    if (!readVariable(context, variable, i, bytes))
      return "";
    text += describeTensor(bytes, "variable", variable.name, variable.dtype,
                           {variable.dims, variable.rank});
  }
  return text + toHex(sha256(text.data(), text.size())) + "  all variables\n";
}

std::string tg::describeDigests(const tg_model_t &model,
                                const tg_function_t &function,
                                const Outputs &outputs,
                                const Context &context) {
  std::string text;
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    text += describeTensor(outputs.bytes(value.name), "output", value.name,
                           value.dtype, outputs.shape(value.name));
  }
  return text + describeVariables(model, context);
}
