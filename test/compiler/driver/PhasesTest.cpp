//===- PhasesTest.cpp - phases saved, replayed and resumed ----------------===//
//
// Compares tgc with tgc-opt for every example. Running the passes of a phase in
// tgc-opt on the saved output of the previous phase must give the saved output
// of the phase. Resuming tgc from a saved phase must give the same last phase
// before code and, from that one, byte for byte the same library as the model.
//
//===----------------------------------------------------------------------===//
#include "test/compiler/driver/PhasePasses.h"
#include "test/numeric/Networks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace tg::test;
namespace fs = std::filesystem;

namespace {

const std::vector<PhasePasses> phases = listPhases(3);

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// Returns the text of a file without the empty line that tgc-opt appends.
std::string readText(const fs::path &path) {
  std::string text = read(path);
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Runs a command line; its output goes to the output of the test.
void run(const std::string &command) {
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

/// Runs over the examples; each has a directory with the files that tgc saves.
class PhasesTest : public testing::TestWithParam<Network> {
protected:
  void SetUp() override {
    directory =
        fs::temp_directory_path() /
        ("tg-phases-" + std::to_string(getpid()) + "-" + GetParam().name);
    fs::create_directories(directory);
    std::ofstream(directory / "model.mlir") << GetParam().text();
    run(tgc + path("model.mlir") + " -o " + path("model.so") +
        " --save-temps=" + directory.string());
  }
  void TearDown() override { fs::remove_all(directory); }

  std::string path(const std::string &file) const {
    return (directory / file).string();
  }

  const std::string tgc = TG_TGC " --target=x86-64-v3 ";
  fs::path directory;
};

} // namespace

TEST_P(PhasesTest, passByPass) {
  std::string input = path("model.mlir");
  std::string output = path("passes.mlir");
  for (const PhasePasses &phase : phases) {
    for (const std::string &pass : phase.passes) {
      run(TG_TGC_OPT " --mlir-print-debuginfo --mlir-print-local-scope"
                     " --pass-pipeline='builtin.module(" +
          pass + ")' " + input + " -o " + path("next.mlir"));
      fs::rename(path("next.mlir"), output);
      input = output;
    }
    ASSERT_TRUE(readText(output) == readText(path(phase.file)))
        << "tgc and tgc-opt disagree about phase " << phase.name;
  }
}

TEST_P(PhasesTest, startFrom) {
  for (const PhasePasses &phase : phases) {
    run(tgc + path("model.mlir") + " --print-locations --stop-after=" +
        phase.name + " > " + path("printed.mlir"));
    EXPECT_TRUE(read(path("printed.mlir")) == read(path(phase.file)))
        << "printed and kept differ after " << phase.name;
    if (phase.file == phases.back().file)
      continue;
    run(tgc + path("printed.mlir") + " --start-from=" + phase.name +
        " --print-locations --stop-after=" + phases.back().name + " > " +
        path("again.mlir"));
    EXPECT_TRUE(read(path("again.mlir")) == read(path(phases.back().file)))
        << "another schedule from phase " << phase.name;
  }
  run(tgc + path("printed.mlir") + " --start-from=" + phases.back().name +
      " -o " + path("again.so"));
  EXPECT_TRUE(read(path("again.so")) == read(path("model.so")))
      << "another library from the schedule";
}

void tg::test::PrintTo(const Network &network, std::ostream *stream) {
  *stream << network.name;
}

static std::vector<Network> examples() {
  std::vector<Network> networks;
  addExamples(networks);
  addMerges(networks); // with the models of examples/models
  return networks;
}

INSTANTIATE_TEST_SUITE_P(examples, PhasesTest, testing::ValuesIn(examples()),
                         [](const auto &info) { return info.param.name; });
