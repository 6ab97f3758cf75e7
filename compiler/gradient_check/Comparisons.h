//===- Comparisons.h - what is compared of one request --------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H
#define TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H

#include "compiler/gradient_check/GradientSubject.h"
#include "compiler/gradient_check/SampledInputs.h"
#include "compiler/gradient_check/SlopeComparison.h"
#include <chrono>
#include <cmath>

namespace tg {

/// The rest of the time that the options give.
class TimeLimit {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLimit(double seconds)
      : end(seconds > 0
                ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds))
                : Clock::time_point::max()) {}

  bool isOver() const { return Clock::now() >= end; }
  /// Ends with one of `parts` equal parts of what is left.
  TimeLimit partOf(size_t parts) const {
    TimeLimit part(0);
    Clock::time_point now = Clock::now();
    if (end != Clock::time_point::max())
      part.end = now + std::max(end - now, Clock::duration(0)) / int64_t(parts);
    return part;
  }

private:
  Clock::time_point end;
};

/// Compares the gradient of a scalar for a tensor: of some elements one by one,
/// those with the greatest derivatives among them, and along a direction
/// through all; when the time is over, no more of them. `evaluate` gives
/// the scalar for other contents of the tensor. Gives whether a derivative is
/// wrong.
bool compareTensor(
    const HostTensor &content, const HostTensor &gradient,
    llvm::function_ref<std::optional<double>(const HostTensor &)> evaluate,
    unsigned elements, const SlopeComparison &comparison, Draws &draws,
    const TimeLimit &limit, ComparedDerivatives &derivatives);

/// Returns a number for people to read: the sign of NaN means nothing.
inline double forPrinting(double number) {
  return std::isnan(number) ? std::abs(number) : number;
}

/// Returns the expected and the found value of the worst derivative, for
/// messages.
std::string describeWorst(const ComparedDerivatives &derivatives);

/// Compares the derivatives of the target for all values and variables of a
/// request. Each that is wrong is a diagnostic.
llvm::LogicalResult checkDerivatives(GradientSubject &subject,
                                     const GradientCheckOptions &options,
                                     const TimeLimit &limit,
                                     CheckedRequest &request, unsigned &wrong);

/// The same for every op that the wanted values reach on the way to the target,
/// by itself: with the values that it had, and drawn cotangents. Comes after
/// `checkDerivatives`: where all of these are right, what all tg.stop_gradient
/// hold back cancels out, and one by itself is no error either where a gradient
/// that passes it changes none of them.
llvm::LogicalResult checkOps(GradientSubject &subject,
                             const GradientCheckOptions &options,
                             const TimeLimit &limit, CheckedRequest &request,
                             unsigned &wrong);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H
