#include "support/Evaluate.h"

#include <random>

using namespace tg::test;

namespace {

constexpr unsigned lanes = 32, warps = 2, threads = lanes * warps;

/// The words that each thread loads into %r4, %r5 and %r6.
using Words = std::array<uint32_t, 3>;

/// A result of 32 bits, and a predicate.
struct Result {
  uint32_t value = 0;
  uint32_t predicate = 0;
  bool operator==(const Result &) const = default;
};

/// Runs instructions on the lanes of two warps.
class WarpTest : public InstructionTest {
protected:
  /// Returns what a body leaves in %r9 and %q9 of each thread.
  std::vector<Result> runLanes(const std::string &body,
                               const std::vector<Words> &words) {
    std::string text = R"(mov.u32 %r1, %tid.x;
mul.wide.u32 %d1, %r1, 12;
add.s64 %d1, %d1, %p0;
mul.wide.u32 %d2, %r1, 8;
add.s64 %d2, %d2, %p1;
ld.global.b32 %r4, [%d1];
ld.global.b32 %r5, [%d1+4];
ld.global.b32 %r6, [%d1+8];
and.b32 %r2, %r4, 1;
setp.eq.s32 %q1, %r2, 1;
)" + body + R"(selp.b32 %r8, 1, 0, %q9;
st.global.v2.b32 [%d2], {%r9, %r8};
)";
    Buffer from(threads * sizeof(Words)), to(threads * sizeof(Result));
    from.put(words);
    run(kernel(kernelOf(2, text), "k"), 1, threads, {from.address, to.address});
    return to.take<Result>(threads);
  }

  /// Returns random words, of which the second and the third have small
  /// numbers in their lowest bits.
  static std::vector<Words> randomWords(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Words> words(threads);
    for (Words &word : words)
      word = {uint32_t(random()), uint32_t(random()), uint32_t(random())};
    return words;
  }

  /// Expects the source lanes of a shuffle. A function from the lane, its
  /// distance and its segments of 2^n lanes returns the source, or -1.
  void checkShuffle(const std::string &mode,
                    int (*source)(int lane, int b, int width)) {
    std::string opcode = "shfl.sync." + mode + ".b32";
    noteRun(opcode);
    for (int width : {1, 2, 4, 8, 16, 32})
      for (int b : {0, 1, 2, 3, 7, 16, 31}) {
        std::vector<Words> words = randomWords(b);
        uint32_t bound = mode == "up" ? 0 : 31;
        uint32_t c = (32 - width) << 8 | bound;
        std::vector<Result> found =
            runLanes(opcode + " %r9|%q9, %r4, " + std::to_string(b) + ", " +
                         std::to_string(c) + ", -1;\n",
                     words);
        for (int i = 0; i < int(threads) && !HasFailure(); ++i) {
          int lane = source(i % 32, b, width);
          Result expected = {words[lane < 0 ? i : i / 32 * 32 + lane][0],
                             lane >= 0};
          EXPECT_EQ(found[i], expected)
              << mode << " by " << b << " in " << width << ", thread " << i;
        }
      }
  }

  /// Expects a vote on the lowest bits of the first words.
  void checkVote(const std::string &mode,
                 uint32_t (*expected)(uint32_t votes)) {
    bool isBallot = mode == "ballot";
    std::string opcode = "vote.sync." + mode + (isBallot ? ".b32" : ".pred");
    noteRun(opcode);
    for (uint32_t votes : {0u, 1u, 0x80000000u, 0x7fffffffu, 0x12345678u, ~0u})
      for (bool isNegated : {false, true}) {
        std::vector<Words> words(threads);
        for (unsigned i = 0; i < threads; ++i)
          words[i][0] = votes >> i % 32 & 1;
        std::vector<Result> found =
            runLanes(opcode + (isBallot ? " %r9" : " %q9") +
                         (isNegated ? ", !%q1" : ", %q1") + ", 0xffffffff;\n",
                     words);
        uint32_t result = expected(isNegated ? ~votes : votes);
        for (const Result &one : found)
          EXPECT_EQ(isBallot ? one.value : one.predicate, result)
              << mode << " of " << votes;
      }
  }
};

TEST_F(WarpTest, ShufflesUp) {
  checkShuffle("up", [](int lane, int b, int width) {
    return lane % width >= b ? lane - b : -1;
  });
}

TEST_F(WarpTest, ShufflesDown) {
  checkShuffle("down", [](int lane, int b, int width) {
    return lane % width + b < width ? lane + b : -1;
  });
}

/// A lane behind the segment is not read, but one in front of it is.
TEST_F(WarpTest, ShufflesCrosswise) {
  checkShuffle("bfly", [](int lane, int b, int width) {
    int last = lane - lane % width + width - 1;
    return (lane ^ b) <= last ? lane ^ b : -1;
  });
}

TEST_F(WarpTest, ShufflesOfAnIndex) {
  checkShuffle("idx", [](int lane, int b, int width) {
    return lane - lane % width + b % width;
  });
}

