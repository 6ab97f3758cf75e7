//===- SlopeComparison.h - a derivative against differences ---------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_SLOPECOMPARISON_H
#define TG_COMPILER_GRADIENT_CHECK_SLOPECOMPARISON_H

#include "compiler/gradient_check/GradientCheck.h"

namespace tg {

/// A point on a line: the point itself, or one near it.
struct NearPoint {
  /// 0 is the point itself. The elements of the first one near fall with their
  /// index, as those do of which the first wins, and those of the second rise.
  unsigned number = 0;
  /// The upper bound of the distance of a coordinate.
  double radius = 0;
};

/// The number of points near each point.
constexpr unsigned kNearPoints = 8;

/// A function of one number: how far something is moved along a line. None
/// where it has no finite value.
using Line =
    llvm::function_ref<std::optional<double>(double distance, NearPoint near)>;

/// Compares derivatives of one scalar with central differences.
///
/// One step is too long where the function bends, another too short for what
/// rounding leaves of the difference: a derivative is right if it agrees with
/// one of three. Where it is of the size of the slopes near by, and these
/// differ, the function has a kink there: nothing is said then. Such slopes are
/// those of points beside the line, too: where many elements tie, each point
/// near breaks the tie in another way, and a rule may choose any of them.
class SlopeComparison {
public:
  /// `magnitude` is that of what the scalar is a sum of, and `rounding` how
  /// much of itself what is summed may be off. Where that is more than f64's,
  /// steps get longer, and more counts as right.
  SlopeComparison(const GradientCheckOptions &options, double magnitude,
                  double rounding);

  /// Compares one derivative and adds it to what is known of the tensor. Gives
  /// whether it is wrong.
  bool compare(double found, Line line, std::optional<int64_t> element,
               ComparedDerivatives &tensor) const;

private:
  double errorOf(double found, double expected, double step) const;
  bool isKink(double found, llvm::ArrayRef<double> slopes, double step,
              Line line, bool isDirection) const;

  double delta, tolerance, magnitude, rounding;
};

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_SLOPECOMPARISON_H
