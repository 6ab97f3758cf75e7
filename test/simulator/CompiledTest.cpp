#include "support/Cuda.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

using namespace tg::test;

namespace {

/// Tests kernels that LLVM has compiled from the inputs of this directory.
class CompiledTest : public CudaTest {
protected:
  /// Returns a kernel of an input.
  CUfunction compiled(const std::string &input, const char *name) {
    std::ifstream file(TG_COMPILED + ("/" + input + ".ptx"));
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(file) << input;
    return kernel(text.str(), name);
  }

  /// Returns the results of a kernel that maps elements to elements.
  template <class To, class From>
  std::vector<To> map(const char *name, const std::vector<From> &values,
                      size_t resultsOfEach, std::vector<uint64_t> rest = {}) {
    Buffer in(values.size() * sizeof(From));
    size_t count = values.size() * resultsOfEach;
    Buffer out(count * sizeof(To));
    in.put(values);
    std::vector<uint64_t> parameters = {in.address, out.address};
    parameters.insert(parameters.end(), rest.begin(), rest.end());
    run(compiled("values", name), 1, values.size(), parameters);
    return out.take<To>(count);
  }
};

const std::vector<float> singles = {0.0f,  -0.0f,  0.5f,     -2.5f, 3.75f,
                                    1e10f, 1e-40f, -123.25f, 77.5f, 1e30f};

TEST_F(CompiledTest, Singles) {
  std::vector<float> found = map<float>("singles", singles, 1);
  for (size_t i = 0; i < singles.size(); ++i) {
    float x = singles[i];
    float max =
        std::fmax(std::fma(x, x, 1.5f) / (x - 0.5f), std::sqrt(x < 0 ? -x : x));
    EXPECT_EQ(found[i], std::copysign(max, x)) << x;
  }
}

TEST_F(CompiledTest, Doubles) {
  std::vector<double> values = {1.5, -2.75, 1e-300, 3e18, 7};
  Buffer toSingles(values.size() * 4);
  std::vector<double> found =
      map<double>("doubles", values, 1, {toSingles.address});
  std::vector<float> single = toSingles.take<float>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    double x = values[i], expected = std::fma(std::floor(x), x, 1 / x);
    EXPECT_EQ(found[i], expected) << x;
    EXPECT_EQ(single[i], static_cast<float>(expected)) << x;
  }
}

TEST_F(CompiledTest, Quotients) {
  std::vector<int64_t> values = {
      0, 1, -1, 100, -100, 12345678901234, INT64_MAX, INT64_MIN};
  for (int64_t y : {int64_t(7), int64_t(-3), int64_t(1) << 40}) {
    std::vector<int64_t> found =
        map<int64_t>("quotients", values, 4, {static_cast<uint64_t>(y)});
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t x = values[i];
      auto bits = static_cast<uint64_t>(x);
      uint64_t zeros = x == 0 ? 64 : __builtin_ctzll(bits);
      EXPECT_EQ(found[4 * i], x / y);
      EXPECT_EQ(found[4 * i + 1], x % y);
      EXPECT_EQ(
          found[4 * i + 2],
          static_cast<int64_t>(static_cast<__int128>(x) * 12345678901 >> 64));
      EXPECT_EQ(static_cast<uint64_t>(found[4 * i + 3]),
                uint64_t(__builtin_popcountll(bits)) << 32 | zeros);
    }
  }
}

TEST_F(CompiledTest, Bits) {
  std::vector<uint32_t> values = {0,          1,          0x80,  0x12345678,
                                  0xffffffff, 0x80000000, 0xabcd};
  std::vector<uint32_t> found = map<uint32_t>("bits", values, 1);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t x = values[i];
    unsigned zeros = x == 0 ? 32 : __builtin_clz(x);
    uint32_t turned =
        zeros % 32 == 0 ? x : x << zeros % 32 | x >> (32 - zeros % 32);
    auto swapped = static_cast<int32_t>(__builtin_bswap32(turned));
    uint32_t absolute = swapped < 0 ? -uint32_t(swapped) : swapped;
    EXPECT_EQ(found[i],
              (absolute + uint32_t(int8_t(x))) ^ uint32_t(uint16_t(x) % 1000))
        << x;
  }
}

