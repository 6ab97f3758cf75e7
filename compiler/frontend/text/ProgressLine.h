//===- ProgressLine.h - shows the progress of a compilation -----*- C++ -* ===//
#ifndef TG_COMPILER_FRONTEND_TEXT_PROGRESSLINE_H
#define TG_COMPILER_FRONTEND_TEXT_PROGRESSLINE_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace tg {

/// A line on a terminal that shows the progress of a compilation that takes
/// more than two seconds. The line is updated in place and erased at the end.
/// Shows nothing on a stream that is not a terminal.
class ProgressLine {
public:
  using Seconds = std::chrono::duration<double>;
  /// A function that returns the seconds since an arbitrary point in time.
  using Clock = Seconds (*)();

  /// `stream` must outlive this object.
  explicit ProgressLine(llvm::raw_ostream &stream, Clock clock = steadySeconds)
      : ProgressLine(stream, stream.is_displayed(), clock) {}
  ProgressLine(llvm::raw_ostream &stream, bool isTerminal, Clock clock);
  ProgressLine(const ProgressLine &) = delete;
  /// Erases the line.
  ~ProgressLine();

  /// Shows that `done` of `all` kernels are compiled. Erases the line when all
  /// are. Thread-safe.
  void show(size_t done, size_t all);

private:
  void erase();
  static Seconds steadySeconds();

  llvm::raw_ostream &stream;
  Clock clock;
  bool isTerminal, isShown = false;
  Seconds start, last;
  std::mutex mutex;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_PROGRESSLINE_H
