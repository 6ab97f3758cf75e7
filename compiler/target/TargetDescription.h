//===- TargetDescription.h - what passes may know of a target -------------===//
#ifndef TG_COMPILER_TARGET_TARGETDESCRIPTION_H
#define TG_COMPILER_TARGET_TARGETDESCRIPTION_H

#include "dialects/tgx/Alignment.h"
#include <cstdint>

namespace tg {

/// The numbers of a machine by which work is cut and laid out. A back end fills
/// them in; passes and emitters read them and need no name of a machine.
struct TargetDescription {
  //===--- The same for all code of a library: passes run once for all ----===//

  /// The alignment of the memory of every buffer, in bytes.
  static constexpr int64_t alignment = tgx::kAlignment;
  /// Bytes of a row of a panel of packed weights (tgx.pack); 0 where
  /// contractions read matrices as they are.
  int64_t panelBytes = 0;
  /// Bytes of the data cache next to the registers that code may count on.
  int64_t firstCacheBytes = 0;
  /// The same of the cache behind it, which a core has for itself, too.
  int64_t secondCacheBytes = 0;
  /// Bytes that the caches next to the workers of a run keep together, and that
  /// all caches keep: what is used again after more is stored past them. 0
  /// where nothing is.
  int64_t nearCacheBytes = 0, allCachesBytes = 0;

  //===--- Of one image of the code: for its emitters ---------------------===//

  /// Bytes of a vector register, and how many registers there are.
  unsigned vectorBytes = 0, vectorRegisters = 0;
  /// True if code computes with vectors; else element by element.
  bool usesVectors = false;
  /// True if inactive lanes of 4 and 8 bytes, and of any number, cost nothing.
  /// Elsewhere a masked load or store would become a branch for each lane.
  bool masksWords = false, masksBytes = false;

  /// Lanes of a vector of elements of so many bytes; 1 without vectors.
  unsigned lanes(unsigned elementBytes) const {
    return usesVectors ? vectorBytes / elementBytes : 1;
  }
};

} // namespace tg

#endif // TG_COMPILER_TARGET_TARGETDESCRIPTION_H
