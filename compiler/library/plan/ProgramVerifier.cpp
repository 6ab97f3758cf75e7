//===- ProgramVerifier.cpp - checks the tables of a function --------------===//
#include "compiler/library/plan/ProgramVerifier.h"

using namespace mlir;
using namespace tg;

namespace {
/// The required kind of a slot: an address, a number, or either.
enum class Use { pointer, number, any };

class ProgramVerifier {
public:
  ProgramVerifier(const FunctionProgram &program, const ProgramLimits &limits)
      : program(program), bases(program.bases), limits(limits) {}

  std::string verify() {
    verifyBases();
    verifyExpressions();
    verifyBuffers();
    for (size_t number = 0; number < program.steps.size(); ++number) {
      subject = "step " + std::to_string(number);
      verifyStep(program.steps[number], number);
    }
    return error;
  }

private:
  /// Records the first error if a condition does not hold.
  bool expect(bool holds, const Twine &expected, int64_t found) {
    if (!holds && error.empty())
      error = (subject + ": expected " + expected + ", found " + Twine(found))
                  .str();
    return holds;
  }
  void expectBelow(uint64_t number, uint64_t bound, const Twine &what) {
    expect(number < bound, what + " below " + Twine(bound), number);
  }
  void expectExpression(uint32_t first) {
    expect(starts.contains(first), "the first word of an expression", first);
  }

  void verifyBases();
  void verifyExpressions();
  void verifyBuffers();
  void verifyHeader(const tg_embedded_step_t &step);
  void verifyStep(const tg_embedded_step_t &step, size_t number);
  void verifyHost(const tg_embedded_step_t &step);
  void verifySlot(const tg_embedded_slot_t &slot, Use use);
  void verifySlots(const tg_embedded_step_t &step, ArrayRef<Use> uses);
  void verifyLaunch(const tg_embedded_step_t &step);
  void verifyGrid(const tg_embedded_step_t &step);
  void verifyArguments(ArrayRef<tg_embedded_slot_t> slots);
  void verifyCheck(const tg_embedded_step_t &step, size_t number);
  void verifyResults(const tg_embedded_step_t &step);
  void verifyRegister(uint32_t base) {
    expect(base >= bases.registers && base < bases.hosts,
           "the base of a register", base);
  }
  ArrayRef<tg_embedded_slot_t> slotsOf(const tg_embedded_step_t &step) const {
    return ArrayRef(program.slots).slice(step.first_slot, step.slot_count);
  }
  bool isNumber(uint32_t base) const {
    return base == TG_EMBEDDED_BASE_ZERO || base >= bases.numbers ||
           (base >= TG_EMBEDDED_BASE_SYMBOLS && base < bases.inputs);
  }

  const FunctionProgram &program;
  const ProgramBases &bases;
  const ProgramLimits &limits;
  /// The indices of the first words of expressions.
  llvm::DenseSet<uint32_t> starts;
  /// The part of the program that is being checked, and the first error.
  std::string subject = "program", error;
};
} // namespace

/// Checks that the bases of each kind follow each other in the order in which
/// the embedded runtime fills them.
void ProgramVerifier::verifyBases() {
  const std::pair<uint32_t, size_t> kinds[] = {
      {bases.inputs, limits.symbolCount},
      {bases.outputs, limits.inputCount},
      {bases.constants, limits.outputCount},
      {bases.buffers, program.constants.size()},
      {bases.registers, program.buffers.size()},
      {bases.hosts, program.registerCount},
      {bases.numbers, limits.hostCount},
      {program.baseCount, program.numbers.size()}};
  uint64_t next = TG_EMBEDDED_BASE_SYMBOLS;
  for (auto [first, countBefore] : kinds) {
    next += countBefore;
    expect(first == next, "bases that begin at " + Twine(next), first);
  }
  expect(program.firstDataDependentNumber <= program.numbers.size(),
         "data-dependent numbers among the numbers",
         program.firstDataDependentNumber);
  expect(program.exact.empty() ||
             program.exact.size() == program.computed.size(),
         "an exact expression for each computed symbol", program.exact.size());
  expect(program.arenaBytes >= 0, "an arena of 0 bytes or more",
         program.arenaBytes);
}

