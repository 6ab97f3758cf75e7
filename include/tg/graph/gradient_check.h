/// A check of all gradients in the functions of a program against central
/// differences.
///
///   GradientReport report = checkGradients(program);
///   if (!report.isRight())
///     std::cerr << report.text;
#ifndef TG_GRAPH_GRADIENT_CHECK_H
#define TG_GRAPH_GRADIENT_CHECK_H

#include "../tensor/host.h"
#include "program.h"

namespace tg {

/// The options of checkGradients().
struct GradientCheck {
  /// The step of the central differences in each direction, above 0.
  double delta = 1e-5;
  /// The maximum relative error of a correct derivative.
  double tolerance = 1e-5;
  /// The number of elements of each variable to move one by one. All elements
  /// are also moved together along one direction.
  unsigned elements = 8;
  /// The seed of initial values and random samples.
  int64_t seed = 0;
  /// The value of extents that neither `dims` nor an input determines.
  int64_t extent = 3;
  /// The values of named extents: batch=32,classes=10.
  std::string dims = {};
  /// The functions to check. Empty: all functions that contain a gradient.
  std::vector<std::string> functions = {};
  /// Declares that stopGradient() is intended. Otherwise a stopGradient()
  /// counts as wrong unless the derivatives of all variables are correct, which
  /// means that the blocked gradients cancel out.
  bool holdsStopped = false;
  /// Declares that the gradients of customGradient() are intended even if they
  /// are not the derivatives of the computed values, as in a straight-through
  /// estimator. Both gradients and differences then stop at the results of
  /// customGradient(): the derivatives for its results are compared in separate
  /// rows, and the ops before it one by one. A variable that acts only through
  /// it is not compared (`compared` is 0). Without this option a variable like
  /// this is wrong.
  bool holdsGiven = false;
  /// The values of inputs by name, of the inputs' types. Other inputs are
  /// random: floats in [0, 1), and indices that are in range.
  std::vector<std::pair<std::string, Array>> inputs = {};
  /// A safetensors file with the values of all variables, as written by a
  /// Saver. Empty: their initial values.
  std::string weights = {};
  /// Host functions by name, in addition to the functions registered with the
  /// program (registerHost), or in their place. They are called on the types
  /// that the program declares.
  std::vector<std::pair<std::string, ArrayFunction>> hostFunctions = {};
};

/// The comparison of the derivatives for one variable or value, or for one
/// operand of a single op.
struct GradientRow {
  /// The function, and the compared variable or operand: "fc1/W", "tg.matmul
  /// operand 1".
  std::string function, name;
  /// The user's source location.
  std::string file;
  unsigned line = 0;
  /// The greatest relative error, and the number of compared derivatives.
  double error = 0;
  unsigned compared = 0;
  bool isWrong = false;
};

struct GradientReport {
  std::vector<GradientRow> rows;
  /// A human-readable table, followed by a line for each error.
  std::string text;

  bool isRight() const {
    for (const GradientRow &row : rows)
      if (row.isWrong)
        return false;
    return true;
  }
};

/// Evaluates the program in f64, regardless of its float types, with the
/// initial values of its variables, and checks its gradients. `tgc check-grad`
/// does the same. Throws GraphError if no function contains a gradient, if an
/// input or the weights file does not fit, if a function fails, or if a host
/// function is missing.
GradientReport
checkGradients(const Program &program, const GradientCheck &options = {},
               std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_GRADIENT_CHECK_H
