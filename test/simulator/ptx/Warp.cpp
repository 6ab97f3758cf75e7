#include "Warp.h"

#include <cstdio>

using namespace tg::ptx;

using State = Thread::State;

namespace {

/// Lets the lanes of a warp meet.
class Meetings {
public:
  explicit Meetings(std::span<Thread> threads) : threads(threads) {}

  /// Executes the instruction of one group of lanes that is complete. Returns
  /// false if there is none, or if a lane has failed.
  bool execute();
  /// Fails a lane that waits for others that do not arrive. Returns it, or null
  /// if no lane waits.
  const Thread *failWaiting();

private:
  /// Returns the step at which a thread waits.
  static const Step &stepOf(const Thread &thread) { return thread.next[-1]; }
  static uint32_t maskOf(const Thread &thread) {
    return thread.get<Type::U32>(stepOf(thread).base);
  }
  /// Returns true if the lanes that have arrived at a step execute it.
  static bool isOpen(const Step &step) { return step.base == ZeroSlot; }
  bool meets(const Thread &waiting, uint32_t lane) const;
  uint32_t lanesAt(const Step &step) const;
  bool isComplete(const Thread &waiting) const;
  const Thread *findOpen() const;
  std::string explain(uint32_t lane) const;
  std::string describe(uint32_t lane) const;
  void execute(const Step &step, uint32_t mask);

  std::span<Thread> threads;
};

} // namespace

/// Returns true if a lane waits at the instruction of a thread with its mask.
bool Meetings::meets(const Thread &waiting, uint32_t lane) const {
  return lane < threads.size() && threads[lane].state == State::Meets &&
         threads[lane].next == waiting.next &&
         maskOf(threads[lane]) == maskOf(waiting);
}

bool Meetings::isComplete(const Thread &waiting) const {
  uint32_t mask = maskOf(waiting);
  if (!(mask >> (&waiting - threads.data()) & 1))
    return false;
  for (; mask != 0; mask &= mask - 1)
    if (!meets(waiting, std::countr_zero(mask)))
      return false;
  return true;
}

/// Returns the lanes that wait at a step.
uint32_t Meetings::lanesAt(const Step &step) const {
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < threads.size(); ++lane)
    if (threads[lane].state == State::Meets && &stepOf(threads[lane]) == &step)
      lanes |= 1u << lane;
  return lanes;
}

/// Returns a thread that waits at an instruction without a mask: the first one
/// in the text, behind which lanes may come to the others.
const Thread *Meetings::findOpen() const {
  const Thread *first = nullptr;
  for (const Thread &thread : threads)
    if (thread.state == State::Meets && isOpen(stepOf(thread)) &&
        (!first || stepOf(thread).line < stepOf(*first).line))
      first = &thread;
  return first;
}

void Meetings::execute(const Step &step, uint32_t mask) {
  Lanes lanes{threads, mask};
  step.meet(lanes, step);
  lanes.forEach([](uint32_t, Thread &thread) {
    if (thread.state == State::Meets)
      thread.state = State::Runs;
  });
}

bool Meetings::execute() {
  for (const Thread &thread : threads) {
    if (thread.state != State::Meets || isOpen(stepOf(thread)))
      continue;
    if (isComplete(thread)) {
      execute(stepOf(thread), maskOf(thread));
      return true;
    }
  }
  // No lane can run on: those that have not arrived will not.
  const Thread *open = findOpen();
  if (open)
    execute(stepOf(*open), lanesAt(stepOf(*open)));
  return open;
}

/// Returns a mask in hexadecimal digits.
static std::string toHex(uint32_t mask) {
  char text[11];
  std::snprintf(text, sizeof(text), "0x%x", mask);
  return text;
}

/// Describes what a lane does instead of arriving.
std::string Meetings::describe(uint32_t lane) const {
  if (lane >= threads.size())
    return "is not in the block";
  const Thread &thread = threads[lane];
  if (thread.state == State::Ended)
    return "has ended";
  std::string line = "line " + std::to_string(stepOf(thread).line);
  if (thread.state == State::Waits)
    return "waits at the barrier of " + line;
  const Step &step = stepOf(thread);
  return "waits at " + line +
         (isOpen(step) ? "" : " with mask " + toHex(maskOf(thread)));
}

/// Returns the reason why a waiting lane does not go on.
std::string Meetings::explain(uint32_t lane) const {
  const Thread &waiting = threads[lane];
  uint32_t mask = maskOf(waiting);
  std::string text = toHex(mask);
  std::string name = "lane " + std::to_string(lane);
  if (!(mask >> lane & 1))
    return name + " is not in its mask " + text;
  uint32_t missing = std::countr_zero(mask);
  while (meets(waiting, missing)) {
    mask &= mask - 1;
    missing = std::countr_zero(mask);
  }
  return name + " waits for lane " + std::to_string(missing) + " of mask " +
         text + ", which " + describe(missing);
}

const Thread *Meetings::failWaiting() {
  for (uint32_t lane = 0; lane < threads.size(); ++lane) {
    Thread &thread = threads[lane];
    if (thread.state != State::Meets)
      continue;
    std::string reason = explain(lane);
    thread.fail(Fault::Timeout, 0);
    thread.failure.reason = std::move(reason);
    return &thread;
  }
  return nullptr;
}

const Thread *tg::ptx::runWarp(std::span<Thread> threads) {
  Meetings meetings(threads);
  do {
    for (Thread &thread : threads) {
      thread.run();
      if (thread.state == State::Failed)
        return &thread;
    }
  } while (meetings.execute());
  return meetings.failWaiting();
}
