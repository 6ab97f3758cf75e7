/// Finds the variables that the tensors of a file fill.
#include "TensorNames.h"

#include "runtime/messages/Error.h"
#include "runtime/messages/Suggestion.h"

#include <algorithm>
#include <numeric>
#include <string>

using namespace tg;

static std::string_view orEmpty(const char *text) { return text ? text : ""; }

/// Checks everything that does not depend on the model.
static tg_status_t checkOptions(const tg_variables_options_t &options,
                                tg_error_t *error) {
  if (!isStructOk(&options, sizeof(options)) ||
      options.flags & ~uint32_t(TG_VARIABLES_IGNORE_OTHERS))
    return fail(error, TG_ERROR_STRUCT,
                "options of variables have a wrong struct_size or an unknown "
                "bit set");
  if (options.rename_count && !options.renames)
    return fail(error, TG_ERROR_NULL, "renames is null");
  return TG_OK;
}

bool TensorNames::findVariable(std::string_view name, uint32_t &index) const {
  const auto at = std::lower_bound(order.begin(), order.end(), name,
                                   [&](uint32_t i, std::string_view text) {
                                     return model->variables[i]->name < text;
                                   });
  if (at == order.end() || model->variables[*at]->name != name)
    return false;
  index = *at;
  return true;
}

tg_status_t TensorNames::readRename(const tg_rename_t &rename,
                                    tg_error_t *error) {
  if (!rename.tensor || !rename.variable)
    return fail(error, TG_ERROR_NULL, "a name of a rename is null");
  if (rename.reserved || rename.flags & ~uint32_t(TG_RENAME_TRANSPOSED))
    return fail(error, TG_ERROR_STRUCT,
                "the rename of '%.128s' has an unknown bit set", rename.tensor);
  uint32_t index;
  if (!findVariable(rename.variable, index))
    return fail(
        error, TG_ERROR_NOT_FOUND,
        "tensor '%.80s' is renamed to '%.80s', which is no variable of "
        "model '%.40s'%s",
        rename.tensor, rename.variable, model->name,
        suggestFrom(model->variables, model->variable_count, rename.variable)
            .describe());
  if (sources[index])
    return fail(error, TG_ERROR_COUNT,
                "tensors '%.64s' and '%.64s' are both renamed to '%.64s'",
                sources[index]->tensor, rename.tensor, rename.variable);
  const uint32_t rank = model->variables[index]->rank;
  if (rename.flags & TG_RENAME_TRANSPOSED && rank != 2)
    return failNumber(error, TG_ERROR_RANK, rank, 2,
                      "variable '%.128s' has rank %u, expected 2 because it "
                      "is transposed",
                      rename.variable, rank);
  sources[index] = &rename;
  renames.push_back(&rename);
  return TG_OK;
}

tg_status_t TensorNames::read(const tg_model_t &ofModel,
                              const tg_variables_options_t *options,
                              tg_error_t *error) noexcept {
  model = &ofModel;
  // The standard library throws if memory runs out.
  try {
    order.resize(model->variable_count);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::string_view(model->variables[a]->name) <
             model->variables[b]->name;
    });
    sources.resize(model->variable_count);
    if (!options)
      return TG_OK;
    tg_status_t status = checkOptions(*options, error);
    for (uint64_t i = 0; status == TG_OK && i < options->rename_count; ++i)
      status = readRename(options->renames[i], error);
    if (status != TG_OK)
      return status;
    std::sort(renames.begin(), renames.end(),
              [](const tg_rename_t *a, const tg_rename_t *b) {
                return std::string_view(a->tensor) < b->tensor;
              });
    isLenient = options->flags & TG_VARIABLES_IGNORE_OTHERS;
    strip = orEmpty(options->strip_prefix);
    add = orEmpty(options->add_prefix);
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory for names of variables");
  }
  return TG_OK;
}

void TensorNames::find(std::string_view tensor,
                       std::vector<TensorTarget> &into) const {
  auto at =
      std::lower_bound(renames.begin(), renames.end(), tensor,
                       [](const tg_rename_t *rename, std::string_view text) {
                         return rename->tensor < text;
                       });
  const bool isRenamed = at != renames.end() && (*at)->tensor == tensor;
  uint32_t index;
  for (; at != renames.end() && (*at)->tensor == tensor; ++at)
    if (findVariable((*at)->variable, index))
      into.push_back({index, ((*at)->flags & TG_RENAME_TRANSPOSED) != 0});
  if (isRenamed)
    return;
  std::string name(tensor);
  if (tensor.starts_with(strip))
    name = std::string(add).append(tensor.substr(strip.size()));
  if (findVariable(name, index) && !sources[index])
    into.push_back({index, false});
}
