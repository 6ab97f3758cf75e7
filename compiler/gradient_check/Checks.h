//===- Checks.h - what is compared of one request -------------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_CHECKS_H
#define TG_COMPILER_GRADIENT_CHECK_CHECKS_H

#include "compiler/gradient_check/Draws.h"
#include "compiler/gradient_check/GradientSubject.h"
#include "compiler/gradient_check/SlopeComparison.h"

namespace tg {

/// Compares the gradient of a scalar for a tensor: of some elements one by one,
/// those with the greatest derivatives among them, and along a direction
/// through all. `evaluate` gives the scalar for other contents of the tensor.
/// Gives whether a derivative is wrong.
bool compareTensor(
    const HostTensor &content, const HostTensor &gradient,
    llvm::function_ref<std::optional<double>(const HostTensor &)> evaluate,
    unsigned elements, const SlopeComparison &comparison, Draws &draws,
    ComparedDerivatives &derivatives);

/// What was expected and found where a derivative is worst, for messages.
std::string describeWorst(const ComparedDerivatives &derivatives);

/// Compares the derivatives of the target for all values and variables of a
/// request. Each that is wrong is a diagnostic.
llvm::LogicalResult checkDerivatives(GradientSubject &subject,
                                     const GradientCheckOptions &options,
                                     CheckedRequest &request, unsigned &wrong);

/// The same for every op that the wanted values reach on the way to the target,
/// by itself: with the values that it had, and drawn cotangents.
llvm::LogicalResult checkOps(GradientSubject &subject,
                             const GradientCheckOptions &options,
                             CheckedRequest &request, unsigned &wrong);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_CHECKS_H
