//===- DigestTest.cpp - trainings keep their bits over time ---------------===//
//
// Trains networks for some steps and compares the hash of all variables with
// digests.txt. Inputs are exact, so that the digests are those of every machine
// with fused multiply-adds.
//
//===----------------------------------------------------------------------===//
#include "runtime/files/Sha256.h"
#include "test/numeric/Networks.h"
#include "test/numeric/bits/ModelRuns.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace tg;
using namespace tg::test;

/// The networks of the examples, and others with different layers, losses and
/// optimizers.
static std::vector<Network> makeTrainings() {
  std::vector<Network> trainings;
  addExamples(trainings);
  for (const Network &network : makeNetworks())
    for (const char *name :
         {"attention17", "classifier16to16", "convolutions", "imageLosses",
          "measures", "pairLosses", "regularized33", "shared", "sparseAdadelta",
          "sparseAdamW", "transcribe", "transformer", "windows", "words"})
      if (network.name == name)
        trainings.push_back(network);
  return trainings;
}

/// Returns the expected digests by name.
static const std::map<std::string, std::string> &readDigests() {
  static const std::map<std::string, std::string> digests = [] {
    std::map<std::string, std::string> read;
    std::ifstream file(TG_DIGESTS);
    for (std::string line; std::getline(file, line);)
      if (size_t space = line.find(' '); !line.starts_with('#'))
        read[line.substr(0, space)] = line.substr(space + 1);
    return read;
  }();
  return digests;
}

/// Returns the hash of the names and bytes of all results.
static std::string digestOf(const Results &results) {
  Sha256 hash;
  for (const Result &result : results) {
    hash.update(result.name.data(), result.name.size());
    hash.update(result.tensor.bytes.data(), result.tensor.bytes.size());
  }
  std::string text;
  for (uint8_t byte : hash.finish()) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

namespace {
class DigestTest : public testing::TestWithParam<Network> {
protected:
  std::string text = GetParam().text();
  const RunPlan plan{.steps = std::vector<int64_t>(50, 8),
                     .tests = {},
                     .classes = GetParam().classes,
                     .recordsSteps = false};

  void check(const Results &variables) {
    for (const Result &variable : variables)
      EXPECT_FALSE(hasNan(variable.tensor)) << variable.name;
    std::string found = digestOf(variables);
    auto expected = readDigests().find(GetParam().name);
    if (expected == readDigests().end() || expected->second != found)
      ADD_FAILURE() << "expected the digest of digests.txt, found\n"
                    << GetParam().name << " " << found;
  }
};
} // namespace

TEST_P(DigestTest, OfCompiledCode) {
  std::vector<char> library = compileText(text, {.levels = levelsWithFma()});
  ASSERT_FALSE(library.empty());
  for (int level : levelsWithFma()) {
    SCOPED_TRACE("x86-64-v" + std::to_string(level));
    check(runCompiled(loadLibrary(library, uint32_t(level)), plan));
  }
}

TEST_P(DigestTest, OfTheReference) {
  Model model = loadLibrary(compileText(text, {.optimization = 0}), 3);
  check(runReference(model.tables(), text, plan));
}

INSTANTIATE_TEST_SUITE_P(Networks, DigestTest,
                         testing::ValuesIn(makeTrainings()),
                         [](const auto &info) { return info.param.name; });
