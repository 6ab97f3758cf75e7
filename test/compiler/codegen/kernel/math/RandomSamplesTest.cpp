// Compares compiled Philox words and random samples with the plain C++ ones.
#include "CompiledKernels.h"
#include "UlpError.h"

#include "compiler/codegen/kernel/math/MathBuilders.h"
#include "dialects/tg/evaluation/Random.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace tg::test;

namespace {

constexpr uint64_t kSeed = 0x0123456789abcdefu;
constexpr uint64_t kCounter = 0xfedcba9876543210u;
constexpr uint32_t kStream = 0x80000007u;
constexpr tg::SampleKey kSample = {kSeed, kCounter, kStream};
constexpr int64_t kCount = 1 << 14;

using Words = std::array<Value, 4>;
using OfWords = std::function<Value(OpBuilder &, Location, const Words &)>;

/// Returns a body that maps a block index to a value of the block's four words.
Body ofBlock(OfWords finish) {
  return [finish](OpBuilder &builder, Location loc, Value block, Value) {
    Value counter =
        arith::ConstantIntOp::create(builder, loc, int64_t(kCounter), 64);
    Value seed = arith::ConstantIntOp::create(builder, loc, kSeed, 64);
    return finish(builder, loc,
                  tg::buildPhilox(builder, loc, block, kStream, counter, seed));
  };
}

Body word(int k) {
  return ofBlock(
      [k](OpBuilder &, Location, const Words &words) { return words[k]; });
}

Body normalF32(bool truncated) {
  return [truncated](OpBuilder &builder, Location loc, Value word, Value) {
    return tg::buildNormalF32(builder, loc, word, truncated);
  };
}

Body uniformF32() {
  return [](OpBuilder &builder, Location loc, Value word, Value) {
    return tg::buildUniformF32(builder, loc, word);
  };
}

Body uniformF64() {
  return ofBlock([](OpBuilder &builder, Location loc, const Words &words) {
    return tg::buildUniformF64(builder, loc, words[0], words[1]);
  });
}

Body normalF64(bool truncated) {
  return ofBlock(
      [truncated](OpBuilder &builder, Location loc, const Words &words) {
        return tg::buildNormalF64(builder, loc, words[2], words[3], truncated);
      });
}

/// Fixture with the compiled loops of one level and width.
class RandomSamples
    : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
protected:
  void SetUp() override {
    auto [level, isVector] = GetParam();
    if (!canRun(level))
      GTEST_SKIP() << level << " does not run here";
    // Blocks from 0 on, and the last blocks below 2^32.
    for (int64_t i = 0; i < kCount; ++i)
      blocks.push_back(i < kCount / 2 ? i : (int64_t(1) << 32) - kCount + i);
    // The first test of a level and width compiles the loops; all tests share
    // them.
    static std::map<ParamType, std::unique_ptr<CompiledKernels>> compiled;
    std::unique_ptr<CompiledKernels> &slot = compiled[GetParam()];
    if (!slot) {
      slot = std::make_unique<CompiledKernels>(level);
      addLoops(*slot, isVector ? widestVector(level, 4) : 1);
      ASSERT_EQ(slot->compile(), "");
    }
    kernels = slot.get();
    ASSERT_EQ(kernels->getUndefinedSymbols(), std::vector<std::string>());
  }

  static void addLoops(CompiledKernels &kernels, unsigned width) {
    OpBuilder &builder = kernels.getBuilder();
    Type i32 = builder.getI32Type();
    Type i64 = builder.getI64Type();
    for (int k = 0; k < 4; ++k)
      kernels.add("word" + std::to_string(k), i64, width, word(k));
    kernels.add("uniformF32", i32, width, uniformF32());
    kernels.add("normalF32", i32, width, normalF32(false));
    kernels.add("truncatedF32", i32, width, normalF32(true));
    kernels.add("uniformF64", i64, width, uniformF64());
    kernels.add("normalF64", i64, width, normalF64(false));
    kernels.add("truncatedF64", i64, width, normalF64(true));
  }

