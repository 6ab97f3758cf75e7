//===- SlopeComparison.h - compares a derivative with differences ---------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_SLOPECOMPARISON_H
#define TG_COMPILER_GRADIENT_CHECK_SLOPECOMPARISON_H

#include "compiler/gradient_check/GradientCheck.h"

namespace tg {

/// A point on a line, or a random point near it.
struct NearPoint {
  /// The index of the near point; 0 is the point itself. The first near point
  /// decreases elements with their index, which breaks ties in favour of the
  /// first element. The second increases them.
  unsigned index = 0;
  /// The maximum distance of each coordinate.
  double radius = 0;
};

/// The number of near points of each point.
constexpr unsigned kNearPoints = 8;

/// Returns the scalar at a distance along a line through a point, or through a
/// point near it; none if the scalar is not finite.
using Line =
    llvm::function_ref<std::optional<double>(double distance, NearPoint near)>;

/// Compares derivatives of one scalar with central differences.
/// A step is too long if the function bends, and too short if rounding
/// dominates the difference. Therefore a derivative is right if it agrees with
/// one of three steps. If it lies within the range of the slopes nearby, and
/// these differ, the function has a kink there and the derivative is not
/// judged. The slopes nearby include slopes at points off the line: if many
/// elements tie, each near point breaks the tie differently, and a rule may
/// choose any of them.
class SlopeComparison {
public:
  /// Creates a comparison. `magnitude` is the sum of the magnitudes of the
  /// terms whose sum is the scalar, and `rounding` is their relative rounding
  /// error. If `rounding` exceeds the epsilon of f64, steps are longer and the
  /// tolerance is larger.
  SlopeComparison(const GradientCheckOptions &options, double magnitude,
                  double rounding);

  /// Compares one derivative and adds the result to `tensor`. Returns true if
  /// it is wrong.
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
