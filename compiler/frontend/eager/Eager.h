//===- Eager.h - functions of eager bodies for the C++ frontend -----------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_EAGER_H
#define TG_COMPILER_FRONTEND_EAGER_EAGER_H

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/eager/TapeList.h"

namespace tg::dsl {

/// The modes of programs. In exact mode the reference evaluates ops.
enum class ExecutionMode { graph, eager, exact };
/// Returns the mode of a program that this thread makes now.
ExecutionMode executionMode();

/// Creates an empty body whose ops are evaluated as they are built, by the
/// reference if `isExact` is true.
std::shared_ptr<Body> createEagerBody(std::string name, bool isExact,
                                      Place where);

/// Makes the tape compute gradients for the value from now on.
void watch(Body &body, TapeState &tape, Id value);
/// Releases the data that the body stores for the tape.
void closeTape(Body &body, const TapeState &tape);
/// Returns the gradients of the sum of `target` for each source. A gradient is
/// nullopt if the target does not depend on the source, or if the tape did not
/// record the dependence.
Result<std::vector<std::optional<Id>>>
tapeGradient(Body &body, const TapeState &tape, Id target,
             std::span<const Id> sources, Place where);
/// Returns true if an open tape recorded how the value was computed.
bool isRecorded(const Body &body, Id value);

/// A scope in which ops of an eager body are evaluated but not recorded.
class UnrecordedScope {
public:
  explicit UnrecordedScope(Body &body);
  ~UnrecordedScope();
  UnrecordedScope(const UnrecordedScope &) = delete;
  /// Ends the scope. Returns the operands of the ops for which an open tape
  /// computes gradients.
  std::vector<Id> end();

private:
  Body *body;
};

/// Enables or disables the checks of results for NaN and infinity.
void setChecksNumerics(Body &body, bool checks);
/// Sets the seed of initial values and random samples from now on.
void setSeed(Body &body, int64_t seed);

/// The numbers of values referenced by handles and variables, and of ops
/// recorded by tapes.
struct EagerSize {
  size_t values = 0, recordedOps = 0;
};
EagerSize sizeOf(const Body &body);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_EAGER_H
