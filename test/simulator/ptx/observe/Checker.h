/// Checks the accesses of a block beyond what hardware does.
#ifndef TG_TEST_SIMULATOR_PTX_OBSERVE_CHECKER_H
#define TG_TEST_SIMULATOR_PTX_OBSERVE_CHECKER_H

#include "Region.h"
#include "Request.h"

namespace tg::ptx {

/// An access of a lane that a check refuses, and the reason.
struct Finding {
  uint32_t lane = 0;
  uint64_t address = 0;
  std::string reason;
};

/// Finds reads of memory that nothing has written, and races on shared memory:
/// two accesses to a byte by different threads of a block, one of which writes
/// it, without a barrier between them.
class Checker {
public:
  /// `find` returns the region of an address of global memory.
  explicit Checker(const std::function<Region(uint64_t)> &find) : find(find) {}

  /// Begins a block, whose shared memory has so many bytes and was not written.
  void beginBlock(size_t sharedBytes, uint32_t warps);
  /// Orders the accesses of all threads before and behind.
  void passBarrier() { ++blockEpoch; }
  /// Orders the accesses of the lanes of a warp before and behind.
  void passWarpBarrier(uint32_t warp) { ++warpEpochs[warp]; }

  /// Notes an access to global or shared memory by the lanes of a warp. Returns
  /// the first finding.
  std::optional<Finding> check(const Request &request, uint32_t warp);
  /// Notes that a copy of a thread to shared memory is on its way. Its bytes
  /// are not written before it arrives.
  std::optional<Finding> checkCopy(const Request &request, uint32_t warp);

private:
  /// An access of a thread, and its place in time.
  struct Access {
    uint32_t thread = UINT32_MAX;
    uint32_t blockEpoch = 0;
    uint32_t warpEpoch = 0;
  };
  /// The last accesses to a byte of shared memory: the last write, the last
  /// read, and the last read of another thread.
  struct Byte {
    bool isWritten = false;
    bool isAtomic = false;
    Access write, read, otherRead;
  };

  std::optional<Finding> checkGlobal(const Request &request);
  std::optional<Finding> checkShared(const Request &request, uint32_t warp,
                                     bool arrives);
  const Access *findRace(const Byte &byte, const Access &access,
                         AccessKind kind) const;
  static void note(Byte &byte, const Access &access, AccessKind kind,
                   bool arrives);

  const std::function<Region(uint64_t)> &find;
  Region last;
  std::vector<Byte> shared;
  uint32_t blockEpoch = 0;
  std::vector<uint32_t> warpEpochs;
};

} // namespace tg::ptx

#endif
