#include "Meetings.h"
#include "Thread.h"

#include <cstdio>

using namespace tg::ptx;

using State = Group::State;

/// Returns the mask of the lanes that a waiting lane waits for.
uint32_t Meetings::maskOf(const Group &group, uint32_t lane) const {
  uint8_t *slots = warp.slotsOf(group.frames.back());
  return Thread{&warp, slots, lane}.bits<uint32_t>(group.last().base);
}

/// Returns true if the lanes that have arrived at a step execute it.
static bool isOpen(const Step &step) { return step.base == ZeroSlot; }

/// Returns true if a lane waits at the instruction of a lane with its mask.
bool Meetings::meets(uint32_t waiting, uint32_t lane) const {
  const Group *group = warp.groupOf(lane), *other = warp.groupOf(waiting);
  return group && group->state == State::Meets && group->next == other->next &&
         maskOf(*group, lane) == maskOf(*other, waiting);
}

bool Meetings::isComplete(uint32_t waiting) const {
  uint32_t mask = maskOf(*warp.groupOf(waiting), waiting);
  if (!(mask >> waiting & 1))
    return false;
  for (; mask != 0; mask &= mask - 1)
    if (!meets(waiting, std::countr_zero(mask)))
      return false;
  return true;
}

/// Returns the lanes that wait at a step.
uint32_t Meetings::lanesAt(const Step &step) const {
  uint32_t lanes = 0;
  for (const Group &group : warp.groups)
    if (group.state == State::Meets && &group.last() == &step)
      lanes |= group.mask;
  return lanes;
}

/// Returns the first step in the text at which lanes wait without a mask.
/// Behind it lanes may come to the others. Returns null if there is none.
const Step *Meetings::findOpen() const {
  const Step *first = nullptr;
  for (const Group &group : warp.groups)
    if (group.state == State::Meets && isOpen(group.last()) &&
        (!first || group.last().line < first->line))
      first = &group.last();
  return first;
}

void Meetings::execute(const Step &step, uint32_t mask) {
  Lanes lanes{warp, mask};
  forEachLane(mask, [&](uint32_t lane) {
    lanes.slots[lane] = warp.slotsOf(warp.groupOf(lane)->frames.back());
  });
  step.meet(lanes, step);
  for (size_t i = 0, count = warp.groups.size(); i < count; ++i) {
    uint32_t met = warp.groups[i].mask & mask;
    if (met == 0)
      continue;
    Group group = warp.groups[i];
    warp.groups[i].mask &= ~met;
    group.mask = met;
    group.state = State::Runs;
    warp.groups.push_back(std::move(group));
  }
}

bool Meetings::execute() {
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const Group *group = warp.groupOf(lane);
    if (!group || group->state != State::Meets || isOpen(group->last()))
      continue;
    if (isComplete(lane)) {
      execute(group->last(), maskOf(*group, lane));
      return true;
    }
  }
  // No lane can run on: those that have not arrived will not.
  const Step *open = findOpen();
  if (open)
    execute(*open, lanesAt(*open));
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
  if (warp.threadNumber(lane) >= warp.block->threadCount())
    return "is not in the block";
  const Group *group = warp.groupOf(lane);
  if (!group)
    return "has ended";
  const Step &step = group->last();
  std::string line = "line " + std::to_string(step.line);
  if (group->state == State::Waits)
    return "waits at the barrier of " + line;
  return "waits at " + line +
         (isOpen(step) ? "" : " with mask " + toHex(maskOf(*group, lane)));
}

/// Returns the reason why a waiting lane does not go on.
std::string Meetings::explain(uint32_t lane) const {
  uint32_t mask = maskOf(*warp.groupOf(lane), lane);
  std::string text = toHex(mask);
  std::string name = "lane " + std::to_string(lane);
  if (!(mask >> lane & 1))
    return name + " is not in its mask " + text;
  uint32_t missing = std::countr_zero(mask);
  while (meets(lane, missing)) {
    mask &= mask - 1;
    missing = std::countr_zero(mask);
  }
  return name + " waits for lane " + std::to_string(missing) + " of mask " +
         text + ", which " + describe(missing);
}

void Meetings::failWaiting() {
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const Group *group = warp.groupOf(lane);
    if (group && group->state == State::Meets)
      return warp.fail(lane, Fault::Timeout, 0, explain(lane));
  }
}
