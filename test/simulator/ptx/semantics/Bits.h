/// The operations of PTX on bits.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_BITS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_BITS_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace tg::ptx {

/// The number of bits of a type.
template <class V> inline constexpr uint32_t bitsOf = 8 * sizeof(V);

struct And {
  template <class V> static V apply(V a, V b) { return a & b; }
};

struct Or {
  template <class V> static V apply(V a, V b) { return a | b; }
};

struct Xor {
  template <class V> static V apply(V a, V b) { return a ^ b; }
};

struct Not {
  template <class V> static V apply(V a) {
    if constexpr (std::is_same_v<V, bool>)
      return !a;
    else
      return ~a;
  }
};

/// Shifts by more than the width shift everything out.
struct ShiftLeft {
  template <class V> static V apply(V a, uint32_t by) {
    return by >= bitsOf<V> ? 0 : static_cast<V>(uint64_t(a) << by);
  }
};

/// Copies of the sign enter a signed value.
struct ShiftRight {
  template <class V> static V apply(V a, uint32_t by) {
    if (by >= bitsOf<V>)
      return a < 0 ? static_cast<V>(-1) : 0;
    return static_cast<V>(a >> by);
  }
};

/// The upper half of the pair {b, a} shifted left by c.
template <bool isWrapped> struct FunnelLeft {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t by = isWrapped ? c & 31 : std::min(c, 32u);
    return static_cast<uint32_t>(((uint64_t(b) << 32 | a) << by) >> 32);
  }
};

/// The lower half of the pair {b, a} shifted right by c.
template <bool isWrapped> struct FunnelRight {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t by = isWrapped ? c & 31 : std::min(c, 32u);
    return static_cast<uint32_t>((uint64_t(b) << 32 | a) >> by);
  }
};

struct PopulationCount {
  template <class V> static uint32_t apply(V a) { return std::popcount(a); }
};

struct CountLeadingZeros {
  template <class V> static uint32_t apply(V a) { return std::countl_zero(a); }
};

/// The highest bit that is set, or in a negative value the highest bit that is
/// not; all bits set if there is none. `isShift` asks for the shift that brings
/// that bit to the highest place.
template <bool isShift> struct FindHighest {
  template <class V> static uint32_t apply(V a) {
    using Unsigned = std::make_unsigned_t<V>;
    auto bits = static_cast<Unsigned>(a < 0 ? ~a : a);
    if (bits == 0)
      return UINT32_MAX;
    uint32_t shift = std::countl_zero(bits);
    return isShift ? shift : bitsOf<V> - 1 - shift;
  }
};

struct ReverseBits {
  template <class V> static V apply(V a) {
    V reversed = 0;
    for (uint32_t i = 0; i < bitsOf<V>; ++i)
      reversed |= (a >> i & 1) << (bitsOf<V> - 1 - i);
    return reversed;
  }
};

/// The field of c bits at b, extended by its highest bit that lies in the value
/// if the type is signed. b and c count to 255.
struct ExtractField {
  template <class V> static V apply(V a, uint32_t b, uint32_t c) {
    using Unsigned = std::make_unsigned_t<V>;
    uint32_t at = b & 255, length = c & 255;
    uint32_t last = std::min(at + length, bitsOf<V>) - 1;
    bool fill = std::is_signed_v<V> && length != 0 && (a >> last & 1);
    Unsigned field = 0;
    for (uint32_t i = 0; i < bitsOf<V>; ++i) {
      bool isInside = i < length && at + i < bitsOf<V>;
      bool bit = isInside ? Unsigned(a) >> (at + i) & 1 : fill;
      field |= static_cast<Unsigned>(bit) << i;
    }
    return static_cast<V>(field);
  }
};

/// b with its field of d bits at c replaced by the lowest bits of a.
struct InsertField {
  template <class V> static V apply(V a, V b, uint32_t c, uint32_t d) {
    uint32_t at = c & 255, length = d & 255;
    for (uint32_t i = 0; i < length && at + i < bitsOf<V>; ++i) {
      V bit = V(1) << (at + i);
      b = (a >> i & 1) ? b | bit : b & ~bit;
    }
    return b;
  }
};

/// Four bytes picked from the pair {b, a} by the nibbles of c; the highest bit
/// of a nibble asks for eight copies of the sign.
struct PermuteBytes {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      uint32_t selector = c >> (4 * i) & 15;
      uint32_t byte = bytes >> (8 * (selector & 7)) & 255;
      if (selector & 8)
        byte = byte & 128 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};

} // namespace tg::ptx

#endif
