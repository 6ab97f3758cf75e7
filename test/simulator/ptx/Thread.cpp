#include "Thread.h"

using namespace tg::ptx;

/// The most bytes of local memory and the most slots of the frames of a thread.
static constexpr size_t mostLocalBytes = 512 << 10;
static constexpr size_t mostSlots = 1 << 20;
/// The largest alignment of values in parameters and local memory.
static constexpr size_t frameAlignment = 256;

/// Rounds a size up to the alignment of frames.
static size_t alignFrame(size_t bytes) {
  return (bytes + frameAlignment - 1) / frameAlignment * frameAlignment;
}

void Thread::begin(const Code &kernel, std::array<uint32_t, 3> threadIndex) {
  index = threadIndex;
  state = State::Runs;
  carry = false;
  frames.clear();
  slots.clear();
  parameters.clear();
  local.clear();
  push(kernel);
  const std::vector<uint8_t> &given = block->launch.parameters;
  std::copy(given.begin(), given.end(), parameters.begin());
}

void Thread::push(const Code &code) {
  Frame frame{&code, code.steps.data(), slots.size(),
              alignFrame(parameters.size()), alignFrame(local.size())};
  frames.push_back(frame);
  slots.insert(slots.end(), code.slots.begin(), code.slots.end());
  slots[frame.slots + LocalSlot] = frame.local;
  parameters.resize(frame.parameters + code.parameterBytes);
  local.resize(frame.local + code.localBytes);
  registers = slots.data() + frame.slots;
  next = frame.next;
  if (slots.size() > mostSlots || local.size() > mostLocalBytes)
    fail(Fault::LaunchFailed, local.size());
}

void Thread::call(const CallSite &site) {
  const Code &callee = block->launch.program->codes[site.callee];
  frames.back().next = next;
  size_t caller = frames.back().parameters;
  push(callee);
  size_t entered = frames.back().parameters;
  for (const ParameterCopy &copy : site.arguments)
    std::memcpy(&parameters[entered + copy.callee],
                &parameters[caller + copy.caller], copy.bytes);
}

void Thread::leave() {
  Frame left = frames.back();
  if (frames.size() == 1) {
    state = State::Ended;
    return;
  }
  frames.pop_back();
  const Frame &frame = frames.back();
  const CallSite &site = frame.code->calls[frame.next[-1].target];
  for (const ParameterCopy &copy : site.results)
    std::memcpy(&parameters[frame.parameters + copy.caller],
                &parameters[left.parameters + copy.callee], copy.bytes);
  slots.resize(left.slots);
  parameters.resize(frame.parameters + frame.code->parameterBytes);
  local.resize(frame.local + frame.code->localBytes);
  registers = slots.data() + frame.slots;
  next = frame.next;
}

void Thread::run() {
  const uint64_t limit = block->launch.limit;
  uint64_t executed = block->executed;
  while (state == State::Runs) {
    const Step &step = *next++;
    if (++executed > limit) {
      fail(Fault::Timeout, 0);
      break;
    }
    if ((registers[step.guard] != 0) != step.isGuardNegated)
      step.execute(*this, step);
  }
  block->executed = executed;
}

uint8_t *Thread::fail(Fault fault, uint64_t address) {
  // Only the first fault counts.
  if (state == State::Failed)
    return discarded.data();
  state = State::Failed;
  const Code &code = *frames.back().code;
  // A frame that was just entered has executed no step.
  bool hasStepped = next != code.steps.data();
  failure = {fault,       code.name, hasStepped ? next[-1].line : next->line,
             address,     "",        index,
             block->index};
  return discarded.data();
}

/// Returns `bytes` bytes at an offset of a memory, or null if they do not lie
/// in it.
static uint8_t *within(std::vector<uint8_t> &memory, size_t begin, size_t end,
                       uint64_t offset, uint64_t bytes) {
  uint64_t size = end - begin;
  if (offset > size || size - offset < bytes)
    return nullptr;
  return memory.data() + begin + offset;
}

uint8_t *Thread::accessGlobal(const Step &step, uint64_t address,
                              uint64_t bytes) {
  Region &region = block->regions[step.access];
  block->globalBytes += bytes;
  for (bool isFound : {false, true}) {
    uint64_t size = region.end - region.begin;
    uint64_t offset = address - region.begin;
    if (offset < size && size - offset >= bytes)
      return region.bytes + offset;
    if (!isFound)
      region = block->launch.find(address);
  }
  return nullptr;
}

uint8_t *Thread::access(const Step &step, uint64_t bytes) {
  uint64_t address = addressOf(step);
  if (address % bytes != 0)
    return fail(Fault::MisalignedAddress, address);
  Space space = step.space;
  uint64_t offset = address;
  if (space == Space::Generic && address - sharedWindow < windowBytes) {
    space = Space::Shared;
    offset = address - sharedWindow;
  } else if (space == Space::Generic && address - localWindow < windowBytes) {
    space = Space::Local;
    offset = address - localWindow;
  }
  uint8_t *memory = nullptr;
  if (space == Space::Shared)
    memory = within(block->shared, 0, block->shared.size(), offset, bytes);
  else if (space == Space::Local)
    memory = within(local, 0, local.size(), offset, bytes);
  else if (space == Space::Param)
    memory = within(parameters, frames.back().parameters, parameters.size(),
                    offset, bytes);
  else
    memory = accessGlobal(step, address, bytes);
  return memory ? memory : fail(Fault::IllegalAddress, address);
}
