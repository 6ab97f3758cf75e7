/// The special registers of PTX.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_SPECIALREGISTERS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_SPECIALREGISTERS_H

#include "test/simulator/ptx/warp/Thread.h"

namespace tg::ptx {

/// A special register.
struct SpecialRegister {
  std::string_view name;
  /// The size in bytes.
  unsigned bytes;
  uint64_t (*read)(const Thread &);
};

// Reads one component of an index or an extent.
template <unsigned i> uint64_t readThread(const Thread &t) {
  return t.warp->threadIndex(t.lane)[i];
}
template <unsigned i> uint64_t readThreads(const Thread &t) {
  return t.warp->block->launch.block[i];
}
template <unsigned i> uint64_t readBlock(const Thread &t) {
  return t.warp->block->index[i];
}
template <unsigned i> uint64_t readBlocks(const Thread &t) {
  return t.warp->block->launch.grid[i];
}

inline uint64_t readLane(const Thread &t) { return t.lane; }
inline uint64_t readWarp(const Thread &t) {
  return t.warp->threadNumber(t.lane) / warpSize;
}
inline uint64_t readWarps(const Thread &t) {
  return (t.warp->block->threadCount() + warpSize - 1) / warpSize;
}
/// The lanes whose distance from the thread's lane is in a range: those from
/// `first` up to, but without, `last` lanes behind it.
template <int first, int last> uint64_t readLanes(const Thread &t) {
  int lane = static_cast<int>(t.lane);
  uint32_t mask = 0;
  for (int other = 0; other < int(warpSize); ++other)
    mask |= uint32_t(other - lane >= first && other - lane < last) << other;
  return mask;
}

inline uint64_t readWarpSize(const Thread &) { return warpSize; }
inline uint64_t readZero(const Thread &) { return 0; }
inline uint64_t readOne(const Thread &) { return 1; }

// An instruction of a thread counts as a cycle.
inline uint64_t readClock(const Thread &t) { return t.warp->block->executed; }
inline uint64_t readClock32(const Thread &t) {
  return static_cast<uint32_t>(t.warp->block->executed);
}

/// All special registers.
inline constexpr SpecialRegister specialRegisters[] = {
    {"%tid.x", 4, readThread<0>},
    {"%tid.y", 4, readThread<1>},
    {"%tid.z", 4, readThread<2>},
    {"%ntid.x", 4, readThreads<0>},
    {"%ntid.y", 4, readThreads<1>},
    {"%ntid.z", 4, readThreads<2>},
    {"%ctaid.x", 4, readBlock<0>},
    {"%ctaid.y", 4, readBlock<1>},
    {"%ctaid.z", 4, readBlock<2>},
    {"%nctaid.x", 4, readBlocks<0>},
    {"%nctaid.y", 4, readBlocks<1>},
    {"%nctaid.z", 4, readBlocks<2>},
    {"%laneid", 4, readLane},
    {"%warpid", 4, readWarp},
    {"%nwarpid", 4, readWarps},
    {"WARP_SZ", 4, readWarpSize},
    {"%lanemask_eq", 4, readLanes<0, 1>},
    {"%lanemask_le", 4, readLanes<-32, 1>},
    {"%lanemask_lt", 4, readLanes<-32, 0>},
    {"%lanemask_ge", 4, readLanes<0, 32>},
    {"%lanemask_gt", 4, readLanes<1, 32>},
    {"%smid", 4, readZero},
    {"%nsmid", 4, readOne},
    {"%gridid", 8, readOne},
    {"%clock", 4, readClock32},
    {"%clock64", 8, readClock},
    {"%globaltimer", 8, readClock},
};

/// Returns the index of a special register, or the number of registers.
inline uint32_t findSpecialRegister(std::string_view name) {
  uint32_t i = 0;
  while (i < std::size(specialRegisters) && specialRegisters[i].name != name)
    ++i;
  return i;
}

} // namespace tg::ptx

#endif
