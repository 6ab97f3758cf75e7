//===- ProgramText.h - a module as text, line by line ---------------------===//
#ifndef TG_TOOLS_TGC_BENCH_PROGRAMTEXT_H
#define TG_TOOLS_TGC_BENCH_PROGRAMTEXT_H

#include "Workloads.h"
#include <initializer_list>
#include <utility>

namespace tg::bench {

/// Returns a type: tensor<AxBxf32>
std::string tensor(std::initializer_list<int64_t> extents,
                   const char *type = "f32");

/// The text of a module with one function, and builders of the lines that
/// several programs need: ops, variables and the updates of an optimizer.
class ProgramText {
public:
  ProgramText(const Row &row, int64_t rows) : row(row), rows(rows) {}

protected:
  /// Appends a line to the function: `%name = tg.<op> operands : (types) ->
  /// result`.
  void
  apply(const std::string &result, const std::string &op,
        std::initializer_list<std::pair<std::string, std::string>> operands,
        const std::string &type, const std::string &attributes = "");
  /// Appends an op on one operand whose result has the type of the operand.
  void unary(const std::string &result, const std::string &op,
             const std::string &operand, const std::string &type);
  /// Appends a scalar constant of type f32.
  void constant(const std::string &name, double value);
  /// Adds a variable of this name to the module, with its optimizer slots if it
  /// is trained, and reads it in the function.
  void variable(const std::string &name, const std::string &type);
  /// Appends the update of all parameters by the optimizer of the workload.
  void writeUpdate(const std::string &gradients, const std::string &types);
  /// Appends the update op up to its region. `slots` names the optimizer slots
  /// of each parameter.
  void beginUpdate(const std::string &gradients, const std::string &types,
                   std::initializer_list<const char *> slots);
  /// Returns the text of the module.
  std::string text() const;

  const Row &row;
  int64_t rows;
  std::string variables, body, arguments, results, returned;
  /// The names and types of the variables that are trained.
  std::vector<std::pair<std::string, std::string>> parameters;

private:
  void writeMomentum(const std::string &gradients, const std::string &types);
  void writeRate();
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_PROGRAMTEXT_H
