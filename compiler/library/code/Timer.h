//===- Timer.h - the time of a part of the work ---------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_TIMER_H
#define TG_COMPILER_LIBRARY_CODE_TIMER_H

#include "compiler/library/Library.h"
#include <chrono>

namespace tg {

/// A timer that appends its lifetime in seconds to a list.
class Timer {
public:
  Timer(std::string part, std::vector<PartTime> &times)
      : part(part), times(times), start(std::chrono::steady_clock::now()) {}
  ~Timer() {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    times.push_back({part, passed.count(), parts});
  }

  /// The times of the subphases.
  std::vector<PartTime> parts;

private:
  std::string part;
  std::vector<PartTime> &times;
  std::chrono::steady_clock::time_point start;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_TIMER_H