/// Checks that every expression ends, leaves one number on the stack and uses
/// only symbols of the function. Checks that other tables refer to expressions
/// by their first words.
void ProgramVerifier::verifyExpressions() {
  ArrayRef<int64_t> words = program.expressions.getWords();
  unsigned depth = 0;
  uint32_t first = 0;
  for (size_t at = 0; at < words.size(); ++at) {
    int64_t op = words[at] & 7;
    if (op == TG_EMBEDDED_END) {
      expect(depth == 1, "an expression of one number", depth);
      starts.insert(first);
      first = at + 1;
      depth = 0;
    } else if (op == TG_EMBEDDED_SYMBOL) {
      expectBelow(words[at] >> 3, limits.symbolCount, "a symbol");
      ++depth;
    } else if (op == TG_EMBEDDED_CONSTANT) {
      ++depth, ++at;
    } else if (expect(depth >= 2, "two operands", depth)) {
      --depth;
    }
    expect(depth <= TG_EMBEDDED_MAX_DEPTH, "fewer operands", depth);
  }
  expect(first == words.size(), "the end of the last expression", first);
  for (const std::vector<uint32_t> *list :
       {&program.computed, &program.exact, &program.numbers})
    llvm::for_each(*list, [&](uint32_t word) { expectExpression(word); });
  for (const tg_embedded_relation_t &relation : program.relations) {
    expectExpression(relation.found);
    expectExpression(relation.expected);
    expectBelow(relation.kind, TG_EMBEDDED_AT_LEAST + 1, "a kind of relation");
  }
  for (const tg_embedded_cost_t &cost : program.costs) {
    expectExpression(cost.flops);
    expectExpression(cost.traffic);
  }
  expectExpression(program.flops);
  expectExpression(program.traffic);
}

void ProgramVerifier::verifyBuffers() {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    subject = "buffer " + std::to_string(number);
    expectExpression(buffer.bytes);
    expect(buffer.min_offset >= 0, "an offset of 0 or more", buffer.min_offset);
    expectBelow(buffer.end, TG_EMBEDDED_MAX_ENDS, "an end");
    uint64_t past = uint64_t(buffer.first_below) + buffer.below_count;
    if (!expect(past <= program.belowEnds.size(), "ends in the list", past))
      continue;
    for (uint32_t end : ArrayRef(program.belowEnds)
                            .slice(buffer.first_below, buffer.below_count))
      expectBelow(end, TG_EMBEDDED_MAX_ENDS, "an end");
  }
}

void ProgramVerifier::verifySlot(const tg_embedded_slot_t &slot, Use use) {
  expectBelow(slot.base, program.baseCount, "a base");
  bool isRegister = slot.base >= bases.registers && slot.base < bases.hosts;
  bool isHost = slot.base >= bases.hosts && slot.base < bases.numbers;
  if (use == Use::pointer)
    expect(!isNumber(slot.base) && !isHost, "the base of memory", slot.base);
  if (use == Use::number)
    expect(isNumber(slot.base) || isRegister, "the base of a number",
           slot.base);
  if (slot.base == TG_EMBEDDED_BASE_ZERO)
    return;
  int64_t limit = slot.base == TG_EMBEDDED_BASE_SLAB     ? limits.slabBytes
                  : slot.base == TG_EMBEDDED_BASE_PACKED ? limits.packedBytes
                  : slot.base == TG_EMBEDDED_BASE_ARENA  ? program.arenaBytes
                  : isNumber(slot.base) || isHost        ? 0
                                                         : INT64_MAX;
  expect(slot.offset >= 0 && slot.offset <= limit,
         "an offset from 0 to " + Twine(limit), slot.offset);
}

void ProgramVerifier::verifySlots(const tg_embedded_step_t &step,
                                  ArrayRef<Use> uses) {
  if (!expect(step.slot_count == uses.size(), Twine(uses.size()) + " slots",
              step.slot_count))
    return;
  for (auto [slot, use] : llvm::zip_equal(slotsOf(step), uses))
    verifySlot(slot, use);
}

