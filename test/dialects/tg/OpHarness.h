//===- OpHarness.h - single ops from text ---------------------------------===//
#ifndef TG_TEST_DIALECTS_TG_OPHARNESS_H
#define TG_TEST_DIALECTS_TG_OPHARNESS_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace tg::test {

/// A test case: one op, or a few, with named operands.
struct OpCase {
  /// The name for messages.
  std::string name;
  /// The types of %a, %b, %c without `tensor<>`, as in "3x4xf64".
  std::vector<std::string> operands;
  /// The ops, the last of which defines %y.
  std::string body;
  /// The type of %y without `tensor<>`.
  std::string result;
};

/// Returns a context with the dialects of the tests; it lives until the program
/// ends.
mlir::MLIRContext &context();

/// Parses func.func @value(%a, %b, %c) -> %y. Fails the test and returns null
/// on a syntax error.
mlir::OwningOpRef<mlir::ModuleOp> parseValue(const OpCase &op);

/// Returns the case with `?` in place of every extent of 3.
OpCase withUnknownExtents(OpCase op);

/// Returns a tensor of a type that is written as in OpCase.
HostTensor makeTensor(const std::string &type,
                      const std::vector<double> &values);

/// Returns a tensor with numbers in [low, high) from a generator with a fixed
/// seed.
HostTensor makeSpread(const std::string &type, unsigned seed, double low,
                      double high);

/// Runs a function of the module and returns its results; a failure fails the
/// test with the error message.
std::vector<HostTensor> run(mlir::ModuleOp module, const std::string &function,
                            const std::vector<HostTensor> &inputs);

/// Returns all elements of a tensor as doubles.
std::vector<double> numbersOf(const HostTensor &tensor);

} // namespace tg::test

#endif // TG_TEST_DIALECTS_TG_OPHARNESS_H
