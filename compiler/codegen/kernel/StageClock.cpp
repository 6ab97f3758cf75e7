//===- StageClock.cpp - the time of each stage of code generation ---------===//
#include "compiler/codegen/kernel/StageClock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tg;

llvm::ArrayRef<Stage> tg::emissionStages() {
  static constexpr Stage stages[] = {Stage::loops, Stage::conversion,
                                     Stage::translation};
  return stages;
}

llvm::ArrayRef<Stage> tg::llvmStages() {
  static constexpr Stage stages[] = {Stage::optimization, Stage::preparation,
                                     Stage::selection, Stage::registers,
                                     Stage::output};
  return stages;
}

llvm::StringRef tg::nameOf(Stage stage) {
  switch (stage) {
  case Stage::loops:
    return "loops";
  case Stage::conversion:
    return "LLVM dialect";
  case Stage::translation:
    return "LLVM IR";
  case Stage::optimization:
    return "passes";
  case Stage::preparation:
    return "preparation";
  case Stage::selection:
    return "instruction selection";
  case Stage::registers:
    return "scheduling and registers";
  case Stage::output:
    return "object file";
  }
  llvm_unreachable("a stage without a name");
}

void StageClock::start(Stage stage) {
  stop();
  running = stage;
  begin = std::chrono::steady_clock::now();
}

void StageClock::stop() {
  if (!running)
    return;
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin;
  seconds[size_t(*running)] += passed.count();
  running.reset();
}

double StageClock::secondsOf(llvm::ArrayRef<Stage> stages) const {
  double sum = 0;
  for (Stage stage : stages)
    sum += secondsOf(stage);
  return sum;
}

StageClock &StageClock::operator+=(const StageClock &other) {
  for (auto [mine, others] : llvm::zip_equal(seconds, other.seconds))
    mine += others;
  return *this;
}
