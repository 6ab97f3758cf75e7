/// The instructions of PTX that copy from global to shared memory while the
/// threads go on.
///
/// The bytes are read and arrive when the thread waits for them, which is as
/// late as PTX permits: a missing wait shows.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_ASYNCCOPY_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_ASYNCCOPY_H

#include "Control.h"

#include <algorithm>

namespace tg::ptx {

/// Copies 4, 8 or 16 bytes from [b] to [a], of which the last ones may be
/// zeros.
template <unsigned... sizes> struct CopyAsync {
  static constexpr std::string_view operands = "HAzo";
  /// The numbers of bytes that a copy may have.
  static constexpr unsigned copySizes[] = {sizes...};
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    Addresses to = {}, from = {};
    forEachLane(mask, [&](uint32_t lane) {
      Thread t{&warp, warp.slots, lane};
      uint32_t read = std::min<uint32_t>(t.get<Type::U32>(s.slots[0]), s.count);
      to[lane] = t.sharedAddressOf(s);
      from[lane] = t.addressOf(s);
      warp.copies[lane].add({warp.accessShared(t, s, s.count),
                             warp.accessPart(t, s, s.count, read), s.count,
                             read, to[lane]});
    });
    forEachValue(warp, s.slots[0], mask, [&](uint32_t read, uint32_t lanes) {
      read = std::min<uint32_t>(read, s.count);
      if (read != 0)
        warp.observe({Space::Global, AccessKind::Read, lanes, read, from});
    });
    warp.observeCopy({Space::Shared, AccessKind::Write, mask, s.count, to});
  }
};

/// Makes a group of the copies since the last group.
struct CommitCopies {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &warp, const Step &, uint32_t mask) {
    forEachLane(mask, [&](uint32_t lane) { warp.copies[lane].commit(); });
  }
};

/// Waits until at most the n last groups have not arrived.
struct AwaitCopies {
  static constexpr std::string_view operands = "g";
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachLane(mask, [&](uint32_t lane) { warp.awaitCopies(lane, s.target); });
  }
};

/// Waits for all copies.
struct AwaitAllCopies {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &warp, const Step &, uint32_t mask) {
    forEachLane(mask, [&](uint32_t lane) {
      warp.copies[lane].commit();
      warp.awaitCopies(lane, 0);
    });
  }
};

} // namespace tg::ptx

#endif
