/// Every gradient that the functions of a program ask for against central
/// differences of what they compute: is the training right?
///
///   GradientReport report = checkGradients(program);
///   if (!report.isRight())
///     std::cerr << report.text;
#ifndef TG_GRAPH_GRADIENT_CHECK_H
#define TG_GRAPH_GRADIENT_CHECK_H

#include "../tensor/host.h"
#include "program.h"

namespace tg {

/// The options of a comparison of gradients.
struct GradientCheck {
  /// The distance by which an element is moved to either side, above 0.
  double delta = 1e-5;
  /// The greatest relative error that is right.
  double tolerance = 1e-5;
  /// So many elements of each variable are moved one by one; and all of them
  /// along one direction.
  unsigned elements = 8;
  /// The seed of first values and random inputs.
  int64_t seed = 0;
  /// Extents that neither `dims` nor an input tells.
  int64_t extent = 3;
  /// Numbers for named extents: batch=32,classes=10.
  std::string dims = {};
  /// The functions to check. Empty for all that ask for a gradient.
  std::vector<std::string> functions = {};
  /// True if what stopGradient() holds back is meant. Without it a
  /// stopGradient() is wrong unless the derivatives of all variables are right,
  /// since what it holds back cancels out.
  bool holdsStopped = false;
  /// True if gradients that customGradient() gives are meant though they are
  /// not the derivatives of what it computes, as that of a straight-through
  /// estimator is. Gradients then end at what it gives, on both sides: the
  /// derivatives for its results are compared, in rows of their own, and ops
  /// before it one by one, but nothing is compared for a variable that acts
  /// through it alone (`compared` is 0). Without it such a variable is wrong.
  bool holdsGiven = false;
  /// Inputs by name, of their types. Others are drawn: floats from [0, 1),
  /// indices that are in range.
  std::vector<std::pair<std::string, Array>> inputs = {};
  /// A file of safetensors with the values of all variables, as a Saver writes
  /// it. Empty: their first values.
  std::string weights = {};
  /// Functions of the host by name, for those that are not registered with the
  /// program (registerHost) or in place of them. They are called on the types
  /// that the program declares.
  std::vector<std::pair<std::string, ArrayFunction>> hostFunctions = {};
};

/// The derivatives for one variable or value, or for one operand of an op by
/// itself.
struct GradientRow {
  /// The function, and what it is about: "fc1/W", "tg.matmul operand 1".
  std::string function, name;
  /// The line of the user that made it.
  std::string file;
  unsigned line = 0;
  /// The greatest relative error, and of how many derivatives.
  double error = 0;
  unsigned compared = 0;
  bool isWrong = false;
};

struct GradientReport {
  std::vector<GradientRow> rows;
  /// A table for people, and what is wrong, a line each.
  std::string text;

  bool isRight() const {
    for (const GradientRow &row : rows)
      if (row.isWrong)
        return false;
    return true;
  }
};

/// Evaluates the program in f64, whatever its floats, on first values of its
/// variables: what `tgc check-grad` does. Throws GraphError where no function
/// asks for a gradient, an input or the file of weights does not fit, or a
/// function fails or needs one of the host that there is not.
GradientReport
checkGradients(const Program &program, const GradientCheck &options = {},
               std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_GRADIENT_CHECK_H
