#include "Decoder.h"
#include "semantics/Control.h"

#include <algorithm>
#include <bit>

using namespace tg::ptx;

using Kind = Operand::Kind;

/// Adds a variable to an area of memory. Returns its offset.
static uint32_t addVariable(uint32_t &bytes, const Variable &variable) {
  uint32_t alignment = variable.alignment;
  uint32_t offset = (bytes + alignment - 1) / alignment * alignment;
  bytes = offset + variable.bytes;
  return offset;
}

Code Decoder::place() {
  Code placed;
  placed.name = function.name;
  placed.isEntry = function.isEntry;
  placed.maxThreads = function.maxThreads;
  placed.requiredThreads = function.requiredThreads;
  auto add = [&](const Variable &variable) {
    uint32_t offset = addVariable(placed.parameterBytes, variable);
    offsets[&variable] = offset;
    return ParameterPlace{offset, static_cast<uint32_t>(variable.bytes)};
  };
  for (const Variable &parameter : function.parameters)
    placed.parameters.push_back(add(parameter));
  for (const Variable &result : function.results)
    placed.results.push_back(add(result));
  for (const Variable &variable : function.variables)
    if (variable.space == Space::Param)
      add(variable);
    else if (variable.space == Space::Local)
      offsets[&variable] = addVariable(placed.localBytes, variable);
  return placed;
}

void Decoder::countUses(const Operand &operand) {
  if (!operand.name.empty())
    ++uses[operand.name];
  for (const Operand &element : operand.elements)
    countUses(element);
}

/// Returns the bytes of a vector that go to registers that stand elsewhere too.
/// Compilers load elements that nobody uses, to make vectors whole.
uint32_t Decoder::usedBytes(const Operand &elements, Type type) const {
  if (elements.kind != Kind::Vector)
    return UINT32_MAX;
  uint32_t bytes = infoOf(type).bytes, used = 0;
  for (size_t i = 0; i < elements.elements.size(); ++i) {
    auto found = uses.find(elements.elements[i].name);
    if (found != uses.end() && found->second > 1)
      used |= ((1u << bytes) - 1) << (i * bytes);
  }
  return used;
}

void Decoder::decode(Code &placed) {
  code = &placed;
  for (const Instruction &instruction : function.instructions) {
    for (const Operand &operand : instruction.operands)
      countUses(operand);
    if (!instruction.guard.empty())
      ++uses[instruction.guard];
  }
  for (const Instruction &instruction : function.instructions)
    code->steps.push_back(decodeStep(instruction));
  // LLVM lets functions end without a return after what is never reached.
  Step end;
  end.execute = &Return::executeLanes;
  end.line = function.line;
  code->steps.push_back(end);
}

uint32_t Decoder::addSlot(bool isWide) {
  uint32_t slot = code->slotCount;
  code->slotCount += isWide ? 2 : 1;
  return slot;
}

uint32_t Decoder::registerSlot(const std::string &name) {
  auto [found, isNew] = registers.try_emplace(name, 0);
  if (isNew)
    found->second = addSlot(infoOf(function.registerType(name)).bytes == 8);
  return found->second;
}

uint32_t Decoder::constantSlot(uint64_t bits, bool isWide) {
  auto [found, isNew] = constants.try_emplace({bits, isWide}, 0);
  if (isNew) {
    found->second = addSlot(isWide);
    code->constants.push_back({found->second, bits, isWide});
  }
  return found->second;
}

/// Returns the bits of a number as a value of a type.
static uint64_t bitsAs(const Operand &number, Type type) {
  if (number.kind == Kind::Integer || type == Type::None)
    return number.bits;
  bool isSingle = infoOf(type).bytes == 4;
  if (isSingle == number.isSingle)
    return number.bits;
  if (isSingle)
    return std::bit_cast<uint32_t>(
        static_cast<float>(std::bit_cast<double>(number.bits)));
  return std::bit_cast<uint64_t>(static_cast<double>(
      std::bit_cast<float>(static_cast<uint32_t>(number.bits))));
}