/// Checks the arguments of a kernel: all pointers must come before all numbers.
void ProgramVerifier::verifyArguments(ArrayRef<tg_embedded_slot_t> slots) {
  bool hasNumber = false;
  for (const tg_embedded_slot_t &slot : slots) {
    hasNumber |= isNumber(slot.base);
    verifySlot(slot, hasNumber ? Use::number : Use::pointer);
  }
}

void ProgramVerifier::verifyLaunch(const tg_embedded_step_t &step) {
  expectBelow(step.number, limits.kernelCount, "a kernel");
  verifyArguments(slotsOf(step));
}

/// Checks the launch of a kernel of the user, whose arguments follow the grid.
void ProgramVerifier::verifyGrid(const tg_embedded_step_t &step) {
  expectBelow(step.number, program.grids.size(), "a grid");
  if (!expect(step.slot_count >= TG_EMBEDDED_GRID_DIMS,
              "slots with the dimensions of a grid", step.slot_count) ||
      !error.empty())
    return;
  expectBelow(program.grids[step.number].image, limits.imageCount, "an image");
  ArrayRef<tg_embedded_slot_t> slots = slotsOf(step);
  for (const tg_embedded_slot_t &slot : slots.take_front(TG_EMBEDDED_GRID_DIMS))
    verifySlot(slot, Use::number);
  verifyArguments(slots.drop_front(TG_EMBEDDED_GRID_DIMS));
}

/// Checks a step of checks. The launch that it checks must precede it directly:
/// the launch may run again to find the value that a check reports. The error
/// cells of the checks must be consecutive.
void ProgramVerifier::verifyCheck(const tg_embedded_step_t &step,
                                  size_t number) {
  expect(number > 0 && program.steps[number - 1].kind == TG_EMBEDDED_LAUNCH,
         "a check after a launch", number);
  uint64_t past = uint64_t(step.number) + step.slot_count;
  if (!expect(past <= program.checks.size(), "checks in the list", past))
    return;
  uint64_t cell = 0;
  for (const ProgramCheck &check :
       ArrayRef(program.checks).slice(step.number, step.slot_count)) {
    expect(check.firstCell == cell, "cells from " + Twine(cell) + " on",
           check.firstCell);
    cell += check.cellCount;
  }
  expect(cell <= program.cellCount,
         "at most " + Twine(program.cellCount) + " cells", cell);
  verifySlots(step, SmallVector<Use>(step.slot_count, Use::number));
}

/// Checks the results of a step: each is memory that a slot of the step points
/// to. The checks for the kind of the step verify all slots.
void ProgramVerifier::verifyResults(const tg_embedded_step_t &step) {
  if (!expect(size_t(step.timed) + 1 < program.firstResults.size(),
              "results of the step", step.timed))
    return;
  uint32_t first = program.firstResults[step.timed],
           past = program.firstResults[step.timed + 1];
  if (!expect(first <= past && past <= program.results.size(),
              "results in the list", past))
    return;
  for (const tg_embedded_result_t &result :
       ArrayRef(program.results).slice(first, past - first)) {
    for (uint32_t word : {result.rows, result.row_bytes, result.row_stride})
      expectExpression(word);
    if (expect(result.slot < step.slot_count, "a slot of the step",
               result.slot))
      verifySlot(slotsOf(step)[result.slot], Use::pointer);
  }
}

void ProgramVerifier::verifyHost(const tg_embedded_step_t &step) {
  expectBelow(step.number, program.hostSteps.size(), "a host step");
  if (!error.empty())
    return;
  const HostStep &host = program.hostSteps[step.number];
  expectExpression(host.staging);
  expect(host.values.size() == size_t(host.inputCount) + host.outputCount,
         "a type for each input and output", host.values.size());
  SmallVector<Use> uses(host.values.size(), Use::pointer);
  for (const tg_embedded_host_value_t &value : host.values)
    uses.append(value.rank, Use::number);
  uses.insert(uses.begin(), Use::any);
  verifySlots(step, uses);
}