TEST_F(CompiledTest, Conversions) {
  std::vector<float> values = {0, 1.75f, -1.75f, 300.5f, -70000.9f, 2e9f};
  std::vector<float> found = map<float>("conversions", values, 1);
  for (size_t i = 0; i < values.size(); ++i) {
    float x = values[i];
    auto word = static_cast<int32_t>(x);
    float sum = static_cast<float>(static_cast<int64_t>(x)) +
                static_cast<float>(word & 255);
    EXPECT_EQ(found[i], sum + static_cast<float>(static_cast<double>(word)));
  }
}

TEST_F(CompiledTest, LoopsWithLongIndices) {
  std::vector<float> values(100);
  std::iota(values.begin(), values.end(), 0.25f);
  Buffer in(400), out(400);
  in.put(values);
  run(compiled("control", "prefix"), 4, 32, {in.address, out.address, 100});
  std::vector<float> expected(100);
  std::partial_sum(values.begin(), values.end(), expected.begin());
  EXPECT_EQ(out.take<float>(100), expected);
}

TEST_F(CompiledTest, Switches) {
  Buffer out(32);
  run(compiled("control", "cases"), 1, 7, {out.address});
  EXPECT_EQ(out.take<int>(8),
            (std::vector<int>{2, 10, 20, 200, 40, 50, 20, -1}));
}

TEST_F(CompiledTest, Calls) {
  Buffer out(24);
  CUdeviceptr address = out.address;
  uint32_t structure[3] = {1, 1000, 3};
  void *parameters[] = {&address, structure};
  EXPECT_EQ(cuda.cuLaunchKernel(compiled("control", "calls"), 1, 1, 1, 3, 1, 1,
                                0, nullptr, parameters, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(out.take<int64_t>(3), (std::vector<int64_t>{1001, 1003, 1005}));
}

TEST_F(CompiledTest, LocalArraysAndConstants) {
  Buffer out(32);
  run(compiled("control", "arrays"), 1, 8, {out.address, 2});
  EXPECT_EQ(out.take<float>(8), (std::vector<float>{0, 0, 4, 0, 0, 0, 4, 0}));
}

TEST_F(CompiledTest, SharedMemory) {
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), 1.0f);
  Buffer in(256), out(256);
  in.put(values);
  CUfunction function = compiled("control", "reversal");
  run(function, 1, 64, {in.address, out.address});
  EXPECT_EQ(out.take<float>(64),
            std::vector<float>(values.rbegin(), values.rend()));
  EXPECT_EQ(launch(function, 1, 65, {in.address, out.address}),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CompiledTest, Atomics) {
  Buffer a(12), generic(12);
  a.put(std::vector<int>{0, 0, 0});
  generic.put(std::vector<int>{0, 0, 0});
  run(compiled("control", "atomics"), 2, 32, {a.address, generic.address});
  std::vector<int> found = a.take<int>(3);
  EXPECT_EQ(found[0], 2 * 496);
  EXPECT_EQ(found[1], 31);
  EXPECT_EQ(a.take<float>(3)[2], 992.0f);
  EXPECT_EQ(generic.take<float>(1)[0], 31.0f);
  EXPECT_EQ(generic.take<int>(3)[1], generic.take<int>(3)[2]);
}

TEST_F(CompiledTest, VectorsAndVariables) {
  CUfunction function = compiled("control", "vectors");
  run(function, 1, 1, {});
  CUdeviceptr address = 0;
  EXPECT_EQ(cuda.cuModuleGetGlobal_v2(&address, nullptr, modules[0], "total"),
            CUDA_SUCCESS);
  int64_t total[2] = {};
  EXPECT_EQ(cuda.cuMemcpyDtoH_v2(total, address, 16), CUDA_SUCCESS);
  EXPECT_EQ(total[0], 10);
  EXPECT_EQ(total[1], -12);
}

} // namespace
