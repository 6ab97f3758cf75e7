//===- PtxasTest.cpp - kernels in NVIDIA's assembler ----------------------===//
//
// Assembles the kernels of the examples' networks and of rows of the numeric
// table for two generations of GPUs, prints what each kernel needs, and expects
// that few registers are spilled. Skipped unless the environment variable
// TG_TEST_PTXAS names the assembler.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
#include "test/numeric/bits/ModelRuns.h"
#include "test/numeric/bits/RowModules.h"
#include "test/simulator/support/Cuda.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace tg;
using namespace tg::test;

namespace {
/// The resources that the assembler gives a kernel.
struct Usage {
  std::string kernel;
  unsigned registers = 0, sharedBytes = 0, stackBytes = 0, spilledBytes = 0;
};

/// The assembler, which runs until its output is read.
class Assembler {
public:
  Assembler(const std::string &file, const std::string &architecture);
  ~Assembler() { EXPECT_EQ(pclose(pipe), 0) << output; }
  /// Returns the usage of all kernels.
  std::vector<Usage> read();

private:
  FILE *pipe = nullptr;
  std::string output;
};

class PtxasTest : public testing::Test {
protected:
  void SetUp() override {
    if (!std::getenv("TG_TEST_PTXAS"))
      GTEST_SKIP() << "TG_TEST_PTXAS names no assembler";
  }
};
} // namespace

Assembler::Assembler(const std::string &file, const std::string &architecture) {
  const std::string command = std::string(std::getenv("TG_TEST_PTXAS")) +
                              " -v -arch=" + architecture + " -o /dev/null '" +
                              file + "' 2>&1";
  pipe = popen(command.c_str(), "r");
}

/// Returns the number before some words of a line, or 0 without them.
static unsigned numberBefore(const std::string &line, const char *words) {
  size_t end = line.find(words);
  if (end == std::string::npos)
    return 0;
  size_t begin = line.find_last_not_of("0123456789", end - 1) + 1;
  return unsigned(std::stoul(line.substr(begin, end - begin)));
}

std::vector<Usage> Assembler::read() {
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, count);
  std::vector<Usage> kernels;
  std::istringstream lines(output);
  const std::string entry = "Compiling entry function '";
  for (std::string line; std::getline(lines, line);) {
    if (size_t at = line.find(entry); at != std::string::npos) {
      at += entry.size();
      kernels.push_back({line.substr(at, line.find('\'', at) - at)});
    }
    if (kernels.empty())
      continue;
    Usage &last = kernels.back();
    last.stackBytes += numberBefore(line, " bytes stack frame");
    last.spilledBytes += numberBefore(line, " bytes spill stores") +
                         numberBefore(line, " bytes spill loads");
    last.registers += numberBefore(line, " registers");
    last.sharedBytes += numberBefore(line, " bytes smem");
  }
  return kernels;
}

/// The most bytes that a kernel may spill and load again, of threads that share
/// memory and of others. The assembler chooses fewer registers than it may, so
/// that more warps fit, and keeps some values of outer loops in the stack.
static constexpr unsigned mostSharingSpilled = 512, mostSpilled = 16;

/// Prints what a kernel needs, and expects that it spills little.
static void check(const Usage &kernel, const std::string &architecture) {
  std::printf("%s %3u registers %6u shared %5u stack %4u spilled  %s\n",
              architecture.c_str(), kernel.registers, kernel.sharedBytes,
              kernel.stackBytes, kernel.spilledBytes, kernel.kernel.c_str());
  EXPECT_GT(kernel.registers, 0u) << kernel.kernel;
  EXPECT_LE(kernel.spilledBytes,
            kernel.sharedBytes ? mostSharingSpilled : mostSpilled)
      << kernel.kernel << ", " << architecture;
}

/// Assembles code for both generations at once.
static void assemble(const tg_image_t &image) {
  const std::string file =
      testing::TempDir() + "ptxas-" + std::to_string(getpid()) + ".ptx";
  std::ofstream(file).write(static_cast<const char *>(image.code),
                            std::streamsize(image.bytes));
  {
    Assembler older(file, "sm_80"), newer(file, "sm_90");
    for (auto [assembler, architecture] :
         {std::pair{&older, "sm_80"}, std::pair{&newer, "sm_90"}}) {
      const std::vector<Usage> kernels = assembler->read();
      EXPECT_EQ(kernels.size(), image.kernel_count);
      for (const Usage &kernel : kernels)
        check(kernel, architecture);
    }
  }
  std::remove(file.c_str());
}

/// Assembles all code of a model for devices.
static void assembleModel(const std::string &text) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  std::vector<char> library = compileText(text, {.kinds = {"cuda"}});
  ASSERT_FALSE(library.empty());
  Model model = Model::loadMemory(std::as_bytes(std::span(library)),
                                  {.device = {TG_DEVICE_CUDA, 0}});
  for (uint32_t i = 0; i < model.tables().image_count; ++i)
    assemble(*model.tables().images[i]);
}

TEST_F(PtxasTest, NetworksOfTheExamples) {
  std::vector<Network> networks;
  addExamples(networks);
  for (const Network &network : networks) {
    SCOPED_TRACE(network.name);
    assembleModel(network.text());
  }
}

/// A part of the table, so that the assembler takes less than a minute.
TEST_F(PtxasTest, RowsOfTheTable) {
  for (const char *floatType : {"f32", "f64"})
    for (const std::string &text :
         makeRowModules(floatType, /*distance=*/12, /*perModule=*/20))
      assembleModel(text);
}
