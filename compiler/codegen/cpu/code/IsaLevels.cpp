//===- IsaLevels.cpp - the ISA levels of x86-64 ---------------------------===//
#include "compiler/codegen/cpu/code/IsaLevels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace tg;
using llvm::StringRef;

std::string tg::nameOfIsaLevel(int level) {
  return level == kBaselineIsaLevel ? "x86-64"
                                    : "x86-64-v" + std::to_string(level);
}

std::optional<int> tg::parseIsaLevel(StringRef name) {
  name.consume_front("x86-64-");
  int level = 0;
  bool isLevel = name.consume_front("v") && !name.getAsInteger(10, level) &&
                 llvm::is_contained(kIsaLevels, level);
  return isLevel ? std::optional(level) : std::nullopt;
}

int tg::nativeIsaLevel() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  auto hasAll = [&](std::initializer_list<StringRef> names) {
    return llvm::all_of(names,
                        [&](StringRef name) { return features.lookup(name); });
  };
  if (!hasAll({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return 2;
  return hasAll({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
             ? 4
             : 3;
}

std::string tg::checkIsaLevels(llvm::ArrayRef<int> levels) {
  if (levels.empty())
    return "expected at least one x86-64 level, found none";
  for (int level : levels)
    if (!llvm::is_contained(kIsaLevels, level) ||
        llvm::count(levels, level) != 1)
      return "expected the x86-64 levels 2, 3 and 4 at most once, found " +
             std::to_string(level);
  return "";
}

bool tg::isX86Cpu(StringRef name) {
  return llvm::X86::parseTuneCPU(name, /*Only64Bit=*/true) !=
         llvm::X86::CK_None;
}
