//===- StageClock.h - seconds of the stages of a kernel's code ------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_STAGECLOCK_H
#define TG_COMPILER_LIBRARY_CODE_STAGECLOCK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <chrono>
#include <optional>

namespace tg {

/// The stages that a kernel passes through on its way to machine code, in
/// order.
enum class Stage {
  /// The kernel becomes loops, vectors and arithmetic.
  loops,
  /// These become ops of the LLVM dialect.
  conversion,
  /// The LLVM dialect becomes LLVM IR.
  translation,
  /// The passes over LLVM IR.
  optimization,
  /// The passes of the code generator before it selects instructions.
  preparation,
  selection,
  /// The passes over instructions: scheduling and registers take most of it.
  registers,
  /// Instructions become the bytes of an object file.
  output,
};

/// The stages of emission, and those of LLVM.
llvm::ArrayRef<Stage> emissionStages();
llvm::ArrayRef<Stage> llvmStages();

/// Returns the name of a stage for people: "instruction selection".
llvm::StringRef nameOf(Stage stage);

/// Measures the seconds of each stage. For one thread.
class StageClock {
public:
  /// Ends the stage that runs, if any, and starts another one, which may have
  /// run before.
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

#endif // TG_COMPILER_LIBRARY_CODE_STAGECLOCK_H
