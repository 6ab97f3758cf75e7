//===- TapeList.h - the gradient tapes of a thread ------------------------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_TAPELIST_H
#define TG_COMPILER_FRONTEND_EAGER_TAPELIST_H

#include <cstdint>
#include <memory>
#include <vector>

namespace tg::dsl {

class Body;

/// The state of a gradient tape, shared by both sides of the pimpl. A tape does
/// not belong to a program: bodies look up the open tapes when they evaluate
/// ops.
struct TapeState {
  /// The id of the tape, counted from 1.
  uint64_t number = 0;
  bool watchesVariables = true;
  /// True if ops are currently recorded.
  bool records = true;
  /// The bodies that store data for the tape until it closes.
  std::vector<std::weak_ptr<Body>> bodies;
};

/// Returns the open tapes of this thread, outermost first.
std::vector<std::shared_ptr<TapeState>> &openTapes();

/// A scope in which ops that this thread evaluates are not recorded.
class RecordingPause {
public:
  RecordingPause();
  ~RecordingPause();
  RecordingPause(const RecordingPause &) = delete;
  /// Returns true if such a scope is open in this thread.
  static bool isOn();
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_TAPELIST_H
