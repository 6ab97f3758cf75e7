//===- CpuTarget.cpp - one x86-64 level of a library ----------------------===//
#include "compiler/codegen/cpu/CpuTarget.h"
#include "compiler/codegen/cpu/Tuning.h"

using namespace tg;

TargetDescription CpuTarget::describe() const {
  TargetDescription description;
  description.usesVectors = optimization >= 2;
  description.panelBytes = description.usesVectors ? tuning::kPanelBytes : 0;
  description.firstCacheBytes = tuning::kFirstCacheBytes;
  description.streamedBytes = tuning::kStreamedBytes;
  description.vectorBytes = level == 4 ? 64 : level == 3 ? 32 : 16;
  description.vectorRegisters = level == 4 ? 32 : 16;
  description.masksWords = level >= 3;
  description.masksBytes = level >= 4;
  return description;
}
