//===- GradientCheck.h - compares gradients with differences --------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_GRADIENTCHECK_H
#define TG_COMPILER_GRADIENT_CHECK_GRADIENTCHECK_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <vector>

namespace tg {

/// The options of a comparison of gradients.
struct GradientCheckOptions {
  /// The distance by which an element is moved to either side, above 0.
  double delta = 1e-5;
  /// The maximum relative error of a correct gradient.
  double tolerance = 1e-5;
  /// The number of elements of each variable and value that are moved one by
  /// one. If a tensor has more, all of its elements are also moved together.
  unsigned elements = 8;
  /// The time limit in seconds, or 0 for no limit. Fewer elements are compared
  /// if all would take longer.
  double seconds = 60;
  /// The seed of inputs, elements and directions.
  int64_t seed = 0;
  /// The size of extents that are neither bound by `dims` nor by a given input.
  int64_t extent = 3;
  /// The sizes of named extents, such as "batch=32,classes=10".
  std::string dims;
  /// The functions to check, such as "train,tune"; "" for all with a gradient.
  std::string functions;
  /// True if results of tg.stop_gradient are held constant while elements are
  /// moved, so that the gradient that it stops is not counted as an error.
  bool holdsStopped = false;
  /// True to accept the gradients of tg.custom_gradient as they are. Its
  /// results are held constant while elements are moved, and gradients end at
  /// them. A request then also compares the derivatives with respect to these
  /// results. Values that reach the target only through them are not compared.
  bool holdsGiven = false;
  /// A safetensors file with the values of all variables; "" for the values
  /// that `init` assigns.
  std::string weights;
  /// Inputs by name, in the model's own types; all others are random.
  std::map<std::string, HostTensor> inputs;
  /// The number that fills an input, by name.
  std::map<std::string, double> numbers;
  /// The functions that tg.host_call calls, in the model's own types.
  std::map<std::string, HostFunction> hostFunctions;
};

/// The compared derivatives with respect to one variable, value or operand.
struct ComparedDerivatives {
  std::string name;
  /// `elements` is the number of elements of the tensor, summed over all runs.
  /// The others count elements and directions: those that were compared, and
  /// those that were not because the function has a kink there or no finite
  /// value nearby.
  int64_t elements = 0;
  unsigned compared = 0, kinks = 0, undefined = 0;
  /// The largest relative error, and its position: an element, or none for a
  /// direction through all elements.
  double worst = 0, found = 0, expected = 0;
  std::optional<int64_t> element;
  bool isWrong = false;
  /// True if the time limit was reached before all chosen elements were moved.
  bool isCutShort = false;
  llvm::SmallVector<int64_t> shape;
};

/// The result of checking the gradient rule of one op in isolation.
struct CheckedOp {
  std::string name;
  mlir::Location location;
  /// The operands, and the values used by the op's regions, that depend on a
  /// requested value or variable.
  std::vector<ComparedDerivatives> operands;
};

/// The result of checking one request for gradients.
struct CheckedRequest {
  std::string function;
  mlir::Location location;
  double target = 0;
  /// The derivatives with respect to the values and variables of the request.
  std::vector<ComparedDerivatives> wanted;
  std::vector<CheckedOp> ops;
};

struct GradientCheckResult {
  std::vector<CheckedRequest> requests;
  /// The number of tensors with wrong derivatives; each has a diagnostic.
  unsigned wrong = 0;
};

/// Compares all gradients that the functions of a model request with central
/// differences of their targets, and the gradient rule of each op before the
/// target with differences of that op. Computes in f64, whatever the floats of
/// the model are. The module must be verified IR of the tg dialect without
/// expanded requests, and is changed. Emits diagnostics and fails if the
/// comparison is not possible. Emits a diagnostic for each wrong variable,
/// value and operand, which the result counts.
llvm::LogicalResult checkGradients(mlir::ModuleOp module,
                                   const GradientCheckOptions &options,
                                   GradientCheckResult &result);

/// Returns the result as a table for people.
std::string formatGradientCheck(const GradientCheckResult &result);

/// Returns the result as JSON for programs:
///   {"wrong": 1, "requests": [{"function": "train", "file": "m.mlir",
///    "line": 8, "column": 5, "target": 0.5, "wanted": [<derivatives>], "ops":
///    [{"op": "tg.log", "layer": "net/l1", "file", "line", "column",
///      "operands": [<derivatives>]}]}]}
/// with derivatives {"name": "w", "shape": [2], "elements": 2, "compared": 2,
/// "kinks": 0, "undefined": 0, "cut_short": false, "wrong": false}. If some
/// were compared, they also have "error", "found" and "expected", null if not
/// finite, and the "index" of the worst element. Without "index" the worst is a
/// direction through all elements.
std::string formatGradientCheckAsJson(const GradientCheckResult &result);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_GRADIENTCHECK_H
