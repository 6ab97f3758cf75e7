#include "Checker.h"

#include <bit>

using namespace tg::ptx;

void Checker::beginBlock(size_t sharedBytes, uint32_t warps) {
  shared.assign(sharedBytes, Byte());
  warpEpochs.assign(warps, 0);
  blockEpoch = 0;
  last = {};
}

std::optional<Finding> Checker::check(const Request &request, uint32_t warp) {
  if (request.space == Space::Global)
    return checkGlobal(request);
  if (request.space == Space::Shared)
    return checkShared(request, warp, /*arrives=*/true);
  return std::nullopt;
}

std::optional<Finding> Checker::checkCopy(const Request &request,
                                          uint32_t warp) {
  return checkShared(request, warp, /*arrives=*/false);
}

std::optional<Finding> Checker::checkGlobal(const Request &request) {
  for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    uint32_t lane = std::countr_zero(rest);
    uint64_t address = request.addresses[lane];
    if (address - last.begin >= last.end - last.begin)
      last = find(address);
    if (!last.written)
      continue;
    if (request.usesUnwritten(last.written + (address - last.begin)))
      return Finding{lane, address,
                     "reads global memory that nothing has written"};
    if (request.kind != AccessKind::Read)
      last.markWritten(address, request.bytes);
  }
  return std::nullopt;
}

/// Returns the earlier access to a byte that is not ordered before an access
/// and may not be, or null.
const Checker::Access *Checker::findRace(const Byte &byte, const Access &access,
                                         AccessKind kind) const {
  auto isUnordered = [&](const Access &other) {
    bool isSameWarp = other.thread / warpSize == access.thread / warpSize;
    return other.thread != UINT32_MAX && other.thread != access.thread &&
           other.blockEpoch == access.blockEpoch &&
           !(isSameWarp && other.warpEpoch != access.warpEpoch);
  };
  bool areAtomic = byte.isAtomic && kind == AccessKind::Update;
  if (!areAtomic && isUnordered(byte.write))
    return &byte.write;
  if (kind == AccessKind::Read)
    return nullptr;
  for (const Access *read : {&byte.read, &byte.otherRead})
    if (isUnordered(*read))
      return read;
  return nullptr;
}

void Checker::note(Byte &byte, const Access &access, AccessKind kind,
                   bool arrives) {
  if (kind == AccessKind::Read) {
    if (byte.read.thread != access.thread)
      byte.otherRead = byte.read;
    byte.read = access;
    return;
  }
  byte.write = access;
  byte.isAtomic = kind == AccessKind::Update;
  byte.isWritten |= arrives;
}

std::optional<Finding> Checker::checkShared(const Request &request,
                                            uint32_t warp, bool arrives) {
  for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    uint32_t lane = std::countr_zero(rest);
    uint64_t address = request.addresses[lane];
    Access access{warp * warpSize + lane, blockEpoch, warpEpochs[warp]};
    for (uint64_t at = address; at < address + request.bytes; ++at) {
      Byte &byte = shared[at];
      bool isUsed = request.used >> (at - address) & 1;
      if (request.kind != AccessKind::Write && !byte.isWritten && isUsed)
        return Finding{lane, at,
                       "reads byte " + std::to_string(at) +
                           " of shared memory, which nothing has written"};
      if (const Access *other = findRace(byte, access, request.kind))
        return Finding{lane, at,
                       "accesses byte " + std::to_string(at) +
                           " of shared memory without a barrier after thread " +
                           std::to_string(other->thread) +
                           (other == &byte.write ? " wrote it" : " read it")};
      note(byte, access, request.kind, arrives);
    }
  }
  return std::nullopt;
}
