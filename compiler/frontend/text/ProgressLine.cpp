//===- ProgressLine.cpp - shows the progress of a compilation -------------===//
#include "compiler/frontend/text/ProgressLine.h"

using namespace tg;

/// The time until a line is first shown, and the interval between updates.
static constexpr ProgressLine::Seconds kPatience(2), kInterval(0.1);

ProgressLine::Seconds ProgressLine::steadySeconds() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

ProgressLine::ProgressLine(llvm::raw_ostream &stream, bool isTerminal,
                           Clock clock)
    : stream(stream), clock(clock), isTerminal(isTerminal), start(clock()),
      last(start) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::erase() {
  if (isShown)
    stream << "\r\x1b[K";
  isShown = false;
  stream.flush();
}

void ProgressLine::show(size_t done, size_t all) {
  if (!isTerminal)
    return;
  std::lock_guard lock(mutex);
  if (done == all)
    return erase();
  Seconds now = clock();
  if (now - start < kPatience || now - last < kInterval)
    return;
  last = now;
  isShown = true;
  stream << "\r\x1b[K" << done << " of " << all << " kernels compiled, "
         << int64_t((now - start).count()) << " s";
  stream.flush();
}