uint32_t Decoder::slotOf(const Operand &operand, Type type) {
  if (operand.kind == Kind::Register)
    return registerSlot(operand.name);
  if (operand.kind == Kind::Sink)
    return SinkSlot;
  if (type == Type::Pred)
    return constantSlot(operand.bits & 1, /*isWide=*/false);
  return constantSlot(bitsAs(operand, type), infoOf(type).bytes == 8);
}

void Decoder::addOneSlot(const Operand &operand, Type type, Step &step) {
  bool isWide = operand.kind == Kind::Register &&
                infoOf(function.registerType(operand.name)).bytes == 8;
  if (isWide && infoOf(type).bytes < 8)
    step.wide |= 1u << slotCount;
  step.slots[slotCount++] = slotOf(operand, type);
}

void Decoder::addSlots(const Operand &operand, Type type, Step &step) {
  if (operand.kind != Kind::Vector)
    return addOneSlot(operand, type, step);
  for (const Operand &element : operand.elements)
    addOneSlot(element, type, step);
}

/// A result without a predicate discards it.
void Decoder::decodeShuffled(const Operand &operand, Type type, Step &step) {
  bool isPair = operand.kind == Kind::Pair;
  const Operand &value = isPair ? operand.elements[0] : operand;
  step.slots[slotCount++] = slotOf(value, type);
  step.slots[slotCount++] =
      isPair ? slotOf(operand.elements[1], Type::Pred) : uint32_t(SinkSlot);
}

void Decoder::decodeAddress(const Operand &operand, uint32_t &base,
                            int64_t &offset) {
  offset = operand.offset;
  base = ZeroSlot;
  if (function.registerType(operand.name) != Type::None) {
    base = registerSlot(operand.name);
    return;
  }
  if (operand.name.empty())
    return;
  const Variable *variable =
      findVariable(shared.module, function, operand.name);
  if (variable->space == Space::Shared)
    offset += shared.shared.at(variable);
  else if (variable->space == Space::Local || variable->space == Space::Param)
    offset += offsets.at(variable);
  else
    offset += shared.addressOf(*variable);
  if (variable->space == Space::Local)
    base = LocalSlot;
}

void Decoder::decodeParts(const Operand &result, const Operand &value,
                          Type type, Step &step) {
  bool isPack = value.kind == Kind::Vector;
  step.count = (isPack ? value : result).elements.size();
  unsigned bytes = infoOf(type).bytes;
  Type part = unsignedOf(bytes / step.count);
  addSlots(result, isPack ? type : part, step);
  addSlots(value, isPack ? part : type, step);
  step.execute = partsMove(isPack, bytes, step.count);
}

void Decoder::decodeMove(const Instruction &instruction, Type type,
                         Step &step) {
  const Operand &result = instruction.operands[0];
  const Operand &value = instruction.operands[1];
  if (result.kind == Kind::Vector || value.kind == Kind::Vector)
    return decodeParts(result, value, type, step);
  addSlots(result, type, step);
  uint32_t special = findSpecialRegister(value.name);
  if (special != std::size(specialRegisters)) {
    step.execute = specialRegisters[special].bytes == 8
                       ? &forLanes<moveSpecial<Type::U64>>
                       : &forLanes<moveSpecial<Type::U32>>;
    step.target = special;
  } else if (value.kind == Kind::Symbol) {
    step.execute = &forLanes<moveAddress>;
    decodeAddress(value, step.base, step.offset);
  } else {
    addSlots(value, type, step);
  }
}

uint32_t Decoder::decodeCall(const Instruction &instruction) {
  CallOperands call = *splitCall(instruction);
  CallSite site;
  site.callee = shared.functions.find(call.callee)->second;
  const Code &callee = shared.program.codes[site.callee];
  auto copies = [&](const std::vector<Operand> &operands,
                    const std::vector<ParameterPlace> &places) {
    std::vector<ParameterCopy> made;
    for (size_t i = 0; i < operands.size(); ++i)
      made.push_back(
          {offsets.at(findVariable(shared.module, function, operands[i].name)),
           places[i].offset, places[i].bytes});
    return made;
  };
  site.arguments = copies(call.arguments, callee.parameters);
  site.results = copies(call.results, callee.results);
  code->calls.push_back(std::move(site));
  return code->calls.size() - 1;
}

