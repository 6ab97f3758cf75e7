//===- OpTable.h - one row per op and shape: the numeric table ------------===//
//
// The rows say what the tests run. Values are compared with the interpreter,
// gradients with central differences, and compiled code with both.
//
//===----------------------------------------------------------------------===//
#ifndef TG_TEST_NUMERIC_OPTABLE_H
#define TG_TEST_NUMERIC_OPTABLE_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace tg::test {

/// An input or output of a row.
struct RowTensor {
  /// The name of both the SSA value and the input or output.
  std::string name;
  /// Shape and element type as in "3x4xf32". FLOAT stands for the float type
  /// under test, f32 or f64. "3?" is a dynamic dimension whose size in the test
  /// is 3.
  std::string type;
  /// The range [low, high] of random elements; integers include both ends.
  double low = -2.0, high = 2.0;
  /// Elements to use instead of random ones, repeated until the tensor is full.
  std::vector<double> elements = {};

  /// Returns the tensor type as text, for example "tensor<?x4xf64>".
  std::string getType(llvm::StringRef floatType) const;
  /// Returns the shape in the test, without dynamic dimensions.
  llvm::SmallVector<int64_t> getShape() const;
  /// Returns true if the elements are FLOAT.
  bool isFloat() const;
};

/// A row of the numeric table.
struct OpRow {
  /// The unique name. It begins with the name of the op under test.
  std::string name;
  std::vector<RowTensor> inputs;
  /// The text of the ops. TYPES stands for "(types of all inputs) -> types of
  /// all outputs", TYPE for the type of the first output.
  std::string body;
  std::vector<RowTensor> outputs;
  /// The text of the module's variables and its init; identical in all rows
  /// that have variables.
  std::string variables = "";
  /// True if the outputs have a gradient that central differences approximate.
  bool gradient = true;
  /// True if central differences also approximate the gradient of the gradient.
  bool secondGradient = true;
  /// The maximum f32 difference between compiled code and the interpreter,
  /// relative to max(1,
  /// result
  /// ). f64 must be 2^29 times as accurate.
  double tolerance = 2e-6;
};

/// Returns all rows in a fixed order.
llvm::ArrayRef<OpRow> getOpTable();

/// Return the ops and the variables of a row with the placeholders filled in.
std::string bodyText(const OpRow &row, llvm::StringRef floatType);
std::string variablesText(const OpRow &row, llvm::StringRef floatType);

/// Returns a module with one function per row, named for the row.
std::string moduleText(llvm::ArrayRef<OpRow> rows, llvm::StringRef floatType);

/// Makes the inputs of a row. They are deterministic: element e of input n is a
/// function of the row, n and e.
std::vector<HostTensor> makeInputs(const OpRow &row, mlir::MLIRContext *context,
                                   llvm::StringRef floatType);

/// Makes a tensor of the given shape with random or given elements.
HostTensor makeTensor(const RowTensor &tensor, mlir::MLIRContext *context,
                      llvm::StringRef floatType, uint64_t seed);

/// Prints the row's name in messages of GoogleTest.
void PrintTo(const OpRow &row, std::ostream *stream);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_OPTABLE_H
