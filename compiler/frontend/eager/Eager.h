//===- Eager.h - what the C++ side asks of eager bodies -------------------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_EAGER_H
#define TG_COMPILER_FRONTEND_EAGER_EAGER_H

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/eager/TapeList.h"

namespace tg::dsl {

/// The tape wants gradients for the value from now on.
void watch(Body &body, TapeState &tape, Id value);
/// Forgets what the body keeps for the tape.
void closeTape(Body &body, const TapeState &tape);
/// The derivatives of the sum of `target`, none where it does not depend on a
/// source or the tape did not see it.
Result<std::vector<std::optional<Id>>>
tapeGradient(Body &body, const TapeState &tape, Id target,
             std::span<const Id> sources, Place where);
/// Returns true if an open tape knows how the value came about.
bool isRecorded(const Body &body, Id value);

/// While it lives ops of an eager body are evaluated, but not recorded.
class Trial {
public:
  explicit Trial(Body &body);
  ~Trial();
  Trial(const Trial &) = delete;
  /// Ends it. Returns what the ops took of which an open tape wants gradients.
  std::vector<Id> end();

private:
  Body *body;
};

/// Returns true if results are looked through for NaN and infinity.
void setChecksNumerics(Body &body, bool checks);
/// The seed of first values and draws from now on.
void setSeed(Body &body, int64_t seed);

/// The numbers of values that handles and variables hold, and of ops that tapes
/// recorded.
struct EagerSize {
  size_t values = 0, recordedOps = 0;
};
EagerSize sizeOf(const Body &body);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_EAGER_H
