#include "Thread.h"

using namespace tg::ptx;

/// Returns the place of `bytes` bytes at an address in a region, or null.
static uint8_t *within(const Region &region, uint64_t address, uint64_t bytes) {
  uint64_t size = region.end - region.begin;
  uint64_t offset = address - region.begin;
  bool isInside = offset < size && size - offset >= bytes;
  return isInside ? region.bytes + offset : nullptr;
}

uint8_t *Warp::accessGlobal(const Step &step, uint64_t address,
                            uint32_t bytes) {
  Region &region = block->regions[step.access];
  uint8_t *found = within(region, address, bytes);
  if (found)
    return found;
  region = block->launch.find(address);
  return within(region, address, bytes);
}

/// Returns the memory that a lane accesses, or null if it may not.
uint8_t *Warp::accessOne(const Step &step, uint32_t lane, uint64_t address,
                         uint32_t bytes) {
  const Frame &frame = current().frames.back();
  Space space = step.space;
  if (space == Space::Generic && address - sharedWindow < windowBytes) {
    space = Space::Shared;
    address -= sharedWindow;
  } else if (space == Space::Generic && address - localWindow < windowBytes) {
    space = Space::Local;
    address -= localWindow;
  }
  if (space == Space::Shared)
    return within({0, block->shared.size(), block->shared.data()}, address,
                  bytes);
  if (space == Space::Local)
    return within({0, frame.local + frame.code->localBytes, local.of(lane)},
                  address, bytes);
  if (space == Space::Param)
    return within(
        {0, frame.code->parameterBytes, parameters.of(lane) + frame.parameters},
        address, bytes);
  block->globalBytes += bytes;
  return accessGlobal(step, address, bytes);
}

/// Returns the region that all lanes of a step usually access, or an empty one.
Region Warp::likelyRegion(const Step &step) {
  if (step.space == Space::Shared)
    return {0, block->shared.size(), block->shared.data()};
  if (step.space == Space::Global)
    return block->regions[step.access];
  return {};
}

/// Stores the places of lanes in a region. Returns false if one of a mask is
/// misaligned or lies outside.
static bool placeIn(const Region &region, const Addresses &addresses,
                    uint32_t mask, uint32_t bytes, Pointers &pointers) {
  uint64_t size = region.end - region.begin;
  if (size < bytes)
    return false;
  uint32_t outside = 0;
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    uint64_t offset = addresses[lane] - region.begin;
    bool isOutside =
        offset > size - bytes || (addresses[lane] & (bytes - 1)) != 0;
    outside |= uint32_t(isOutside) << lane;
    pointers[lane] = region.bytes + offset;
  }
  return (outside & mask) == 0;
}

void Warp::access(const Step &step, uint32_t mask, uint32_t bytes,
                  AccessKind kind, Pointers &pointers) {
  Addresses addresses;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    addresses[lane] = Thread{this, slots, lane}.addressOf(step);
  if (placeIn(likelyRegion(step), addresses, mask, bytes, pointers)) {
    if (step.space == Space::Global)
      block->globalBytes += bytes * std::popcount(mask);
  } else {
    accessApart(step, mask, bytes, addresses, pointers);
  }
  observeSpaces(step, mask, bytes, kind, addresses);
}

/// Stores the memory of each lane where they do not lie in one region.
void Warp::accessApart(const Step &step, uint32_t mask, uint32_t bytes,
                       const Addresses &addresses, Pointers &pointers) {
  pointers.fill(discarded.data());
  forEachLane(mask, [&](uint32_t lane) {
    uint64_t address = addresses[lane];
    if (address % bytes != 0)
      return fail(lane, Fault::MisalignedAddress, address);
    uint8_t *found = accessOne(step, lane, address, bytes);
    if (found)
      pointers[lane] = found;
    else
      fail(lane, Fault::IllegalAddress, address);
  });
}

uint8_t *Warp::accessPart(const Thread &thread, const Step &step,
                          uint32_t bytes, uint32_t read) {
  uint64_t address = thread.addressOf(step);
  if (address % bytes != 0) {
    fail(thread.lane, Fault::MisalignedAddress, address);
    return discarded.data();
  }
  if (read == 0)
    return discarded.data();
  uint8_t *found = accessOne(step, thread.lane, address, read);
  if (found)
    return found;
  fail(thread.lane, Fault::IllegalAddress, address);
  return discarded.data();
}

uint8_t *Warp::accessShared(const Thread &thread, const Step &step,
                            uint32_t bytes) {
  Step shared = step;
  shared.space = Space::Shared;
  shared.base = step.sharedBase;
  shared.offset = step.sharedOffset;
  return accessPart(thread, shared, bytes, bytes);
}
