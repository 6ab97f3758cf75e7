//===- RegisteredFunctions.h - host functions of a program ----------------===//
#ifndef TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H
#define TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Prints a line. This is the default handler of prints.
void printLine(const std::string &label, const Array &value);

/// The host functions and gradients that were registered with a program.
struct HostFunctions {
  static HostFunctions &of(const BodyPtr &body);

  std::map<std::string, ArrayFunction> functions;
  /// The number of registrations, by which sessions notice new ones.
  size_t changes = 0;
  std::map<std::string, GivenGradient> gradients;
  /// The handler of prints in eager mode.
  ArrayPrinter print = printLine;
};

/// A call of a host function that a program builds.
struct HostRequest {
  const std::string &name;
  const std::vector<Operand> &inputs;
  const std::vector<TensorType> &results;
  const HostCallOptions &options;
  std::optional<CudaKernelSpec> kernel = std::nullopt;
  /// The gradient of the call, which is then pure; may be empty.
  GivenGradient gradient = {};
};

/// Builds a call, in the scope of the caller. The options have no bounds.
std::vector<Tensor> callHost(const BodyPtr &body, const HostRequest &request,
                             Place where);

/// Returns a runner that calls the functions by name. Exceptions and unknown
/// names become errors. The functions must outlive the runner.
HostRunner runnerOf(const std::map<std::string, ArrayFunction> &functions);

/// Calls a function and returns its results. Throws std::runtime_error if they
/// do not have the given types.
std::vector<Array> runHost(const ArrayFunction &function,
                           const std::vector<Array> &inputs,
                           const std::vector<TensorType> &results);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H