  template <typename Out, typename In>
  std::vector<Out> run(const std::string &name, const std::vector<In> &in) {
    std::vector<Out> out(in.size());
    kernels->find(name)(in.data(), in.data(), out.data(), int64_t(in.size()));
    return out;
  }

  CompiledKernels *kernels = nullptr;
  std::vector<int64_t> blocks;
};

TEST_P(RandomSamples, WordsAreThoseOfTheOracle) {
  for (int k = 0; k < 4; ++k) {
    auto words = run<uint32_t>("word" + std::to_string(k), blocks);
    for (int64_t i = 0; i < kCount; ++i)
      ASSERT_EQ(words[i],
                tg::sampleWord32(kSample, 4 * uint64_t(blocks[i]) + k));
  }
}

TEST_P(RandomSamples, F64DrawsAreThoseOfTheOracle) {
  auto uniform = run<double>("uniformF64", blocks);
  auto normal = run<double>("normalF64", blocks);
  auto truncated = run<double>("truncatedF64", blocks);
  double worst = 0;
  for (int64_t i = 0; i < kCount; ++i) {
    uint64_t index = 2 * uint64_t(blocks[i]);
    ASSERT_EQ(uniform[i], tg::uniformF64(kSample, index));
    worst = std::max(
        worst, ulpError(normal[i], tg::normalF64(kSample, index + 1, false)));
    worst = std::max(
        worst, ulpError(truncated[i], tg::normalF64(kSample, index + 1, true)));
  }
  std::printf("normal draws f64 %8.3f ulp\n", worst);
  EXPECT_LE(worst, 8);
}

/// Returns the exact normal sample of a 32-bit word, from the definition.
long double exactNormal(uint32_t word, bool truncated) {
  long double y = 2 * ((word >> 9) + 0.5L) * 0x1p-23L - 1;
  if (truncated)
    y *= std::erf(std::sqrt(2.0L));
  return std::sqrt(2.0L) * tg::erfInv(y, 1 - std::abs(y));
}

TEST_P(RandomSamples, F32DrawsFollowTheDefinition) {
  std::vector<uint32_t> words;
  for (uint64_t position = 0; position < 1 << 23; position += 251)
    words.push_back(uint32_t(position << 9 | (position & 511)));
  words.push_back(~0u);
  words.resize(words.size() / 16 * 16 + 16, 0x80000000u);
  auto uniform = run<float>("uniformF32", words);
  auto normal = run<float>("normalF32", words);
  auto truncated = run<float>("truncatedF32", words);
  double worst = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(uniform[i], float(words[i] >> 8) * 0x1p-24f);
    ASSERT_LT(std::abs(truncated[i]), 2);
    worst = std::max(worst, ulpError(normal[i], exactNormal(words[i], false)));
    worst =
        std::max(worst, ulpError(truncated[i], exactNormal(words[i], true)));
  }
  std::printf("normal draws f32 %8.3f ulp\n", worst);
  EXPECT_LE(worst, 8);
}

INSTANTIATE_TEST_SUITE_P(Levels, RandomSamples,
                         ::testing::Combine(::testing::ValuesIn(allIsaLevels()),
                                            ::testing::Bool()));

TEST(Random, GivesThePublishedVector) {
  std::array<uint32_t, 4> words = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                   0x9b00dbd8};
  EXPECT_EQ(tg::philox(0, 0, 0, 0), words);
  tg::SampleKey draw;
  const float uniforms[] = {0.39904642f, 0.88052016f, 0.73571277f, 0.60548180f};
  const float normals[] = {-0.2558159f, 1.1775911f, 0.6301838f, 0.2675621f};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(tg::uniformF32(draw, i), uniforms[i]);
    EXPECT_NEAR(tg::normalF32(draw, i), normals[i], 1e-7);
  }
  EXPECT_EQ(tg::sampleWord64(draw, 1), 0x9b00dbd8bc57ac4cu);
}

} // namespace
