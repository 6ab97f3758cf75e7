//===- ProgressLine.h - how far a compilation is ----------------*- C++ -*-===//
#ifndef TG_COMPILER_FRONTEND_TEXT_PROGRESSLINE_H
#define TG_COMPILER_FRONTEND_TEXT_PROGRESSLINE_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace tg {

/// A line on a terminal that says how far a compilation is, once that has taken
/// two seconds. It is written again and again, and erased at the end. Shows
/// nothing on a stream that is no terminal.
class ProgressLine {
public:
  using Seconds = std::chrono::duration<double>;
  /// Seconds since whenever.
  using Clock = Seconds (*)();

  /// `stream` must live as long as this.
  explicit ProgressLine(llvm::raw_ostream &stream, Clock clock = steadySeconds)
      : ProgressLine(stream, stream.is_displayed(), clock) {}
  ProgressLine(llvm::raw_ostream &stream, bool isTerminal, Clock clock);
  ProgressLine(const ProgressLine &) = delete;
  /// Erases the line.
  ~ProgressLine();

  /// Says that `done` of `all` kernels are compiled; erases the line when all
  /// are. Any thread may call it.
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
