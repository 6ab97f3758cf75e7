//===- ProgressLine.cpp - how far a compilation is ------------------------===//
#include "compiler/frontend/text/ProgressLine.h"

using namespace tg;

/// After how long a line is shown, and how long one stays at least.
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
