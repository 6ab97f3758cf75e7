/// Runs decoded kernels.
#ifndef TG_TEST_SIMULATOR_PTX_INTERPRETER_H
#define TG_TEST_SIMULATOR_PTX_INTERPRETER_H

#include "observe/Counter.h"
#include "observe/Region.h"

namespace tg::ptx {

/// The reasons why a launch ends early.
enum class Fault : uint8_t {
  None,
  /// An access outside of the memory that kernels may access.
  IllegalAddress,
  MisalignedAddress,
  /// More instructions than the launch may execute, or threads that wait for
  /// each other.
  Timeout,
  /// A trap, or a stack that is too deep.
  LaunchFailed
};

/// A fault and its place.
struct Failure {
  Fault fault = Fault::None;
  std::string function;
  int line = 0;
  uint64_t address = 0;
  /// Says what has happened, where the fault alone does not.
  std::string reason;
  std::array<uint32_t, 3> thread = {};
  std::array<uint32_t, 3> block = {};
};

/// A launch of a kernel.
struct Launch {
  const Program *program = nullptr;
  const Code *kernel = nullptr;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  /// The parameters, as `kernel->parameters` places them.
  std::vector<uint8_t> parameters;
  /// The most instructions of all threads together.
  uint64_t limit = UINT64_MAX;
  /// Counts what the launch does, or null.
  Counter *counter = nullptr;
  /// True if accesses are checked for races and for memory that nothing has
  /// written.
  bool checks = false;
  /// Returns the region of an address, or an empty one.
  std::function<Region(uint64_t address)> find;
};

/// The result of a launch.
struct Outcome {
  Failure failure;
  /// The instructions that were executed.
  uint64_t executed = 0;
  /// The bytes of global memory that were read and written.
  uint64_t globalBytes = 0;
};

/// Runs all blocks of a launch one after the other, and the warps of a block in
/// the order of their threads, each up to where it waits for others. The lanes
/// of a warp execute each instruction together.
Outcome run(const Launch &launch);

} // namespace tg::ptx

#endif
