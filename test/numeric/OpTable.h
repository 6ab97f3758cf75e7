//===- OpTable.h - one row per op and shape: the numeric table ------------===//
//
// Values are compared with the interpreter, gradients with central differences,
// compiled code with both; what to run is a row here.
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
  /// The name of the SSA value, and of the input or output.
  std::string name;
  /// Extents and element type as in "3x4xf32". FLOAT is f32 or f64, whichever
  /// the test asks for; "3?" is an extent that the type leaves open and that is
  /// 3 in the test.
  std::string type;
  /// Random elements lie in [low, high]; whole numbers include both ends.
  double low = -2.0, high = 2.0;
  /// Given elements in place of random ones, repeated until the tensor is full.
  std::vector<double> elements = {};

  /// "tensor<?x4xf64>"
  std::string getType(llvm::StringRef floatType) const;
  /// The extents in the test.
  llvm::SmallVector<int64_t> getShape() const;
  /// Returns true if the elements are FLOAT.
  bool isFloat() const;
};

/// One row.
struct OpRow {
  /// Unique; begins with the op that it is about.
  std::string name;
  std::vector<RowTensor> inputs;
  /// The ops. TYPES is "(types of all inputs) -> types of all outputs", TYPE
  /// the type of the first output.
  std::string body;
  std::vector<RowTensor> outputs;
  /// Variables of the module, and its init; the same text in all rows that have
  /// any.
  std::string variables = "";
  /// True if the outputs have a gradient that central differences approximate.
  bool gradient = true;
  /// True if the gradient has one, too.
  bool secondGradient = true;
  /// The upper bound of the distance of compiled results from the
  /// interpreter's, in f32, relative to 1 or the result, whichever is greater;
  /// f64 is compared 2^-29 as closely.
  double tolerance = 2e-6;
};

/// All rows, in a fixed order.
llvm::ArrayRef<OpRow> getOpTable();

/// The ops and the variables of a row with the placeholders filled in.
std::string bodyText(const OpRow &row, llvm::StringRef floatType);
std::string variablesText(const OpRow &row, llvm::StringRef floatType);

/// A module with each row as a function of the row's name.
std::string moduleText(llvm::ArrayRef<OpRow> rows, llvm::StringRef floatType);

/// Equal for equal rows: element e of input n of a row is a function of n and
/// e.
std::vector<HostTensor> makeInputs(const OpRow &row, mlir::MLIRContext *context,
                                   llvm::StringRef floatType);

/// A tensor of the shape with random or the given elements.
HostTensor makeTensor(const RowTensor &tensor, mlir::MLIRContext *context,
                      llvm::StringRef floatType, uint64_t seed);

/// Prints the row's name in messages of GoogleTest.
void PrintTo(const OpRow &row, std::ostream *stream);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_OPTABLE_H
