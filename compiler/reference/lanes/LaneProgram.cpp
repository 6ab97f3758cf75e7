//===- LaneProgram.cpp - scalar code, run on many lanes -------------------===//
#include "compiler/reference/lanes/LaneProgram.h"
#include "compiler/reference/lanes/LaneCompiler.h"

using namespace mlir;
using namespace tg;

LaneProgram::LaneProgram(Block &block) {
  LaneCompiler(*this).compileBody(block);
}

char *LaneProgram::allocate() {
  memory.push_back(std::make_unique<uint64_t[]>(kLanes));
  return reinterpret_cast<char *>(memory.back().get());
}

void LaneProgram::run(int64_t count) {
  for (const Step &step : steps)
    step({count, nullptr});
}
