//===- GradientCheck.h - gradients of a model against differences ---------===//
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
  /// The greatest relative error of a gradient that counts as right.
  double tolerance = 1e-5;
  /// The number of elements of each variable and value that are moved one by
  /// one; all of them are also moved at once.
  unsigned elements = 8;
  /// The upper bound of seconds: fewer elements are compared if all would take
  /// longer; 0 for no limit.
  double seconds = 60;
  /// The seed of inputs, elements and directions.
  int64_t seed = 0;
  /// Extents that neither a number nor a given input tells.
  int64_t extent = 3;
  /// Numbers for named extents: batch=32,classes=10.
  std::string dims;
  /// The functions to check: train,tune. "" for all with a gradient.
  std::string functions;
  /// True if what tg.stop_gradient gives is held while something is moved: what
  /// it holds back then is no mistake.
  bool holdsStopped = false;
  /// True if the gradients of tg.custom_gradient are meant, whatever they are.
  /// Its results are held while something is moved, and gradients end at them:
  /// what is asked for then also has the derivatives for them, and what acts
  /// through them alone is not compared.
  bool holdsGiven = false;
  /// A file of safetensors with the values of all variables; "" for those that
  /// `init` assigns.
  std::string weights;
  /// Inputs by name, of the model's own types; all others are drawn.
  std::map<std::string, HostTensor> inputs;
  /// The number that all elements of an input are.
  std::map<std::string, double> numbers;
  /// The functions that tg.host_call calls, on the model's own types.
  std::map<std::string, HostFunction> hostFunctions;
};

/// Derivatives for one variable, value or operand.
struct ComparedDerivatives {
  std::string name;
  /// The numbers of elements and directions of the tensor in all runs, and of
  /// those that were compared. Elements at which the function has a kink, or no
  /// finite value near by, do not count.
  int64_t elements = 0;
  unsigned compared = 0, kinks = 0, undefined = 0;
  /// The greatest relative error, and where it is: the element, none for a
  /// direction through all of them.
  double worst = 0, found = 0, expected = 0;
  std::optional<int64_t> element;
  bool isWrong = false;
  /// True if time was over before all elements were moved that should have
  /// been.
  bool isCutShort = false;
  llvm::SmallVector<int64_t> shape;
};

/// An op by itself: its rule against differences of what it computes.
struct CheckedOp {
  std::string name;
  mlir::Location location;
  /// Its operands, and values that its regions use, that the wanted ones reach.
  std::vector<ComparedDerivatives> operands;
};

/// One request for gradients.
struct CheckedRequest {
  std::string function;
  mlir::Location location;
  double target = 0;
  std::vector<ComparedDerivatives> wanted;
  std::vector<CheckedOp> ops;
};

struct GradientCheckResult {
  std::vector<CheckedRequest> requests;
  /// Derivatives that are wrong; each is a diagnostic, too.
  unsigned wrong = 0;
};

/// Compares all gradients that the functions of a model ask for with central
/// differences of their targets, and the rule of every op between with
/// differences of the op, in f64, whatever the floats of the model. Changes the
/// module: verified IR of the tg dialect, no requests expanded. Fails with
/// diagnostics where that cannot be done; of what is wrong there is one for
/// each variable, value and operand, and the result counts them.
llvm::LogicalResult checkGradients(mlir::ModuleOp module,
                                   const GradientCheckOptions &options,
                                   GradientCheckResult &result);

/// The result as a table for people.
std::string formatGradientCheck(const GradientCheckResult &result);

/// The result as JSON for programs:
///   {"wrong": 1, "requests": [{"function": "train", "file": "m.mlir",
///    "line": 8, "column": 5, "target": 0.5, "wanted": [<derivatives>], "ops":
///    [{"op": "tg.log", "layer": "net/l1", "file", "line", "column",
///      "operands": [<derivatives>]}]}]}
/// with derivatives {"name": "w", "shape": [2], "elements": 2, "compared": 2,
/// "kinks": 0, "undefined": 0, "cut_short": false, "wrong": false}, and where
/// some were compared "error", "found" and "expected", null where they are no
/// finite numbers, and "index" of the worst; without it a direction through all
/// elements is.
std::string formatGradientCheckAsJson(const GradientCheckResult &result);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_GRADIENTCHECK_H
