/// A parsed PTX module, before its instructions are checked.
#ifndef TG_TEST_SIMULATOR_PTX_MODULE_H
#define TG_TEST_SIMULATOR_PTX_MODULE_H

#include "Types.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tg::ptx {

/// A fault in the text of a module.
struct Error {
  int line = 0;
  std::string message;
};

/// A state space.
enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };

/// An operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    /// A register: `name`.
    Register,
    /// An integer: `bits`.
    Integer,
    /// A floating-point number: `bits` of its f64 value, or of its f32 value if
    /// `isSingle` is set.
    Float,
    /// A special register such as %tid.x: `name`.
    Special,
    /// A variable, label or function: `name`, and `offset` bytes behind it.
    Symbol,
    /// [name + offset]; the base is a register, a symbol or nothing.
    Address,
    /// {a, b}: `elements`.
    Vector,
    /// a|b, two results: `elements`.
    Pair,
    /// (a, b) of a call: `elements`.
    List,
    /// The sink `_`.
    Sink
  };
  Kind kind = Kind::Integer;
  /// True for a predicate behind `!`.
  bool isNegated = false;
  bool isSingle = false;
  std::string name;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::vector<Operand> elements;
};

/// An instruction as it stands in the text.
struct Instruction {
  int line = 0;
  std::string mnemonic;
  /// The modifiers without their dots, types included.
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
  /// The predicate that guards the instruction, or an empty name.
  std::string guard;
  bool isGuardNegated = false;
};

/// An address that is stored into the initial value of a variable.
struct Relocation {
  uint64_t offset = 0;
  std::string symbol;
  int64_t addend = 0;
};

/// A variable, a parameter or a result.
struct Variable {
  int line = 0;
  std::string name;
  Space space = Space::Global;
  /// The type of an element.
  Type type = Type::B8;
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  /// True for `.extern .shared` arrays without a size, whose size the launch
  /// states.
  bool isDynamic = false;
  /// The initial value, as long as the variable or empty for zeros.
  std::vector<uint8_t> value;
  std::vector<Relocation> relocations;
};

/// A kernel or a device function.
struct Function {
  int line = 0;
  std::string name;
  bool isEntry = false;
  /// False for a declaration.
  bool isDefined = false;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  /// The variables declared in the body; their names are unique.
  std::vector<Variable> variables;
  /// The registers declared one by one, with their types.
  std::map<std::string, Type, std::less<>> registers;
  /// The registers declared as %r<n>: the type and n for each prefix.
  std::map<std::string, std::pair<Type, uint64_t>, std::less<>> ranges;
  std::vector<Instruction> instructions;
  /// The index of the instruction behind each label.
  std::map<std::string, size_t, std::less<>> labels;
  /// The labels of each .branchtargets list.
  std::map<std::string, std::vector<std::string>, std::less<>> branchTargets;
  /// The extents of .maxntid and .reqntid, where given.
  std::optional<std::array<uint32_t, 3>> maxThreads;
  std::optional<std::array<uint32_t, 3>> requiredThreads;

  /// Returns the type of a register, or `Type::None` if it is not declared.
  Type registerType(std::string_view name) const;
};

/// A module.
struct Module {
  /// Ten times the version of PTX: 70 for 7.0.
  unsigned version = 0;
  /// The number of the target: 80 for sm_80.
  unsigned target = 0;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  /// Returns the function of a name, a definition before a declaration, or
  /// null.
  const Function *findFunction(std::string_view name) const;
  /// Returns the variable of a name, or null.
  const Variable *findVariable(std::string_view name) const;
};

} // namespace tg::ptx

#endif
