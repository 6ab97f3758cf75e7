#include "Counter.h"

#include <algorithm>
#include <bit>

using namespace tg::ptx;

/// The bytes of a sector of global memory, and of a bank of shared memory.
static constexpr uint64_t sectorBytes = 32;
static constexpr uint64_t bankBytes = 4;
static constexpr uint64_t bankCount = 32;
/// The bytes that one pass over the banks moves.
static constexpr uint32_t passBytes = bankBytes * bankCount;

/// Returns the different addresses of lanes in their order.
static std::vector<uint64_t> differentAddresses(const Request &request) {
  std::vector<uint64_t> found;
  for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    found.push_back(request.addresses[std::countr_zero(rest)]);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void Counter::countRequest(const Request &request) {
  if (request.space == Space::Global)
    countGlobal(request);
  else if (request.space == Space::Shared)
    countShared(request);
}

void Counter::countGlobal(const Request &request) {
  bool reads = request.kind != AccessKind::Write;
  bool writes = request.kind != AccessKind::Read;
  // Accesses are aligned, so that different ones do not overlap and each lies
  // in one sector.
  std::vector<uint64_t> addresses = differentAddresses(request);
  uint64_t last = UINT64_MAX, touched = 0;
  for (uint64_t address : addresses) {
    touched += address / sectorBytes != last;
    last = address / sectorBytes;
  }
  uint64_t bytes = addresses.size() * request.bytes;
  counters.globalLoads += reads;
  counters.globalStores += writes;
  counters.globalBytesRead += reads ? bytes : 0;
  counters.globalBytesWritten += writes ? bytes : 0;
  counters.sectorsTouched += touched;
  counters.sectorsNeeded += (bytes + sectorBytes - 1) / sectorBytes;
}

/// Returns the passes over the banks that lanes need: the most different words
/// of one bank.
static uint64_t passesOf(const Request &request) {
  std::array<uint64_t, bankCount> words = {};
  uint64_t last = UINT64_MAX;
  for (uint64_t address : differentAddresses(request))
    for (uint64_t at = address; at < address + request.bytes; at += bankBytes) {
      uint64_t word = at / bankBytes;
      words[word % bankCount] += word != last;
      last = word;
    }
  return *std::ranges::max_element(words);
}

/// Lanes that access more than 4 bytes go in halves of the warp for 8 bytes and
/// in quarters for 16.
void Counter::countShared(const Request &request) {
  counters.sharedLoads += request.kind != AccessKind::Write;
  counters.sharedStores += request.kind != AccessKind::Read;
  uint32_t lanes = std::min(warpSize, passBytes / request.bytes);
  for (uint32_t first = 0; first < warpSize; first += lanes) {
    Request part = request;
    part.mask &= (UINT32_MAX >> (warpSize - lanes)) << first;
    if (part.mask != 0)
      counters.bankConflicts += passesOf(part) - 1;
  }
}
