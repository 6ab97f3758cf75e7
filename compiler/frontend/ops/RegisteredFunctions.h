//===- RegisteredFunctions.h - what a program knows of its host -----------===//
#ifndef TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H
#define TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Functions and gradients that were registered with a program.
struct HostFunctions {
  static HostFunctions &of(const Bodies &body);

  std::map<std::string, ArrayFunction> functions;
  /// Counts registrations: sessions see that there are others.
  size_t changes = 0;
  std::map<std::string, GivenGradient> gradients;
  /// Who is told of prints in eager mode.
  ArrayPrinter print;
};

/// Prints a line: the default receiver of prints.
void printLine(const std::string &label, const Array &value);

/// Returns a runner that calls the functions by name. Exceptions become errors,
/// and so do unknown names. The functions outlive it.
HostRunner runnerOf(const std::map<std::string, ArrayFunction> &functions);

/// Returns the results of a function for a call of these types; throws
/// std::runtime_error if they have others.
std::vector<Array> runHost(const ArrayFunction &function,
                           const std::vector<Array> &inputs,
                           const std::vector<TensorType> &results);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_OPS_REGISTEREDFUNCTIONS_H
