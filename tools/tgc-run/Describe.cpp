/// Prints a model's tables for people.
#include "Describe.h"

#include "tools/common/Targets.h"

#include "tg/dtypes.h"
#include "tg/runtime.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace tg;

/// Returns a type as "f32 [batch, 784]", or its element type alone for rank 0.
/// Without symbols, dynamic extents are "?".
static std::string describeType(tg_dtype_t dtype, const int64_t *dims,
                                uint32_t rank,
                                const tg_symbol_t *const *symbols) {
  std::string text = tg_dtype_name(dtype);
  for (uint32_t i = 0; i < rank; ++i) {
    text += i ? ", " : " [";
    text += dims[i] >= 0 ? std::to_string(dims[i])
            : symbols    ? symbols[-1 - dims[i]]->name
                         : "?";
  }
  return rank ? text + "]" : text;
}

static std::string describeValues(const tg_function_t &function,
                                  const tg_value_t *const *values,
                                  uint32_t count) {
  std::string text = "(";
  for (uint32_t i = 0; i < count; ++i) {
    const tg_value_t &value = *values[i];
    text += i ? ", " : "";
    text += std::string(value.name) + ": " +
            describeType(value.dtype, value.dims, value.rank, function.symbols);
  }
  return text + ")";
}

/// Prints the workspace, FLOPs and traffic of a run in which every symbol has
/// the value in its range that is nearest to `size`.
static void printSizes(const tg_function_t &function, int64_t size) {
  std::vector<int64_t> symbols(function.symbol_total + 1);
  std::string extents;
  for (uint32_t i = 0; i < function.symbol_count; ++i) {
    const tg_symbol_t &symbol = *function.symbols[i];
    int64_t value = std::clamp(size, symbol.minimum, symbol.maximum);
    value += (symbol.multiple - value % symbol.multiple) % symbol.multiple;
    symbols[i] = value;
    extents += (i ? ", " : "") + std::string(symbol.name) + " = " +
               std::to_string(value);
  }
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols.data();
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (!extents.empty())
    extents += ": ";
  if (function.plan(&function, &plan, &error) != TG_OK) {
    std::printf("    %s%s\n", extents.c_str(), error.message);
    return;
  }
  std::printf("    %sworkspace %" PRIu64 " bytes, %" PRIu64
              " FLOPs, traffic %" PRIu64 " bytes\n",
              extents.c_str(), plan.workspace_bytes, plan.flops,
              plan.traffic_bytes);
}

static std::string describeHostValues(const tg_host_value_t *const *values,
                                      uint32_t count) {
  std::string text = "(";
  for (uint32_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + describeType(values[i]->dtype, values[i]->dims,
                                           values[i]->rank, nullptr);
  return text + ")";
}

/// Prints the inputs of random samples, which a run may omit.
static void printRandomInputs(const tg_function_t &function) {
  std::string names;
  for (uint32_t i = 0; i < function.input_count; ++i)
    if (detail::isSuppliedByContext(*function.inputs[i]))
      names +=
          (names.empty() ? "" : ", ") + std::string(function.inputs[i]->name);
  if (!names.empty())
    std::printf("    takes random samples: %s may be omitted\n", names.c_str());
}

/// Prints the functions that the host must provide.
static void printNeeds(const tg_function_t &function) {
  if (!TG_HAS(tg_function_t, &function, host_functions))
    return;
  for (uint32_t i = 0; i < function.host_function_count; ++i) {
    const tg_host_need_t &need = *function.host_functions[i];
    std::printf("    calls %s %s -> %s of the host\n", need.name,
                describeHostValues(need.inputs, need.input_count).c_str(),
                describeHostValues(need.outputs, need.output_count).c_str());
  }
}

static void printFunction(const tg_function_t &function) {
  std::printf(
      "  %s %s -> %s\n", function.name,
      describeValues(function, function.inputs, function.input_count).c_str(),
      describeValues(function, function.outputs, function.output_count)
          .c_str());
  const bool writes = function.flags & TG_FUNCTION_WRITES_VARIABLES;
  std::printf("    %s %" PRIu64 " bytes of variables%s\n",
              function.flags & TG_FUNCTION_INITIALIZES ? "initializes"
              : writes                                 ? "writes"
                                                       : "reads",
              function.slab_bytes,
              function.flags & TG_FUNCTION_USES_PACKED ? ", packed weights"
                                                       : "");
  printRandomInputs(function);
  printNeeds(function);
  printSizes(function, 1);
  if (function.symbol_count)
    printSizes(function, 32);
}

static void printVariable(const tg_model_t &model,
                          const tg_variable_t &variable) {
  static constexpr const char *roles[] = {"other", "parameter", "statistic",
                                          "slot",  "step",      "random"};
  std::string role =
      variable.role < std::size(roles) ? roles[variable.role] : "unknown role";
  if (variable.flags & TG_VARIABLE_TRAINABLE)
    role += ", trainable";
  if (variable.owner >= 0)
    role += std::string(" of ") + model.variables[variable.owner]->name;
  std::printf(
      "  %s: %s, %" PRIu64 " bytes, %s\n", variable.name,
      describeType(variable.dtype, variable.dims, variable.rank, nullptr)
          .c_str(),
      variable.bytes, role.c_str());
}

/// Returns the text after `key` in an object without nested objects, as the
/// compiler writes it: no spaces, no quotes in names.
static std::string_view findValue(std::string_view object,
                                  std::string_view key) {
  size_t at = object.find(key);
  if (at == std::string_view::npos)
    return {};
  object.remove_prefix(at + key.size());
  return object.substr(0, object.find_first_of(",}\""));
}

/// Prints the kernels that the metadata lists.
static void printKernels(std::string_view metadata) {
  static constexpr std::string_view kernels = "\"kernels\":[";
  size_t at = metadata.find(kernels);
  if (at == std::string_view::npos)
    return;
  metadata.remove_prefix(at + kernels.size());
  std::string_view list = metadata.substr(0, metadata.find(']'));
  std::printf("\nkernels\n");
  for (size_t end; (end = list.find('}')) != std::string_view::npos;
       list.remove_prefix(end + 1)) {
    std::string_view kernel = list.substr(0, end + 1);
    std::string name(findValue(kernel, "\"name\":\""));
    std::string strategy(findValue(kernel, "\"strategy\":\""));
    std::string launches(findValue(kernel, "\"launches\":"));
    std::printf("  %s: %s, launches %s\n", name.c_str(), strategy.c_str(),
                launches.c_str());
  }
}

void tg::describe(const tg_model_t &model) {
  std::printf("model %s, ABI %u.%u\n", model.name, model.abi_version >> 16,
              model.abi_version & 0xffff);
  std::printf("targets:");
  for (uint32_t target = 0; target < 32; ++target)
    if (model.targets >> target & 1)
      std::printf(" %s%s", nameOfTarget(target).c_str(),
                  model.target == target ? " (used here)" : "");
  std::printf("\nvariables %" PRIu64 " bytes, packed weights %" PRIu64
              " bytes\n",
              model.slab_bytes, model.packed_bytes);
  std::printf("\nfunctions\n");
  for (uint32_t i = 0; i < model.function_count; ++i)
    printFunction(*model.functions[i]);
  std::printf("\nvariables\n");
  for (uint32_t i = 0; i < model.variable_count; ++i)
    printVariable(model, *model.variables[i]);
  printKernels({model.metadata, model.metadata_bytes});
}
