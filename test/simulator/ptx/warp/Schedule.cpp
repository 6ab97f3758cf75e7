#include "Meetings.h"
#include "Thread.h"

#include <algorithm>
#include <tuple>

using namespace tg::ptx;

using State = Group::State;

/// Removes groups whose lanes have ended, and joins those that have come to the
/// same step.
void Warp::merge() {
  std::erase_if(groups, [](const Group &group) { return group.mask == 0; });
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = groups.size() - 1; j > i; --j) {
      bool isSame = groups[i].state == State::Runs &&
                    groups[j].state == State::Runs &&
                    groups[i].isTogether(groups[j]);
      if (!isSame)
        continue;
      groups[i].mask |= groups[j].mask;
      groups[i].turns = std::max(groups[i].turns, groups[j].turns);
      groups.erase(groups.begin() + j);
    }
}

/// Returns what orders the groups: the one that is farthest behind goes first.
/// Lanes in a called function are behind those that have not called it.
static auto orderOf(const Group &group) {
  size_t depth = group.frames.size();
  return std::tuple(group.turns, SIZE_MAX - depth, group.frames.back().code,
                    group.next);
}

/// Makes the group that goes first the running one. Returns false if no group
/// can run.
bool Warp::choose() {
  merge();
  const Group *first = nullptr;
  for (const Group &group : groups)
    if (group.state == State::Runs &&
        (!first || orderOf(group) < orderOf(*first)))
      first = &group;
  if (!first)
    return false;
  running = first - groups.data();
  jumpsBack = 0;
  slots = slotsOf(first->frames.back());
  // It runs up to the first step at which another group stands.
  const std::vector<Step> &steps = first->frames.back().code->steps;
  stop = steps.data() + steps.size();
  for (const Group &group : groups)
    if (group.state == State::Runs && group.frames == first->frames &&
        group.next > first->next)
      stop = std::min(stop, group.next);
  return true;
}

/// Returns the lanes whose predicate lets them execute a step.
static uint32_t guardMask(const uint8_t *slots, const Step &step) {
  const uint8_t *values = slots + step.guard * slotBytes;
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    mask |= load<uint32_t>(values + 4 * lane) << lane;
  return step.isGuardNegated ? ~mask : mask;
}

/// Executes steps of the running group until it yields.
void Warp::execute() {
  do {
    Group &group = current();
    const Step &step = *group.next++;
    uint32_t mask = group.mask;
    block->executed += std::popcount(mask);
    if (block->executed > block->launch.limit)
      return fail(std::countr_zero(mask), Fault::Timeout, 0);
    if (block->launch.counter)
      block->launch.counter->countStep(step, std::popcount(mask));
    if (step.guard != ZeroSlot)
      mask &= guardMask(slots, step);
    if (mask != 0)
      step.execute(*this, step, mask);
  } while (current().next < stop);
}

void Warp::run() {
  Meetings meetings(*this);
  do {
    while (!hasFailed() && choose())
      execute();
  } while (!hasFailed() && meetings.execute());
  if (!hasFailed())
    meetings.failWaiting();
}
