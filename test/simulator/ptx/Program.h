/// Decoded kernels: steps whose operands are slots of a frame.
#ifndef TG_TEST_SIMULATOR_PTX_PROGRAM_H
#define TG_TEST_SIMULATOR_PTX_PROGRAM_H

#include "Module.h"

#include <functional>
#include <variant>

namespace tg::ptx {

struct Lanes;
struct Step;
class Warp;

/// Executes one step for the lanes of a mask, which is not 0.
using Execute = void (*)(Warp &, const Step &, uint32_t mask);

/// Executes one step of the lanes of a warp that have met there.
using Meet = void (*)(Lanes &, const Step &);

/// A decoded instruction.
struct Step {
  Execute execute = nullptr;
  /// Set for instructions that lanes execute together.
  Meet meet = nullptr;
  /// The slots of the operands in their order, without the address. Vectors
  /// take a slot for each element.
  std::array<uint32_t, 14> slots = {};
  /// Bit i is set if slot i is a register of 64 bits for a value of fewer bits.
  uint16_t wide = 0;
  /// The slot of the base of the address, of a symbol, or of the mask of the
  /// lanes that meet.
  uint32_t base = 0;
  /// The bytes behind the base.
  int64_t offset = 0;
  /// The slot of the base of an address in shared memory beside another one or
  /// beside a mask, and the bytes behind it.
  uint32_t sharedBase = 0;
  int64_t sharedOffset = 0;
  /// The slot of the predicate that guards the step, or `ZeroSlot`.
  uint32_t guard = 0;
  /// The step, call site, list of targets, special register or number of groups
  /// that the instruction names.
  uint32_t target = 0;
  /// The number of the step among those that access memory.
  uint32_t access = 0;
  int line = 0;
  bool isGuardNegated = false;
  /// Bit i is set if byte i of a load goes to a register that is used.
  uint32_t used = UINT32_MAX;
  /// The products that a thread adds to a sum.
  uint8_t multiplyAdds = 0;
  /// True if the last operand is a negated predicate.
  bool isNegated = false;
  /// True if the instruction transposes the matrices that it loads.
  bool isTransposed = false;
  Space space = Space::Generic;
  /// The number of elements of a vector, or of bytes of a copy.
  uint8_t count = 1;
};

/// Bytes of the parameter area of one frame that belong to another frame.
struct ParameterCopy {
  uint32_t caller = 0;
  uint32_t callee = 0;
  uint32_t bytes = 0;
};

/// A call: what is copied before and after it.
struct CallSite {
  /// The index of the called function.
  uint32_t callee = 0;
  std::vector<ParameterCopy> arguments;
  std::vector<ParameterCopy> results;
};

/// The slots of each frame with a fixed meaning. Each has 64 bits.
enum FixedSlot : uint32_t {
  ZeroSlot = 0,
  LocalSlot = 2,
  SinkSlot = 4,
  FixedSlots = 6
};

/// A constant in a slot of a frame.
struct Constant {
  uint32_t slot = 0;
  uint64_t bits = 0;
  /// True for 64 bits.
  bool isWide = false;
};

/// The place of a parameter in the parameter area of a frame.
struct ParameterPlace {
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

/// A decoded function.
struct Code {
  std::string name;
  std::vector<Step> steps;
  std::vector<CallSite> calls;
  std::vector<std::vector<uint32_t>> branchTargets;
  /// The slots of a frame: a register of 64 bits takes two, others take one.
  uint32_t slotCount = FixedSlots;
  std::vector<Constant> constants;
  std::vector<ParameterPlace> parameters;
  std::vector<ParameterPlace> results;
  /// The bytes of parameters, results and .param variables.
  uint32_t parameterBytes = 0;
  /// The bytes of .shared variables, but for dynamic ones.
  uint32_t sharedBytes = 0;
  /// The bytes of .local variables.
  uint32_t localBytes = 0;
  bool isEntry = false;
  /// True if threads of the function or of one that it calls wait at a barrier
  /// of the block.
  bool waits = false;
  std::optional<std::array<uint32_t, 3>> maxThreads;
  std::optional<std::array<uint32_t, 3>> requiredThreads;
};

/// The decoded functions of a module.
struct Program {
  std::vector<Code> codes;
  /// The beginning of dynamic .shared variables, behind those of all kernels.
  uint32_t dynamicShared = 0;
  /// The number of steps that access memory.
  uint32_t accessCount = 0;

  /// Returns the kernel of a name, or null.
  const Code *findKernel(std::string_view name) const;
};

/// Returns the address of a .global or .const variable of the module.
using AddressOf = std::function<uint64_t(const Variable &)>;

/// Decodes the functions of a module, whose variables have addresses. Returns
/// the first error if an instruction is not supported.
std::variant<Program, Error> decodeModule(const Module &module,
                                          const AddressOf &addressOf);

} // namespace tg::ptx

#endif
