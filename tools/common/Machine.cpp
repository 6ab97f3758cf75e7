/// Measures the peak rates of the machine.
#include "Machine.h"
#include "HugeMemory.h"
#include <algorithm>
#include <barrier>
#include <chrono>
#include <immintrin.h>
#include <thread>
#include <vector>

using namespace tg;

/// The number of parts of a measurement, of some 5 ms each, like the samples of
/// a workload. The median part counts: clock rates change from one millisecond
/// to the next, and the best part would set a limit that does not last.
static constexpr int64_t kParts = 8;
static constexpr int64_t kFmaRounds = 1'200'000;

struct Machine::Arrays {
  Arrays(unsigned threads, int64_t bytes) {
    for (unsigned i = 0; i < 2 * threads; ++i)
      memory.emplace_back(bytes);
  }
  float *get(unsigned index) {
    return static_cast<float *>(memory[index].data());
  }
  std::vector<HugeMemory> memory;
};

Machine::Machine(unsigned threads, int64_t arrayBytes)
    : threads(threads), partBytes(arrayBytes / kParts) {}
Machine::~Machine() = default;

//===----------------------------------------------------------------------===//
// Loops for each vector width
//===----------------------------------------------------------------------===//

// Ten independent sums hide the latency. Inline assembly keeps the compiler
// from finding out that the result is constant.
#define TG_FMA(sum)                                                            \
  __asm__ volatile("vfmadd213ps %2,%1,%0" : "+v"(sum) : "v"(x), "v"(y));
#define TG_FMAS                                                                \
  TG_FMA(s[0])                                                                 \
  TG_FMA(s[1])                                                                 \
  TG_FMA(s[2])                                                                 \
  TG_FMA(s[3])                                                                 \
  TG_FMA(s[4]) TG_FMA(s[5]) TG_FMA(s[6]) TG_FMA(s[7]) TG_FMA(s[8]) TG_FMA(s[9])

// One function per vector width, because the `target` attribute does not apply
// to the types of templates.
#define TG_LOOPS(SUFFIX, TARGET, VECTOR, PREFIX)                               \
  __attribute__((target(TARGET))) static void fma##SUFFIX() {                  \
    VECTOR x = PREFIX##_set1_ps(0.999999f), y = PREFIX##_set1_ps(1e-7f);       \
    VECTOR s[10] = {x, x, x, x, x, x, x, x, x, x};                             \
    for (int64_t round = 0; round < kFmaRounds; ++round) {                     \
      TG_FMAS TG_FMAS                                                          \
    }                                                                          \
  }                                                                            \
  __attribute__((target(TARGET))) static void pass##SUFFIX(                    \
      Limit limit, float *a, float *b, int64_t bytes) {                        \
    constexpr int64_t lanes = sizeof(VECTOR) / sizeof(float);                  \
    VECTOR sum[4] = {};                                                        \
    for (int64_t i = 0; i < bytes / 4; i += 4 * lanes)                         \
      for (int64_t k = 0; k < 4; ++k) {                                        \
        float *at = a + i + k * lanes;                                         \
        VECTOR value = PREFIX##_load_ps(at);                                   \
        if (limit == Limit::read)                                              \
          sum[k] = PREFIX##_add_ps(sum[k], value);                             \
        if (limit == Limit::copy)                                              \
          *(volatile VECTOR *)(b + i + k * lanes) = value;                     \
        if (limit == Limit::update)                                            \
          *(volatile VECTOR *)at = PREFIX##_add_ps(value, sum[0]);             \
      }                                                                        \
    __asm__ volatile("" ::"v"(sum[0]), "v"(sum[1]), "v"(sum[2]), "v"(sum[3])   \
                     : "memory");                                              \
  }

TG_LOOPS(512, "avx512f", __m512, _mm512)
TG_LOOPS(256, "avx2,fma", __m256, _mm256)

/// Runs one measurement on one thread and returns its FLOPs or bytes.
static double runLoop(Limit limit, float *a, float *b, int64_t bytes) {
  bool isWide = __builtin_cpu_supports("avx512f");
  if (limit == Limit::fma) {
    isWide ? fma512() : fma256();
    return 2.0 * 20 * (isWide ? 16 : 8) * kFmaRounds;
  }
  isWide ? pass512(limit, a, b, bytes) : pass256(limit, a, b, bytes);
  return double(bytes) * (limit == Limit::read ? 1 : 2);
}

double Machine::measure(Limit limit) {
  using Clock = std::chrono::steady_clock;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return 0;
  if (!arrays && limit != Limit::fma)
    arrays = std::make_unique<Arrays>(threads, kParts * partBytes);
  std::barrier gate(threads);
  std::vector<std::vector<double>> rates(threads);
  auto work = [&](unsigned thread) {
    for (int64_t part = 0; part < kParts; ++part) {
      int64_t at = part * (partBytes / int64_t(sizeof(float)));
      float *a = limit == Limit::fma ? nullptr : arrays->get(2 * thread) + at;
      float *b =
          limit == Limit::fma ? nullptr : arrays->get(2 * thread + 1) + at;
      gate.arrive_and_wait();
      Clock::time_point begin = Clock::now();
      double units = runLoop(limit, a, b, partBytes);
      std::chrono::duration<double> took = Clock::now() - begin;
      rates[thread].push_back(units / took.count() / 1e9);
    }
  };
  std::vector<std::thread> others;
  for (unsigned thread = 1; thread < threads; ++thread)
    others.emplace_back(work, thread);
  work(0);
  for (std::thread &other : others)
    other.join();
  std::vector<double> totals(kParts);
  for (int64_t part = 0; part < kParts; ++part)
    for (const std::vector<double> &rate : rates)
      totals[part] += rate[part];
  std::ranges::sort(totals);
  return totals[kParts / 2];
}
