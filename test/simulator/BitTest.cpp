#include "support/Evaluate.h"

using namespace tg::test;

namespace {

/// The name of each untyped type in PTX.
template <class V> std::string bitsName() {
  return ".b" + std::to_string(8 * sizeof(V));
}

TEST_F(InstructionTest, Logic) {
#define RUN(V)                                                                 \
  check("and" + bitsName<V>(), +[](V a, V b) { return V(a & b); });            \
  check("or" + bitsName<V>(), +[](V a, V b) { return V(a | b); });             \
  check("xor" + bitsName<V>(), +[](V a, V b) { return V(a ^ b); });            \
  check("not" + bitsName<V>(), +[](V a) { return V(~a); });
  RUN(uint16_t) RUN(uint32_t) RUN(uint64_t)
#undef RUN
}

TEST_F(InstructionTest, LogicOfPredicates) {
  check("and.pred", +[](bool a, bool b) { return a && b; });
  check("or.pred", +[](bool a, bool b) { return a || b; });
  check("xor.pred", +[](bool a, bool b) { return a != b; });
  check("not.pred", +[](bool a) { return !a; });
}

TEST_F(InstructionTest, ShiftsToTheLeft) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "shl" + bitsName<V>(),                                                   \
      +[](V a, uint32_t by) { return by >= widthOf<V> ? V(0) : V(a << by); });
  RUN(uint16_t) RUN(uint32_t) RUN(uint64_t)
#undef RUN
}

/// Shifts by more than the width leave only copies of the sign.
TEST_F(InstructionTest, ShiftsToTheRight) {
#define RUN(V, name)                                                           \
  check(                                                                       \
      "shr." name,                                                             \
      +[](V a, uint32_t by) { return V(__int128(a) >> (by > 64 ? 64 : by)); })
  RUN(uint16_t, "b16");
  RUN(uint32_t, "b32");
  RUN(uint64_t, "b64");
  RUN(uint16_t, "u16");
  RUN(uint32_t, "u32");
  RUN(uint64_t, "u64");
  RUN(int16_t, "s16");
  RUN(int32_t, "s32");
  RUN(int64_t, "s64");
#undef RUN
}

TEST_F(InstructionTest, FunnelShifts) {
  using W = uint32_t;
  check(
      "shf.l.wrap.b32", +[](W a, W b, W c) {
        c %= 32;
        return c == 0 ? b : W(b << c | a >> (32 - c));
      });
  check(
      "shf.r.wrap.b32", +[](W a, W b, W c) {
        c %= 32;
        return c == 0 ? a : W(a >> c | b << (32 - c));
      });
  check(
      "shf.l.clamp.b32", +[](W a, W b, W c) {
        return c == 0 ? b : c >= 32 ? a : W(b << c | a >> (32 - c));
      });
  check(
      "shf.r.clamp.b32", +[](W a, W b, W c) {
        return c == 0 ? a : c >= 32 ? b : W(a >> c | b << (32 - c));
      });
}

/// Counts bits one by one.
template <class V> uint32_t countBits(V a) {
  uint32_t count = 0;
  for (; a != 0; a &= a - 1)
    ++count;
  return count;
}

/// Counts zeros in front of the first bit.
template <class V> uint32_t countZeros(V a) {
  uint32_t count = widthOf<V>;
  for (; a != 0; a >>= 1)
    --count;
  return count;
}

TEST_F(InstructionTest, Counts) {
  check("popc.b32", countBits<uint32_t>);
  check("popc.b64", countBits<uint64_t>);
  check("clz.b32", countZeros<uint32_t>);
  check("clz.b64", countZeros<uint64_t>);
}

/// Returns the highest bit that differs from the sign, or -1.
template <class V> int findHighest(V a) {
  int highest = -1;
  for (unsigned i = 0; i < widthOf<V>; ++i)
    if ((a >> i & 1) != (a < 0))
      highest = i;
  return highest;
}

TEST_F(InstructionTest, HighestBits) {
#define RUN(V, name)                                                           \
  check("bfind." name, +[](V a) { return uint32_t(findHighest(a)); });         \
  check(                                                                       \
      "bfind.shiftamt." name, +[](V a) {                                       \
        int bit = findHighest(a);                                              \
        return bit < 0 ? UINT32_MAX : uint32_t(widthOf<V> - 1 - bit);          \
      });
  RUN(uint32_t, "u32")
  RUN(int32_t, "s32") RUN(uint64_t, "u64") RUN(int64_t, "s64")
#undef RUN
}

template <class V> V reverse(V a) {
  V reversed = 0;
  for (unsigned i = 0; i < widthOf<V>; ++i, a >>= 1)
    reversed = reversed << 1 | (a & 1);
  return reversed;
}

TEST_F(InstructionTest, ReversedBits) {
  check("brev.b32", reverse<uint32_t>);
  check("brev.b64", reverse<uint64_t>);
}

/// Returns a field by shifts of 128 bits, which none of its sizes exceeds.
template <class V> V fieldOf(V a, uint32_t b, uint32_t c) {
  unsigned at = std::min(b & 255, 127u), length = std::min(c & 255, 127u);
  __int128 shifted = __int128(a) >> at;
  if (length == 0)
    return 0;
  if (std::is_signed_v<V>) {
    // The sign of the value fills what lies outside of it.
    unsigned left = 128 - length;
    return V(__int128(static_cast<unsigned __int128>(shifted) << left) >> left);
  }
  return V(shifted & ((static_cast<unsigned __int128>(1) << length) - 1));
}

TEST_F(InstructionTest, ExtractedFields) {
  check("bfe.u32", fieldOf<uint32_t>);
  check("bfe.s32", fieldOf<int32_t>);
  check("bfe.u64", fieldOf<uint64_t>);
  check("bfe.s64", fieldOf<int64_t>);
}

template <class V> V insert(V a, V b, uint32_t c, uint32_t d) {
  unsigned at = std::min(c & 255, 127u), length = std::min(d & 255, 64u);
  auto one = static_cast<unsigned __int128>(1);
  auto mask = at >= 127 ? 0 : ((one << length) - 1) << at;
  auto moved = at >= 127 ? 0 : static_cast<unsigned __int128>(a) << at;
  return V((b & ~mask) | (moved & mask));
}

TEST_F(InstructionTest, InsertedFields) {
  check("bfi.b32", insert<uint32_t>);
  check("bfi.b64", insert<uint64_t>);
}

TEST_F(InstructionTest, PermutedBytes) {
  check(
      "prmt.b32", +[](uint32_t a, uint32_t b, uint32_t c) {
        const uint32_t words[] = {a, b};
        uint32_t result = 0;
        for (int i = 3; i >= 0; --i) {
          uint32_t nibble = c >> (4 * i) & 15;
          uint32_t byte = words[nibble / 4 % 2] >> (8 * (nibble % 4)) & 255;
          if (nibble >= 8)
            byte = byte >= 128 ? 255 : 0;
          result = result << 8 | byte;
        }
        return result;
      });
  // The selectors of a reversal, of halves and of signs.
  std::vector<Operands> tuples = {{0x80c0ff01, 0x7f008199, 0x0123},
                                  {0x80c0ff01, 0x7f008199, 0x7654},
                                  {0x80c0ff01, 0x7f008199, 0xba98}};
  EXPECT_EQ(evaluate("prmt.b32", {32, {32, 32, 32}}, tuples),
            (std::vector<uint64_t>{0x01ffc080, 0x7f008199, 0xffffff00}));
}

} // namespace
