/// Decodes the functions of a checked module.
#ifndef TG_TEST_SIMULATOR_PTX_DECODER_H
#define TG_TEST_SIMULATOR_PTX_DECODER_H

#include "OperandCheck.h"

namespace tg::ptx {

/// The state that the functions of a module share while they are decoded.
struct DecodedModule {
  const Module &module;
  const AddressOf &addressOf;
  Program program;
  /// The indices of defined functions in the program.
  std::map<std::string, uint32_t, std::less<>> functions;
  /// The offsets of .shared variables. Those of bodies have the names of their
  /// functions in front, as names may repeat.
  std::map<const Variable *, uint32_t> shared;
  /// The bytes of .shared variables of each function.
  std::map<std::string, uint32_t, std::less<>> sharedBytes;
};

/// Decodes one function.
class Decoder {
public:
  Decoder(DecodedModule &shared, const Function &function)
      : shared(shared), function(function) {}

  /// Places the parameters of the function, which its callers need to know.
  Code place();
  /// Decodes the steps into a placed function.
  void decode(Code &code);

private:
  Step decodeStep(const Instruction &instruction);
  void decodeOperand(char letter, const Operand &operand, const Match &match,
                     Step &step);
  void addSlots(const Operand &operand, Type type, Step &step);
  void addOneSlot(const Operand &operand, Type type, Step &step);
  void decodeShuffled(const Operand &operand, Type type, Step &step);
  void decodeAddress(const Operand &operand, uint32_t &base, int64_t &offset);
  bool decodeSpecialOperand(char letter, const Operand &operand,
                            const Match &match, Step &step);
  void decodeMove(const Instruction &instruction, Type type, Step &step);
  void decodeParts(const Operand &result, const Operand &value, Type type,
                   Step &step);
  void countUses(const Operand &operand);
  uint32_t usedBytes(const Operand &elements, Type type) const;
  uint32_t decodeCall(const Instruction &instruction);
  uint32_t decodeTargets(const std::string &list);
  uint32_t slotOf(const Operand &operand, Type type);
  uint32_t registerSlot(const std::string &name);
  uint32_t constantSlot(uint64_t bits, bool isWide);
  uint32_t addSlot(bool isWide);

  DecodedModule &shared;
  const Function &function;
  Code *code = nullptr;
  std::map<std::string, uint32_t, std::less<>> registers;
  /// The slots of constants by their bits and their width.
  std::map<std::pair<uint64_t, bool>, uint32_t> constants;
  /// The number of times that each register stands in the function.
  std::map<std::string, uint32_t, std::less<>> uses;
  /// The offsets of .param and .local variables in their frame.
  std::map<const Variable *, uint32_t> offsets;
  unsigned slotCount = 0;
};

} // namespace tg::ptx

#endif