/// The bound of c cuts a segment, and each lane has its own source.
TEST_F(WarpTest, ShufflesWithinABound) {
  std::vector<Words> words = randomWords(1);
  for (unsigned i = 0; i < threads; ++i)
    words[i][1] = i * 5;
  // Segments of 16 lanes whose last lane is 11.
  std::vector<Result> found =
      runLanes("shfl.sync.idx.b32 %r9|%q9, %r4, %r5, 0x100b, -1;\n", words);
  for (unsigned i = 0; i < threads; ++i) {
    unsigned lane = i * 5 % 16;
    bool isInside = lane <= 11;
    Result expected = {words[isInside ? i / 16 * 16 + lane : i][0], isInside};
    EXPECT_EQ(found[i], expected) << i;
  }
}

/// Without a predicate, and with a result that replaces the operand.
TEST_F(WarpTest, SumsOfWarps) {
  std::vector<Words> words = randomWords(2);
  std::string body = "setp.eq.s32 %q9, %r1, 0;\nmov.b32 %r9, %r4;\n";
  for (int by : {16, 8, 4, 2, 1})
    body += "shfl.sync.bfly.b32 %r7, %r9, " + std::to_string(by) +
            ", 31, -1;\nadd.s32 %r9, %r9, %r7;\n";
  std::vector<Result> found = runLanes(body, words);
  for (unsigned warp = 0; warp < warps; ++warp) {
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      sum += words[warp * 32 + lane][0];
    for (unsigned lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(found[warp * 32 + lane].value, sum);
  }
}

TEST_F(WarpTest, Votes) {
  checkVote("all", [](uint32_t votes) { return uint32_t(votes == ~0u); });
  checkVote("any", [](uint32_t votes) { return uint32_t(votes != 0); });
  checkVote("uni", [](uint32_t votes) {
    return uint32_t(votes == 0 || votes == ~0u);
  });
  checkVote("ballot", [](uint32_t votes) { return votes; });
}

/// Each half of a divergent warp votes alone, by a mask in a register.
TEST_F(WarpTest, VotesOfHalves) {
  std::vector<Words> words(threads);
  for (unsigned i = 0; i < threads; ++i)
    words[i] = {i % 3 == 0, i % 32 < 16 ? 0xffffu : 0xffff0000u, 0};
  std::vector<Result> found = runLanes(R"(mov.u32 %r2, %laneid;
setp.lt.u32 %q2, %r2, 16;
@%q2 bra Low;
vote.sync.ballot.b32 %r9, %q1, %r5;
bra Done;
Low:
vote.sync.ballot.b32 %r9, %q1, %r5;
Done:
setp.eq.s32 %q9, %r9, 0;
)",
                                       words);
  for (unsigned i = 0; i < threads; ++i) {
    uint32_t votes = 0;
    for (unsigned other = i / 16 * 16; other < i / 16 * 16 + 16; ++other)
      votes |= uint32_t(other % 3 == 0) << other % 32;
    EXPECT_EQ(found[i].value, votes);
  }
}

/// Lanes come together again behind a branch.
TEST_F(WarpTest, ActiveMasks) {
  noteRun("activemask.b32");
  std::vector<Words> words(threads);
  for (unsigned i = 0; i < threads; ++i)
    words[i][0] = i % 4 == 1;
  std::vector<Result> found = runLanes(R"(mov.b32 %r9, 0;
@!%q1 bra Behind;
activemask.b32 %r9;
Behind:
activemask.b32 %r7;
setp.eq.s32 %q9, %r7, -1;
)",
                                       words);
  for (unsigned i = 0; i < threads; ++i) {
    Result expected = {i % 4 == 1 ? 0x22222222u : 0u, 1};
    EXPECT_EQ(found[i], expected) << i;
  }
}

/// Lanes see what others have stored before they met.
TEST_F(WarpTest, BarriersOfWarps) {
  noteRun("bar.warp.sync");
  std::vector<Words> words = randomWords(3);
  std::vector<Result> found = runLanes(R"(.shared .b32 s[64];
mov.b64 %d3, s;
mul.wide.u32 %d4, %r1, 4;
add.s64 %d4, %d4, %d3;
st.shared.b32 [%d4], %r4;
bar.warp.sync -1;
xor.b32 %r2, %r1, 31;
mul.wide.u32 %d4, %r2, 4;
add.s64 %d4, %d4, %d3;
ld.shared.b32 %r9, [%d4];
setp.eq.s32 %q9, %r2, 0;
)",
                                       words);
  for (unsigned i = 0; i < threads; ++i)
    EXPECT_EQ(found[i].value, words[i ^ 31][0]);
}

TEST_F(WarpTest, MasksOfLanes) {
  const std::pair<const char *, uint32_t (*)(unsigned)> registers[] = {
      {"%laneid", [](unsigned lane) { return uint32_t(lane); }},
      {"%lanemask_eq", [](unsigned lane) { return 1u << lane; }},
      {"%lanemask_lt", [](unsigned lane) { return (1u << lane) - 1; }},
      {"%lanemask_le", [](unsigned lane) { return (2u << lane) - 1; }},
      {"%lanemask_gt", [](unsigned lane) { return ~((2u << lane) - 1); }},
      {"%lanemask_ge", [](unsigned lane) { return ~((1u << lane) - 1); }}};
  for (auto [name, expected] : registers) {
    std::vector<Result> found = runLanes("mov.u32 %r9, " + std::string(name) +
                                             ";\nsetp.eq.s32 %q9, %r9, 0;\n",
                                         std::vector<Words>(threads));
    for (unsigned i = 0; i < threads; ++i)
      EXPECT_EQ(found[i].value, expected(i % 32)) << name;
  }
}

} // namespace
