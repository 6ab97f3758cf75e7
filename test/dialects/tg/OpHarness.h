//===- OpHarness.h - single ops from text, for tests of what they mean ----===//
#ifndef TG_TEST_DIALECTS_TG_OPHARNESS_H
#define TG_TEST_DIALECTS_TG_OPHARNESS_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace tg::test {

/// One op, or a few, on named operands.
struct OpCase {
  /// For messages.
  std::string name;
  /// Types of %a, %b, %c without `tensor<>`: "3x4xf64".
  std::vector<std::string> operands;
  /// Ops that end by defining %y.
  std::string body;
  /// Type of %y without `tensor<>`.
  std::string result;
};

/// Context with the dialects that the tests need; lives as long as the program.
mlir::MLIRContext &context();

/// func.func @value(%a, %b, %c) -> %y; a test failure and null if it does not
/// parse.
mlir::OwningOpRef<mlir::ModuleOp> parseValue(const OpCase &op);

/// The case with every extent of 3 unknown: `?`.
OpCase withUnknownExtents(OpCase op);

/// A tensor of a type written as in OpCase.
HostTensor makeTensor(const std::string &type,
                      const std::vector<double> &values);

/// The same with numbers spread over [low, high) by a fixed generator.
HostTensor makeSpread(const std::string &type, unsigned seed, double low,
                      double high);

/// The results of a function of the module; a test failure says what failed.
std::vector<HostTensor> run(mlir::ModuleOp module, const std::string &function,
                            const std::vector<HostTensor> &inputs);

/// All numbers of a tensor.
std::vector<double> numbersOf(const HostTensor &tensor);

} // namespace tg::test

#endif // TG_TEST_DIALECTS_TG_OPHARNESS_H
