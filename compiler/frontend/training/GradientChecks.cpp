//===- GradientChecks.cpp - gradients compared with differences -----------===//
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "tg/graph/gradient_check.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

/// Throws GraphError for options that are invalid for every program.
static void expectOptions(const GradientCheck &options, Place where) {
  for (double number : {options.delta, options.tolerance})
    if (!(number > 0) || !std::isfinite(number))
      throw GraphError("expected a delta and a tolerance above 0, found " +
                           textOf(number),
                       where);
  if (options.extent < 0)
    throw GraphError("expected an extent of at least 0, found " +
                         std::to_string(options.extent),
                     where);
}

GradientReport tg::checkGradients(const Program &program,
                                  const GradientCheck &options,
                                  std::source_location where) {
  expectOptions(options, where);
  std::vector<std::pair<std::string, SavedTensor>> inputs;
  for (const auto &[name, array] : options.inputs) {
    if (!array.isDefined())
      throw GraphError("expected an array for input '" + name + "', found none",
                       where);
    const char *bytes = static_cast<const char *>(array.data());
    Shape shape(array.shape().begin(), array.shape().end());
    inputs.emplace_back(name, SavedTensor{{array.dtype(), shape},
                                          {bytes, bytes + array.byteCount()}});
  }
  std::map<std::string, ArrayFunction> functions =
      HostFunctions::of(program.body()).functions;
  std::vector<std::string> names;
  for (const auto &[name, function] : options.hostFunctions)
    functions[name] = function;
  for (const auto &[name, function] : functions) {
    if (!function)
      throw GraphError("expected a function for '" + name +
                           "' of the host, found none",
                       where);
    names.push_back(name);
  }
  return take(program.body()->checkGradients(options, inputs, names,
                                             runnerOf(functions), where),
              where);
}
