/// The instructions of PTX that the lanes of a warp execute together.
///
/// A semantics has a function `meet` on the lanes that take part. The slot
/// `base` of its step has the mask of the lanes that must arrive; without one
/// the lanes that have arrived take part.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_WARPINSTRUCTIONS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_WARPINSTRUCTIONS_H

#include "Forms.h"
#include "test/simulator/ptx/warp/Thread.h"

namespace tg::ptx {

/// The source lane of a shuffle.
struct SourceLane {
  uint32_t lane;
  /// False if the lane lies outside of the segment; the thread then reads its
  /// own value.
  bool isInside;
};

/// Finds the source lane of a shuffle. `b` is the lane or the distance; `c` has
/// the last lane of a segment in bits 0 to 4, and in bits 8 to 12 the bits of
/// the lane that name the segment.
template <class Mode>
SourceLane findSourceLane(uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t segment = c >> 8 & 31;
  uint32_t first = lane & segment;
  uint32_t last = first | (c & 31 & ~segment);
  // Lanes in front of lane 0 are negative.
  int32_t source = Mode::apply(lane, b & 31, first, segment);
  bool isInside =
      Mode::isUp ? source >= int32_t(last) : source <= int32_t(last);
  return {isInside ? uint32_t(source) : lane, isInside};
}

struct ShuffleUp {
  /// The bound of c is a first lane.
  static constexpr bool isUp = true;
  static int32_t apply(uint32_t lane, uint32_t b, uint32_t, uint32_t) {
    return int32_t(lane) - int32_t(b);
  }
};

struct ShuffleDown {
  static constexpr bool isUp = false;
  static int32_t apply(uint32_t lane, uint32_t b, uint32_t, uint32_t) {
    return lane + b;
  }
};

struct ShuffleButterfly {
  static constexpr bool isUp = false;
  static int32_t apply(uint32_t lane, uint32_t b, uint32_t, uint32_t) {
    return lane ^ b;
  }
};

struct ShuffleIndexed {
  static constexpr bool isUp = false;
  static int32_t apply(uint32_t, uint32_t b, uint32_t first, uint32_t segment) {
    return first | (b & ~segment);
  }
};

/// d = a of another lane; a predicate says if that lane is in the segment. The
/// value of a lane that does not take part has all bits set, which PTX leaves
/// open.
template <class Mode> struct Shuffle {
  static constexpr std::string_view operands = "Stuuk";
  static void meet(Lanes &lanes, const Step &s) {
    std::array<uint32_t, warpSize> values;
    values.fill(UINT32_MAX);
    lanes.forEach([&](uint32_t lane, const Thread &t) {
      values[lane] = t.get<Type::U32>(s.slots[2]);
    });
    lanes.forEach([&](uint32_t lane, const Thread &t) {
      uint32_t b = t.get<Type::U32>(s.slots[3]);
      uint32_t c = t.get<Type::U32>(s.slots[4]);
      SourceLane source = findSourceLane<Mode>(lane, b, c);
      t.set<Type::U32>(s.slots[0], values[source.lane]);
      t.set<Type::Pred>(s.slots[1], source.isInside);
    });
  }
};

/// The lanes whose predicate is true, and all lanes that vote.
struct Votes {
  uint32_t yes = 0;
  uint32_t all = 0;
};

/// Returns the votes of lanes on the predicate of a slot.
inline Votes votesOf(const Lanes &lanes, const Step &s, uint32_t slot) {
  Votes votes;
  lanes.forEach([&](uint32_t lane, const Thread &t) {
    votes.yes |= uint32_t(predicateOf(t, s, slot)) << lane;
    votes.all |= 1u << lane;
  });
  return votes;
}

struct VoteAll {
  static bool apply(Votes votes) { return votes.yes == votes.all; }
};

struct VoteAny {
  static bool apply(Votes votes) { return votes.yes != 0; }
};

/// All lanes have the same predicate.
struct VoteUniform {
  static bool apply(Votes votes) {
    return votes.yes == 0 || votes.yes == votes.all;
  }
};

/// p = F of the predicates of all lanes.
template <class F> struct Vote {
  static constexpr std::string_view operands = "Ppk";
  static void meet(Lanes &lanes, const Step &s) {
    bool result = F::apply(votesOf(lanes, s, s.slots[1]));
    lanes.forEach([&](uint32_t, const Thread &t) {
      t.set<Type::Pred>(s.slots[0], result);
    });
  }
};

/// d = the lanes whose predicate is true.
struct Ballot {
  static constexpr std::string_view operands = "Rpk";
  static void meet(Lanes &lanes, const Step &s) {
    uint32_t result = votesOf(lanes, s, s.slots[1]).yes;
    lanes.forEach([&](uint32_t, const Thread &t) {
      t.set<Type::U32>(s.slots[0], result);
    });
  }
};

/// d = the lanes that have arrived.
struct ActiveMask {
  static constexpr std::string_view operands = "R";
  static void meet(Lanes &lanes, const Step &s) {
    lanes.forEach([&](uint32_t, const Thread &t) {
      t.set<Type::U32>(s.slots[0], lanes.mask);
    });
  }
};

/// Waits for the lanes of a mask.
struct WarpBarrier {
  static constexpr std::string_view operands = "k";
  static void meet(Lanes &lanes, const Step &) { lanes.warp.passBarrier(); }
};

} // namespace tg::ptx

#endif
