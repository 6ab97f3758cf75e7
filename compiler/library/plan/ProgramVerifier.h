//===- ProgramVerifier.h - checks the tables of a function ------*- C++ -* ===//
#ifndef TG_COMPILER_LIBRARY_PLAN_PROGRAMVERIFIER_H
#define TG_COMPILER_LIBRARY_PLAN_PROGRAMVERIFIER_H

#include "compiler/library/plan/FunctionProgram.h"

namespace tg {

/// The limits of a model and a function on the indices that a program uses.
struct ProgramLimits {
  uint32_t symbolCount = 0, inputCount = 0, outputCount = 0, hostCount = 0,
           kernelCount = 0, imageCount = 0;
  /// The bytes of the slab, and of the packed block after its header.
  int64_t slabBytes = 0, packedBytes = 0;
};

/// Returns the limits of a function's program.
ProgramLimits limitsOf(const FunctionPlan &function, const ModelPlan &plan);

/// Returns the first error of a program, such as "step 3: expected a base below
/// 12, found 14"; "" if there is none. A program without errors accesses only
/// the memory of its call, whatever its kernels do with the pointers that they
/// get. Takes linear time.
std::string verifyProgram(const FunctionProgram &program,
                          const ProgramLimits &limits);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_PROGRAMVERIFIER_H
