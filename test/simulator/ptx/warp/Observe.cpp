#include "Thread.h"

#include <algorithm>

using namespace tg::ptx;

void Warp::failCheck(const std::optional<Finding> &finding) {
  if (finding)
    fail(finding->lane, Fault::LaunchFailed, finding->address, finding->reason);
}

/// Checks that local memory was written before it is read.
void Warp::checkLocal(const Request &request) {
  forEachLane(request.mask, [&](uint32_t lane) {
    uint8_t *written = localWritten.of(lane) + request.addresses[lane];
    if (request.usesUnwritten(written))
      failCheck(Finding{lane, request.addresses[lane],
                        "reads local memory that nothing has written"});
    else if (request.kind != AccessKind::Read)
      std::fill_n(written, request.bytes, 1);
  });
}

void Warp::observe(const Request &request) {
  if (block->launch.counter)
    block->launch.counter->countRequest(request);
  if (!block->checker || hasFailed())
    return;
  if (request.space == Space::Local)
    checkLocal(request);
  else
    failCheck(block->checker->check(request, number()));
}

void Warp::observeCopy(const Request &request) {
  if (block->launch.counter)
    block->launch.counter->countRequest(request);
  if (block->checker && !hasFailed())
    failCheck(block->checker->checkCopy(request, number()));
}

void Warp::awaitCopies(uint32_t lane, uint32_t last) {
  copies[lane].wait(last, [&](const PendingCopy &copy) {
    Addresses addresses;
    addresses.fill(copy.address);
    if (block->checker && !hasFailed())
      failCheck(block->checker->check(
          {Space::Shared, AccessKind::Write, 1u << lane, copy.bytes, addresses},
          number()));
  });
}

void Warp::checkAlignment() {
  for (const Group &group : groups)
    for (const Group &other : groups)
      if (group.isAligned && other.next != group.next)
        return fail(std::countr_zero(group.mask), Fault::LaunchFailed, 0,
                    "waits for all lanes of its warp, of which lane " +
                        std::to_string(std::countr_zero(other.mask)) +
                        " waits at line " + std::to_string(other.last().line));
}

/// Shows an access to what counts and checks, the lanes of each space for
/// themselves.
void Warp::observeSpaces(const Step &step, uint32_t mask, uint32_t bytes,
                         AccessKind kind, const Addresses &addresses) {
  if (!block->launch.counter && !block->checker)
    return;
  if (step.space != Space::Generic)
    return observe({step.space, kind, mask, bytes, addresses, step.used});
  Addresses offsets = addresses;
  uint32_t shared = 0, inLocal = 0;
  forEachLane(mask, [&](uint32_t lane) {
    if (addresses[lane] - sharedWindow < windowBytes) {
      shared |= 1u << lane;
      offsets[lane] -= sharedWindow;
    } else if (addresses[lane] - localWindow < windowBytes) {
      inLocal |= 1u << lane;
      offsets[lane] -= localWindow;
    }
  });
  uint32_t global = mask & ~shared & ~inLocal;
  for (auto [space, lanes] :
       {std::pair(Space::Shared, shared), std::pair(Space::Local, inLocal),
        std::pair(Space::Global, global)})
    if (lanes != 0)
      observe({space, kind, lanes, bytes, offsets, step.used});
}
