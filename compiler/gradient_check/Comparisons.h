//===- Comparisons.h - the checks of one request --------------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H
#define TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H

#include "compiler/gradient_check/GradientSubject.h"
#include "compiler/gradient_check/SampledInputs.h"
#include "compiler/gradient_check/SlopeComparison.h"
#include <chrono>
#include <cmath>

namespace tg {

/// The time that remains of a time budget.
class TimeLimit {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLimit(double seconds)
      : end(seconds > 0
                ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds))
                : Clock::time_point::max()) {}

  bool isOver() const { return Clock::now() >= end; }
  /// Returns a limit at one of `parts` equal parts of the remaining time.
  TimeLimit shareOf(size_t parts) const {
    TimeLimit share(0);
    Clock::time_point now = Clock::now();
    if (end != Clock::time_point::max())
      share.end =
          now + std::max(end - now, Clock::duration(0)) / int64_t(parts);
    return share;
  }

private:
  Clock::time_point end;
};

/// Compares the gradient of a scalar with respect to a tensor with central
/// differences: for some elements one by one, among them those with the largest
/// derivatives, and along a direction through all elements. Stops when the time
/// is over. `evaluate` returns the scalar for other contents of the tensor.
/// Returns true if a derivative is wrong.
bool compareTensor(
    const HostTensor &content, const HostTensor &gradient,
    llvm::function_ref<std::optional<double>(const HostTensor &)> evaluate,
    unsigned elements, const SlopeComparison &comparison,
    RandomGenerator &random, const TimeLimit &limit,
    ComparedDerivatives &derivatives);

/// Returns a number as it is printed: without the sign of NaN, which has no
/// meaning.
inline double forPrinting(double number) {
  return std::isnan(number) ? std::abs(number) : number;
}

/// Returns the expected and the found value of the worst derivative, for
/// messages.
std::string describeWorst(const ComparedDerivatives &derivatives);

/// Compares the derivatives of the target with respect to all values and
/// variables of a request. Emits a diagnostic for each wrong one.
llvm::LogicalResult checkDerivatives(GradientSubject &subject,
                                     const GradientCheckOptions &options,
                                     const TimeLimit &limit,
                                     CheckedRequest &request, unsigned &wrong);

/// Compares the gradient rule of each op between the requested values and the
/// target in isolation, on the values that the op had in the run and with
/// random cotangents. Call it after `checkDerivatives`. A tg.stop_gradient is
/// no error if all derivatives of the target are right, because then the
/// stopped gradients cancel out, or if letting the gradient pass changes none
/// of these derivatives.
llvm::LogicalResult checkOps(GradientSubject &subject,
                             const GradientCheckOptions &options,
                             const TimeLimit &limit, CheckedRequest &request,
                             unsigned &wrong);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_COMPARISONS_H