// The header holds the error cells, the bases and the argument block, which has
// further slots in a launch. The host block of a device holds these and, once
// more, the cells and the bases.
void ProgramVerifier::verifyHeader(const tg_embedded_step_t &step) {
  int64_t cellBytes = TG_EMBEDDED_CELL_BYTES(int64_t(program.cellCount));
  int64_t baseBytes = 8 * int64_t(program.baseCount);
  int64_t slots = int64_t(step.slot_count) + TG_EMBEDDED_LAUNCH_SLOTS;
  int64_t needed = cellBytes + baseBytes + 8 * slots;
  bool isForDevice = program.hostBlockBytes != 0;
  expect(program.headerBytes >= (isForDevice ? cellBytes : needed),
         "a header of " + Twine(needed) + " bytes", program.headerBytes);
  needed += cellBytes + baseBytes;
  expect(!isForDevice || program.hostBlockBytes >= needed,
         "a host block of " + Twine(needed) + " bytes", program.hostBlockBytes);
}

void ProgramVerifier::verifyStep(const tg_embedded_step_t &step,
                                 size_t number) {
  uint64_t past = uint64_t(step.first_slot) + step.slot_count;
  if (!expect(past <= program.slots.size(), "slots in the list", past))
    return;
  verifyHeader(step);
  if (step.timed != TG_EMBEDDED_UNTIMED) {
    expectBelow(step.timed, program.costs.size(), "a step with costs");
    verifyResults(step);
  }
  size_t steps = program.steps.size();
  constexpr Use pointer = Use::pointer, integer = Use::number;
  switch (step.kind) {
  case TG_EMBEDDED_LAUNCH:
    return verifyLaunch(step);
  case TG_EMBEDDED_COPY:
    return verifySlots(step, {pointer, pointer, integer});
  case TG_EMBEDDED_GRID:
    return verifyGrid(step);
  case TG_EMBEDDED_HOST:
    return verifyHost(step);
  case TG_EMBEDDED_CHECK:
    return verifyCheck(step, number);
  case TG_EMBEDDED_CLEAR:
    return verifySlots(step, {});
  case TG_EMBEDDED_REQUIRE:
    expectBelow(step.number, program.relations.size(), "a relation");
    return verifySlots(step, {});
  case TG_EMBEDDED_LIMIT:
    expectBelow(step.number, program.relations.size(), "a relation");
    return verifySlots(step, {integer, integer});
  case TG_EMBEDDED_MEASURE:
    expectBelow(step.number, program.relations.size(), "a relation");
    expectBelow(step.target, limits.symbolCount, "a symbol");
    return verifySlots(step, {pointer});
  case TG_EMBEDDED_LOOP:
    verifyRegister(step.number);
    expectBelow(step.target, steps + 1, "a target");
    return verifySlots(step, {integer, integer});
  case TG_EMBEDDED_NEXT:
    verifyRegister(step.number);
    expectBelow(step.target, number, "an earlier target");
    return verifySlots(step, {integer, integer});
  case TG_EMBEDDED_BRANCH:
    expectBelow(step.target, steps + 1, "a target");
    return verifySlots(step, {pointer});
  case TG_EMBEDDED_JUMP:
    expectBelow(step.target, steps + 1, "a target");
    return verifySlots(step, {});
  case TG_EMBEDDED_ADDRESS:
    verifyRegister(step.number);
    return verifySlots(step, {pointer, integer, integer});
  case TG_EMBEDDED_SWAP:
    for (const tg_embedded_slot_t &slot : slotsOf(step))
      expect(slot.base >= bases.buffers && slot.base < bases.registers,
             "the base of a buffer", slot.base);
    return verifySlots(step, {pointer, pointer});
  default:
    expect(false, "a kind of step", step.kind);
  }
}

ProgramLimits tg::limitsOf(const FunctionPlan &function,
                           const ModelPlan &plan) {
  ProgramLimits limits;
  limits.symbolCount = function.symbolCount;
  limits.inputCount = function.inputs.size();
  limits.outputCount = function.outputs.size();
  limits.hostCount = function.hostNeeds.size();
  limits.kernelCount = plan.kernels.size();
  limits.imageCount = plan.isForDevice() ? 1 + plan.customKernels.size() : 0;
  limits.slabBytes = plan.slabBytes();
  limits.packedBytes = plan.packedBytes;
  return limits;
}

std::string tg::verifyProgram(const FunctionProgram &program,
                              const ProgramLimits &limits) {
  return ProgramVerifier(program, limits).verify();
}
