//===- Timer.h - the time of a phase of the work --------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_TIMER_H
#define TG_COMPILER_LIBRARY_CODE_TIMER_H

#include "compiler/library/Library.h"
#include <chrono>

namespace tg {

/// A timer that appends its lifetime in seconds to a list.
class Timer {
public:
  Timer(std::string phase, std::vector<PhaseTime> &times)
      : phase(phase), times(times), start(std::chrono::steady_clock::now()) {}
  ~Timer() {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    times.push_back({phase, passed.count(), subphases});
  }

  /// The times of the subphases.
  std::vector<PhaseTime> subphases;

private:
  std::string phase;
  std::vector<PhaseTime> &times;
  std::chrono::steady_clock::time_point start;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_TIMER_H
