//===- StageClock.h - the time of each stage of code generation -----------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_STAGECLOCK_H
#define TG_COMPILER_CODEGEN_KERNEL_STAGECLOCK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <chrono>
#include <optional>

namespace tg {

/// The stages of compiling a kernel to machine code, in order.
enum class Stage {
  /// Lowers the kernel to loops, vectors and arithmetic.
  loops,
  /// Converts the loops, vectors and arithmetic to the LLVM dialect.
  conversion,
  /// Translates the LLVM dialect to LLVM IR.
  translation,
  /// Runs the passes on LLVM IR.
  optimization,
  /// Runs the code generator passes before instruction selection.
  preparation,
  selection,
  /// Runs the machine passes, mostly scheduling and register allocation.
  registers,
  /// Writes instructions as the bytes of an object file.
  output,
};

/// Return the stages of emission, and the stages of LLVM.
llvm::ArrayRef<Stage> emissionStages();
llvm::ArrayRef<Stage> llvmStages();

/// Returns the readable name of a stage: "instruction selection".
llvm::StringRef nameOf(Stage stage);

/// A clock that measures the seconds of each stage, for one thread.
class StageClock {
public:
  /// Ends the current stage, if any, and starts another one, which may have run
  /// before.
  void start(Stage stage);
  void stop();

  double secondsOf(Stage stage) const { return seconds[size_t(stage)]; }
  double secondsOf(llvm::ArrayRef<Stage> stages) const;
  /// Adds the seconds of another clock.
  StageClock &operator+=(const StageClock &other);

private:
  std::array<double, size_t(Stage::output) + 1> seconds = {};
  std::optional<Stage> running;
  std::chrono::steady_clock::time_point begin;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_STAGECLOCK_H