uint32_t Decoder::decodeTargets(const std::string &list) {
  std::vector<uint32_t> targets;
  for (const std::string &label : function.branchTargets.at(list))
    targets.push_back(function.labels.at(label));
  code->branchTargets.push_back(std::move(targets));
  return code->branchTargets.size() - 1;
}

/// Returns the type of the operand of a letter of Forms.h.
static Type typeOfLetter(char letter, const Variant &variant) {
  switch (letter) {
  case 'c':
  case 'C':
    return variant.source;
  case 'R':
  case 'u':
  case 'o':
  case 'b':
  case 'X':
  case '1':
  case '2':
  case '4':
    return Type::U32;
  case 'Q':
  case 'q':
    return Type::F32;
  case 'W':
  case 'w':
    return unsignedOf(2 * infoOf(variant.type).bytes);
  case 'P':
  case 'p':
    return Type::Pred;
  default:
    return variant.type;
  }
}

/// Decodes an operand that is no value of a slot. Returns false if it is one.
bool Decoder::decodeSpecialOperand(char letter, const Operand &operand,
                                   const Match &match, Step &step) {
  switch (letter) {
  case 'A':
    decodeAddress(operand, step.base, step.offset);
    return true;
  case 'H':
    decodeAddress(operand, step.sharedBase, step.sharedOffset);
    return true;
  case 'S':
    decodeShuffled(operand, match.variant->type, step);
    return true;
  case 'k':
    step.base = slotOf(operand, Type::U32);
    return true;
  case 'z':
    step.count = operand.bits;
    return true;
  case 'g':
    step.target = operand.bits;
    return true;
  case 'L':
    step.target = function.labels.at(operand.name);
    return true;
  case 'T':
    step.target = decodeTargets(operand.name);
    return true;
  default:
    return false;
  }
}

void Decoder::decodeOperand(char letter, const Operand &operand,
                            const Match &match, Step &step) {
  if (decodeSpecialOperand(letter, operand, match, step))
    return;
  addSlots(operand, typeOfLetter(letter, *match.variant), step);
  step.isNegated |= operand.isNegated;
}

Step Decoder::decodeStep(const Instruction &instruction) {
  Match match = *findInstruction(instruction);
  Step step;
  step.execute = match.variant->execute;
  step.meet = match.variant->meet;
  step.line = instruction.line;
  step.space = match.space;
  step.count = match.count;
  if (!instruction.guard.empty()) {
    step.guard = registerSlot(instruction.guard);
    step.isGuardNegated = instruction.isGuardNegated;
  }
  slotCount = 0;
  std::string_view letters = match.row->operands;
  if (letters == "F") {
    step.target = decodeCall(instruction);
  } else if (letters == "Mm") {
    decodeMove(instruction, match.variant->type, step);
  } else {
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      decodeOperand(letters[i], instruction.operands[i], match, step);
  }
  // A copy without a number of bytes to read reads all.
  if (instruction.operands.size() < letters.size() && letters.ends_with('o'))
    step.slots[slotCount] = constantSlot(step.count, /*isWide=*/false);
  if (match.variant->isAligned)
    step.base = constantSlot(UINT32_MAX, /*isWide=*/false);
  if (letters == "VA")
    step.used = usedBytes(instruction.operands[0], match.variant->type);
  step.multiplyAdds = match.variant->multiplyAdds;
  step.isTransposed = std::ranges::find(instruction.modifiers, "trans") !=
                      instruction.modifiers.end();
  if (letters.find('A') != letters.npos)
    step.access = shared.program.accessCount++;
  code->waits |= letters == "b";
  return step;
}
