//===- TargetDescription.h - the properties of a target that passes read --===//
#ifndef TG_COMPILER_TARGET_TARGETDESCRIPTION_H
#define TG_COMPILER_TARGET_TARGETDESCRIPTION_H

#include "dialects/tgx/Alignment.h"
#include <cstdint>

namespace tg {

/// The properties of a machine that determine tile sizes and data layouts. A
/// back end fills them in. Passes and emitters read them, and need not know the
/// name of the machine.
struct TargetDescription {
  //===--- The same for all targets that share a plan ---------------------===//

  /// The alignment of every buffer of the arena, in bytes.
  int64_t alignment = tgx::kAlignment;
  /// The minimum size in bytes of a row of a buffer that several kernels write
  /// next to each other: that of a cache line, so that they share none.
  int64_t leastPartRowBytes = 0;
  /// True if kernels are told the alignment of their buffers: see the attribute
  /// `alignments` of tgx.kernel.
  bool usesAlignments = false;
  /// The greatest number of slots of the argument block of a launch that
  /// several loops share: see the attribute `parts` of tgx.kernel. 0 if a
  /// launch costs too little to share it.
  int64_t joinedSlots = 0;
  /// The size in bytes of a row of a packed weight panel (tgx.pack). 0 if
  /// contractions read unpacked matrices.
  int64_t panelBytes = 0;
  /// The size in bytes of the L1 data cache that code may assume.
  int64_t l1Bytes = 0;
  /// The size in bytes of the L2 cache, which is private to a core.
  int64_t l2Bytes = 0;
  /// The capacity in bytes of the caches close to all workers of a run, and the
  /// capacity of all caches together. Outputs that these caches would not keep
  /// until their next use are written with non-temporal stores. 0 disables
  /// non-temporal stores.
  int64_t nearCacheBytes = 0, totalCacheBytes = 0;

  //===--- Specific to the code of one ISA level: for its emitters --------===//

  /// The size in bytes of a vector register, and the number of vector
  /// registers.
  unsigned vectorBytes = 0, vectorRegisters = 0;
  /// True if code uses vectors; false if it is scalar.
  bool usesVectors = false;
  /// True if masked loads and stores cost nothing extra: `masksWords` for lanes
  /// of 4 and 8 bytes, `masksBytes` for lanes of any size. Without them, a
  /// masked access would become a branch for each lane.
  bool masksWords = false, masksBytes = false;

  /// True if the target has fused multiply-adds, of which the orders of sums of
  /// products consist. Otherwise its bits are its own.
  bool fusesProducts = false;

  /// Returns the number of lanes of a vector of elements of `elementBytes`
  /// bytes; 1 for scalar code.
  unsigned lanes(unsigned elementBytes) const {
    return usesVectors ? vectorBytes / elementBytes : 1;
  }
};

} // namespace tg

#endif // TG_COMPILER_TARGET_TARGETDESCRIPTION_H
