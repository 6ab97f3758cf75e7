#include "Meetings.h"
#include "Thread.h"

#include <algorithm>

using namespace tg::ptx;

using State = Group::State;

/// The most bytes of local memory of a thread, and the most slots of the frames
/// of a warp.
static constexpr size_t mostLocalBytes = 512 << 10;
static constexpr size_t mostSlots = 1 << 18;
/// The largest alignment of values in parameters and local memory.
static constexpr size_t frameAlignment = 256;
/// The jumps backward after which a group lets others go first, as they may be
/// what it waits for.
static constexpr uint32_t mostJumpsBack = 4096;

/// Rounds a size up to the alignment of frames.
static size_t alignFrame(size_t bytes) {
  return (bytes + frameAlignment - 1) / frameAlignment * frameAlignment;
}

std::array<uint32_t, 3> Warp::threadIndex(uint32_t lane) const {
  auto [x, y, z] = block->launch.block;
  uint32_t number = threadNumber(lane);
  return {number % x, number / x % y, number / x / y};
}

void Warp::begin(const Code &kernel, uint32_t first, uint32_t count) {
  firstThread = first;
  failure = {};
  carry = {};
  copies = {};
  groups.assign(1, Group());
  running = 0;
  current().mask = count >= warpSize ? UINT32_MAX : (1u << count) - 1;
  push(current(), kernel, nullptr);
  const std::vector<uint8_t> &given = block->launch.parameters;
  for (uint32_t lane = 0; lane < count; ++lane)
    std::copy(given.begin(), given.end(), parameters.of(lane));
}

/// Stores the bits of a slot for all lanes.
template <class Bits>
static void setLanes(uint8_t *slots, uint32_t slot, Bits bits) {
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    store(slots + slot * slotBytes + lane * sizeof(Bits), bits);
}

void Warp::clearSlots(const Frame &frame) {
  const Code &entered = *frame.code;
  size_t end = (frame.slots + entered.slotCount) * slotBytes;
  if (storage.size() < end)
    storage.resize(end);
  slots = slotsOf(frame);
  std::memset(slots, 0, entered.slotCount * slotBytes);
  setLanes<uint64_t>(slots, LocalSlot, frame.local);
  for (const Constant &constant : entered.constants)
    if (constant.isWide)
      setLanes<uint64_t>(slots, constant.slot, constant.bits);
    else
      setLanes<uint32_t>(slots, constant.slot, uint32_t(constant.bits));
}

void Warp::push(Group &group, const Code &entered, const Step *caller) {
  Frame frame{&entered, caller, 0, 0, 0};
  if (!group.frames.empty()) {
    const Frame &below = group.frames.back();
    frame.parameters =
        alignFrame(below.parameters + below.code->parameterBytes);
    frame.local = alignFrame(below.local + below.code->localBytes);
  }
  // Slots of other groups stay: a slot may lie differently in their frames.
  for (const Group &other : groups)
    if (!other.frames.empty())
      frame.slots =
          std::max(frame.slots, other.frames.back().slots +
                                    other.frames.back().code->slotCount);
  size_t localEnd = frame.local + entered.localBytes;
  parameters.reserve(frame.parameters + entered.parameterBytes);
  local.reserve(localEnd);
  if (block->checker)
    localWritten.reserve(localEnd);
  forEachLane(group.mask, [&](uint32_t lane) {
    // A warp without such memory has a null pointer.
    std::fill_n(parameters.of(lane) + frame.parameters, entered.parameterBytes,
                uint8_t(0));
    std::fill_n(local.of(lane) + frame.local, entered.localBytes, uint8_t(0));
    if (block->checker)
      std::fill_n(localWritten.of(lane) + frame.local, entered.localBytes,
                  uint8_t(0));
  });
  clearSlots(frame);
  group.frames.push_back(frame);
  group.next = entered.steps.data();
  if (frame.slots + entered.slotCount > mostSlots || localEnd > mostLocalBytes)
    fail(std::countr_zero(group.mask), Fault::LaunchFailed, localEnd);
}

Group &Warp::take(uint32_t mask) {
  if (mask == current().mask)
    return current();
  current().mask &= ~mask;
  Group taken = current();
  taken.mask = mask;
  groups.push_back(std::move(taken));
  yield();
  return groups.back();
}

void Warp::jump(uint32_t mask, uint32_t step) {
  Group &group = take(mask);
  const Step *target = group.frames.back().code->steps.data() + step;
  if (target < group.next && groups.size() > 1 && ++jumpsBack > mostJumpsBack) {
    ++group.turns;
    yield();
  }
  group.next = target;
}

void Warp::call(uint32_t mask, const CallSite &site) {
  Group &group = take(mask);
  size_t caller = group.frames.back().parameters;
  push(group, block->launch.program->codes[site.callee], group.next);
  size_t entered = group.frames.back().parameters;
  forEachLane(mask, [&](uint32_t lane) {
    uint8_t *bytes = parameters.of(lane);
    for (const ParameterCopy &copy : site.arguments)
      std::memcpy(bytes + entered + copy.callee, bytes + caller + copy.caller,
                  copy.bytes);
  });
  yield();
}

void Warp::leave(uint32_t mask) {
  if (current().frames.size() == 1)
    return end(mask);
  Group &group = take(mask);
  Frame left = group.frames.back();
  group.frames.pop_back();
  group.next = left.caller;
  const Frame &frame = group.frames.back();
  const CallSite &site = frame.code->calls[group.last().target];
  forEachLane(mask, [&](uint32_t lane) {
    uint8_t *bytes = parameters.of(lane);
    for (const ParameterCopy &copy : site.results)
      std::memcpy(bytes + frame.parameters + copy.caller,
                  bytes + left.parameters + copy.callee, copy.bytes);
  });
  yield();
}

void Warp::end(uint32_t mask) {
  current().mask &= ~mask;
  if (current().mask == 0)
    yield();
}

void Warp::wait(uint32_t mask, uint32_t barrier, bool isAligned) {
  Group &group = take(mask);
  group.state = State::Waits;
  group.barrier = barrier;
  group.isAligned = isAligned;
  yield();
}

void Warp::meet(const Step &step, uint32_t mask) {
  bool isComplete = step.base != ZeroSlot;
  forEachLane(mask, [&](uint32_t lane) {
    isComplete &= Thread{this, slots, lane}.bits<uint32_t>(step.base) == mask;
  });
  if (!isComplete) {
    take(mask).state = State::Meets;
    return yield();
  }
  Lanes lanes{*this, mask};
  lanes.slots.fill(slots);
  step.meet(lanes, step);
}

Group *Warp::groupOf(uint32_t lane) {
  for (Group &group : groups)
    if (group.mask >> lane & 1)
      return &group;
  return nullptr;
}

void Warp::fail(uint32_t lane, Fault fault, uint64_t address,
                std::string reason) {
  yield();
  // Only the first fault counts.
  if (hasFailed())
    return;
  const Group &group = *groupOf(lane);
  const Code &failed = *group.frames.back().code;
  // A frame that was just entered has executed no step.
  bool hasStepped = group.next != failed.steps.data();
  failure = {fault,
             failed.name,
             hasStepped ? group.last().line : group.next->line,
             address,
             std::move(reason),
             threadIndex(lane),
             block->index};
}
