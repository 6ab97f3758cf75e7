//===- CpuBackendTest.cpp - targets of the back end -----------------------===//
#include "compiler/codegen/Backend.h"
#include "gtest/gtest.h"
#include <set>

using namespace tg;

static TargetDescription describe(int level, int optimization) {
  return findBackend("cpu")->describe({level, optimization, /*tune=*/""});
}

TEST(CpuBackend, IsFoundByItsKind) {
  ASSERT_NE(findBackend("cpu"), nullptr);
  EXPECT_EQ(findBackend("cpu")->getKind(), "cpu");
  EXPECT_EQ(findBackend("abacus"), nullptr);
}

TEST(CpuBackend, DescribesTheRegistersOfALevel) {
  EXPECT_EQ(describe(2, 2).lanes(4), 4u);
  EXPECT_EQ(describe(3, 2).lanes(4), 8u);
  EXPECT_EQ(describe(4, 2).lanes(8), 8u);
  EXPECT_EQ(describe(3, 2).vectorRegisters, 16u);
  EXPECT_EQ(describe(4, 2).vectorRegisters, 32u);
  EXPECT_TRUE(describe(3, 2).masksWords);
  EXPECT_FALSE(describe(3, 2).masksBytes);
}

/// Scalar code has one lane and reads unpacked matrices.
TEST(CpuBackend, HasNoVectorsBelowLevel2OfOptimization) {
  EXPECT_EQ(describe(4, 1).lanes(4), 1u);
  EXPECT_EQ(describe(4, 1).panelBytes, 0);
}

/// Passes run once for all ISA levels, so the fields that they read must agree.
TEST(CpuBackend, AllLevelsAgreeOnWhatPassesRead) {
  for (int optimization : {0, 1, 2, 3})
    for (int level : {3, 4}) {
      TargetDescription least = describe(2, optimization);
      TargetDescription other = describe(level, optimization);
      EXPECT_EQ(other.alignment, least.alignment);
      EXPECT_EQ(other.panelBytes, least.panelBytes);
      EXPECT_EQ(other.l1Bytes, least.l1Bytes);
      EXPECT_EQ(other.l2Bytes, least.l2Bytes);
      EXPECT_EQ(other.nearCacheBytes, least.nearCacheBytes);
      EXPECT_EQ(other.totalCacheBytes, least.totalCacheBytes);
    }
}

TEST(CpuBackend, NamesItsTargets) {
  const Backend &backend = getCpuBackend();
  EXPECT_EQ(&backend, findBackend("cpu"));
  for (int level : backend.getLevels())
    EXPECT_EQ(backend.parseTarget(backend.nameOf(level)), level);
  EXPECT_EQ(backend.nameOf(3), "x86-64-v3");
  EXPECT_EQ(backend.parseTarget("v4"), 4);
  for (const char *word : {"", "v", "v1", "v5", "3", "x86-64", "x86-64-3"})
    EXPECT_EQ(backend.parseTarget(word), std::nullopt) << word;
}

TEST(CpuBackend, ChecksLevelsAndNamesOfCpus) {
  const CpuCode &cpu = *getCpuBackend().getCpuCode();
  EXPECT_EQ(cpu.checkLevels({2, 4}), "");
  EXPECT_EQ(cpu.checkLevels(cpu.getNativeLevel()), "");
  EXPECT_EQ(cpu.checkLevels({}),
            "expected at least one x86-64 level, found none");
  for (std::vector<int> levels : {std::vector{3, 3}, {2, 3, 3}})
    EXPECT_EQ(cpu.checkLevels(levels),
              "expected the x86-64 levels 2, 3 and 4 at most once, found 3");
  EXPECT_TRUE(cpu.canTuneFor("znver4"));
  EXPECT_FALSE(cpu.canTuneFor("abacus"));
}

/// The names are those of the files of --save-temps.
TEST(Backends, NamesOfAllTargetsDiffer) {
  std::set<std::string> names;
  for (const Backend *backend : getBackends())
    for (int level : backend->getLevels()) {
      std::string name = backend->nameOf(level);
      EXPECT_TRUE(names.insert(name).second) << name;
      EXPECT_EQ(backend->parseTarget(name), level);
    }
}
