//===- Libraries.cpp - compiled libraries in the directory of a run -------===//
#include "compiler/frontend/estimator/LibraryKey.h"
#include "compiler/frontend/estimator/State.h"

#include <filesystem>
#include <sstream>
#include <system_error>

using namespace tg;
using namespace tg::estimator;

/// Returns the text of the options that change a library.
static std::string textOf(const ModelOptions &options) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << options.optimization;
  for (int level : options.levels)
    text << ' ' << level;
  for (const std::string &target : options.targets)
    text << ' ' << target;
  text << '\n'
       << options.tune << '\n'
       << options.dims << '\n'
       << options.memoryBudget << '\n'
       << options.convAlgorithm << '\n'
       << options.precision << '\n'
       << options.trapNan << '\n'
       << options.hardPlacement << '\n';
  return text.str();
}

Model estimator::loadCompiled(const Program &program, const std::string &mode,
                              const RunConfig &config) {
  const std::filesystem::path directory =
      std::filesystem::path(config.directory) / "compiled";
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed)
    throw data::DataError(directory.string() +
                          ": cannot make the directory: " + failed.message());
  const std::string key =
      libraryKey(textOf(config.compilation) + program.text());
  const std::string path = (directory / (mode + "-" + key + ".so")).string();
  const OpenOptions options{.device = config.device};
  if (std::filesystem::exists(path, failed))
    try {
      return Model::load(path, options);
    } catch (const RuntimeError &) {
      // Damaged, or for another CPU.
    }
  program.compile(path, config.compilation);
  return Model::load(path, options);
}

//===----------------------------------------------------------------------===//
// Variables of two libraries
//===----------------------------------------------------------------------===//

/// Returns the variable of a model with the name and type of another one, and
/// its index. Throws RuntimeError if there is none.
static uint32_t findVariable(const Model &model, const tg_variable_t &wanted) {
  const tg_model_t &tables = model.tables();
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const tg_variable_t &found = *tables.variables[i];
    if (found.name != std::string_view(wanted.name))
      continue;
    if (!detail::isSame(found.dtype, wanted.dtype) ||
        !std::equal(found.dims, found.dims + found.rank, wanted.dims,
                    wanted.dims + wanted.rank))
      throw RuntimeError(TG_ERROR_DIM,
                         "expected variable '" + std::string(wanted.name) +
                             "' to have one type and shape in all modes, found "
                             "two");
    return i;
  }
  throw RuntimeError(TG_ERROR_NOT_FOUND,
                     "expected variable '" + std::string(wanted.name) +
                         "' of the evaluation in the training, found none");
}

void estimator::copyVariables(const Model &from, const Context &source,
                              const Model &to, Context &target) {
  const tg_model_t &tables = to.tables();
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const tg_variable_t &variable = *tables.variables[i];
    bytes.resize(variable.bytes);
    tg_tensor_t tensor = {};
    tensor.data = bytes.data();
    tensor.device = {TG_DEVICE_CPU, 0};
    tensor.ndim = static_cast<int32_t>(variable.rank);
    tensor.dtype = variable.dtype;
    tensor.shape = const_cast<int64_t *>(variable.dims);
    detail::check(tg_context_get_variable,
                  static_cast<const tg_context_t *>(source.handle()),
                  findVariable(from, variable),
                  static_cast<const tg_tensor_t *>(&tensor));
    detail::check(tg_context_set_variable, target.handle(), i,
                  static_cast<const tg_tensor_t *>(&tensor));
  }
}
