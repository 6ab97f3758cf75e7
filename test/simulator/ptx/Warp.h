/// The threads of a warp, which meet at instructions that they execute
/// together.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_H
#define TG_TEST_SIMULATOR_PTX_WARP_H

#include "Thread.h"

#include <bit>
#include <span>

namespace tg::ptx {

/// The lanes of a warp that execute an instruction together.
struct Lanes {
  /// The threads of the warp; the last warp of a block may have fewer than 32.
  std::span<Thread> threads;
  /// The lanes that take part.
  uint32_t mask = 0;

  /// Calls a function with the number and the thread of each lane.
  template <class Function> void forEach(Function function) const {
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      uint32_t lane = std::countr_zero(rest);
      function(lane, threads[lane]);
    }
  }
};

/// Runs the threads of a warp until each waits at a barrier of the block or has
/// ended. Returns the thread that has failed, or null.
///
/// The lanes of a mask meet when all of them wait at the same instruction with
/// the same mask. A lane that can never arrive is a fault of those that wait
/// for it.
const Thread *runWarp(std::span<Thread> threads);

} // namespace tg::ptx

#endif
