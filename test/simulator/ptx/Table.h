/// The table of the instructions that the simulator executes.
#ifndef TG_TEST_SIMULATOR_PTX_TABLE_H
#define TG_TEST_SIMULATOR_PTX_TABLE_H

#include "Program.h"

#include <span>
#include <string_view>

namespace tg::ptx {

/// An instruction for certain types.
struct Variant {
  Type type = Type::None;
  /// The second type: that of the operand of a conversion.
  Type source = Type::None;
  Execute execute = nullptr;
  /// Set for instructions that lanes execute together.
  Meet meet = nullptr;
  /// The products that a thread adds to a sum.
  uint8_t multiplyAdds = 0;
  /// True if all lanes of the warp must execute the instruction.
  bool isAligned = false;
};

/// A row of the table.
struct Row {
  std::string_view mnemonic;
  /// The modifiers, as Instructions.def describes them.
  std::string_view modifiers;
  /// Ten times the version of PTX that has introduced the instruction.
  unsigned version = 0;
  /// The least target, as 80 for sm_80.
  unsigned target = 0;
  /// The operands, as Forms.h describes them.
  std::string_view operands;
  std::span<const Variant> variants;
};

/// Returns the table.
std::span<const Row> instructionTable();

/// An instruction that was found in the table.
struct Match {
  const Row *row = nullptr;
  const Variant *variant = nullptr;
  /// The space that the instruction names.
  Space space = Space::Generic;
  /// The number of elements that .v2 and .v4 or .x2 and .x4 ask for.
  unsigned count = 1;
};

/// Returns the row and the variant of an instruction with its modifiers, or
/// nothing. Does not check operands.
std::optional<Match> findInstruction(const Instruction &instruction);

} // namespace tg::ptx

#endif
