//===- TapeList.h - the gradient tapes of a thread ------------------------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_TAPELIST_H
#define TG_COMPILER_FRONTEND_EAGER_TAPELIST_H

#include <cstdint>
#include <memory>
#include <vector>

namespace tg::dsl {

class Body;

/// The state of a gradient tape, known to both sides of the seam. It belongs to
/// no program: bodies find it when they evaluate ops.
struct TapeState {
  /// Tapes count from 1.
  uint64_t number = 0;
  bool watchesVariables = true;
  /// True if ops are recorded now.
  bool records = true;
  /// The bodies that keep something for it, until it closes.
  std::vector<std::weak_ptr<Body>> bodies;
};

/// The open tapes of this thread, the outermost first.
std::vector<std::shared_ptr<TapeState>> &openTapes();

/// Nothing that this thread evaluates is recorded while it lives.
class RecordingPause {
public:
  RecordingPause();
  ~RecordingPause();
  RecordingPause(const RecordingPause &) = delete;
  /// Returns true if one lives.
  static bool isOn();
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_TAPELIST_H
