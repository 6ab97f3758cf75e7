//===- FunctionProgram.cpp - a function as the tables that run it ---------===//
#include "compiler/codegen/library/FunctionProgram.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// The word of an op that combines two numbers.
static int64_t wordOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return TG_EMBEDDED_ADD;
  case AffineExprKind::Mul:
    return TG_EMBEDDED_MULTIPLY;
  case AffineExprKind::FloorDiv:
    return TG_EMBEDDED_FLOOR_DIVIDE;
  case AffineExprKind::CeilDiv:
    return TG_EMBEDDED_CEIL_DIVIDE;
  default:
    return TG_EMBEDDED_MODULO;
  }
}

static bool isCommutative(AffineExpr expr) {
  return expr.getKind() == AffineExprKind::Add ||
         expr.getKind() == AffineExprKind::Mul;
}

unsigned ExpressionTable::depthOf(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  if (unsigned depth = depths.lookup(expr))
    return depth;
  unsigned lhs = depthOf(binary.getLHS()), rhs = depthOf(binary.getRHS());
  // The deeper operand of a sum or product comes first.
  if (isCommutative(expr) && rhs > lhs)
    std::swap(lhs, rhs);
  return depths[expr] = std::max(lhs, rhs + 1);
}

void ExpressionTable::append(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    words.insert(words.end(), {TG_EMBEDDED_CONSTANT, constant.getValue()});
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    words.push_back(int64_t(symbol.getPosition()) << 3 | TG_EMBEDDED_SYMBOL);
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (isCommutative(expr) && depthOf(rhs) > depthOf(lhs))
    std::swap(lhs, rhs);
  append(lhs);
  append(rhs);
  words.push_back(wordOf(expr.getKind()));
}

uint32_t ExpressionTable::add(AffineExpr expr) {
  auto [entry, isNew] = known.try_emplace(expr, words.size());
  if (!isNew)
    return entry->second;
  tooDeep |= depthOf(expr) > TG_EMBEDDED_MAX_DEPTH;
  uint32_t first = words.size();
  append(expr);
  words.push_back(TG_EMBEDDED_END);
  return first;
}

//===----------------------------------------------------------------------===//
// The arena
//===----------------------------------------------------------------------===//

namespace {
/// Says where buffers begin: as constants where their sizes and all below are
/// constants, else as buffers that are laid out before each run.
class ArenaLayout {
public:
  ArenaLayout(tgx::FunctionOp function, FunctionProgram &program);

  /// The offset of a buffer by its `id`, if it is a constant.
  std::optional<int64_t> offsetOf(int64_t id) const {
    auto found = program.offsets.find(id);
    return found == program.offsets.end() ? std::nullopt
                                          : std::optional(found->second);
  }
  /// Its number among the others otherwise.
  uint32_t numberOf(int64_t id) const { return numbers.lookup(id); }

private:
  void findLastUses();
  void add(tgx::WorkspaceOp buffer);
  void addDynamic(tgx::WorkspaceOp buffer, int64_t least);
  /// A number under which an end is remembered. The first one stands for the
  /// end of all buffers so far: where no other is free, a buffer may lie higher
  /// than it has to. The second one is never read.
  uint32_t takeEnd(int64_t id);

  tgx::FunctionOp function;
  FunctionProgram &program;
  llvm::DenseMap<int64_t, int64_t> constantEnds;
  llvm::DenseMap<int64_t, uint32_t> numbers, ends;
  /// The last buffer above one, by `id`.
  llvm::DenseMap<int64_t, int64_t> lastUses;
  /// Which buffer holds each number until when.
  SmallVector<int64_t> heldUntil;
  /// Buffers that are exchanged: their bases change.
  llvm::DenseSet<Operation *> swapped;
};
} // namespace

/// The largest end of a buffer whose offset is a constant.
static constexpr int64_t kLargest = int64_t(1) << 62;

static constexpr uint32_t kEndOfAll = 0, kNoEnd = 1, kFirstEnd = 2;

ArenaLayout::ArenaLayout(tgx::FunctionOp function, FunctionProgram &program)
    : function(function), program(program) {
  findLastUses();
  function.walk([&](tgx::SwapOp swap) {
    for (Value buffer : swap->getOperands())
      swapped.insert(buffer.getDefiningOp());
  });
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    add(buffer);
}

void ArenaLayout::findLastUses() {
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    for (int64_t below : buffer.getAbove())
      lastUses[below] = buffer.getId();
}

void ArenaLayout::add(tgx::WorkspaceOp buffer) {
  auto bytes = dyn_cast<AffineConstantExpr>(buffer.getBytes().getResult(0));
  int64_t least = 0;
  bool isConstant = bytes && !swapped.contains(buffer);
  for (int64_t below : buffer.getAbove()) {
    auto end = constantEnds.find(below);
    isConstant &= end != constantEnds.end();
    if (end != constantEnds.end())
      least = std::max(least, end->second);
  }
  // What is too large for an address overflows when the sizes are computed.
  if (!isConstant || bytes.getValue() > kLargest - least)
    return addDynamic(buffer, least);
  int64_t end = least + alignUp(bytes.getValue());
  program.offsets[buffer.getId()] = least;
  constantEnds[buffer.getId()] = end;
  program.arenaBytes = std::max(program.arenaBytes, end);
}

void ArenaLayout::addDynamic(tgx::WorkspaceOp op, int64_t least) {
  tg_embedded_buffer_t buffer = {};
  buffer.least = least;
  buffer.bytes = program.expressions.add(op.getBytes().getResult(0));
  buffer.first_below = program.belowEnds.size();
  for (int64_t below : op.getAbove())
    if (!constantEnds.contains(below))
      program.belowEnds.push_back(ends.lookup(below));
  buffer.below_count = program.belowEnds.size() - buffer.first_below;
  buffer.end = takeEnd(op.getId());
  numbers[op.getId()] = program.buffers.size();
  program.buffers.push_back(buffer);
}

uint32_t ArenaLayout::takeEnd(int64_t id) {
  auto last = lastUses.find(id);
  if (last == lastUses.end())
    return kNoEnd;
  for (auto [number, until] : llvm::enumerate(heldUntil))
    if (until <= id) {
      until = last->second;
      return ends[id] = kFirstEnd + number;
    }
  if (kFirstEnd + heldUntil.size() == TG_EMBEDDED_MAX_ENDS) {
    ends[id] = kEndOfAll;
    return kNoEnd;
  }
  heldUntil.push_back(last->second);
  return ends[id] = kFirstEnd + heldUntil.size() - 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Fills a program.
class ProgramBuilder {
public:
  ProgramBuilder(const FunctionPlan &function, const ModelPlan &plan,
                 FunctionProgram &program)
      : function(function), plan(plan), program(program),
        arena(function.op, program) {}

  void build();

private:
  void addEntry();
  void addBases();
  /// Where a buffer lies.
  tg_embedded_slot_t slotOf(Value buffer);
  tg_embedded_slot_t slotOfMemory(Operation *op);
  /// A number that follows from symbols.
  tg_embedded_slot_t slotOf(AffineExpr number);
  void addBlock(Block &block);
  void add(tgx::LaunchOp launch);
  void addChecks(tgx::LaunchOp launch, ArrayRef<KernelCheckPlan> checks);
  void add(tgx::CopyOp copy);
  void add(tgx::HostOp host);
  void add(tgx::MeasureOp measure);
  /// Clears the slab of a function that initializes, before the first op that
  /// touches it.
  void clearBefore(Operation &op);
  void clear();
  void add(tgx::SwapOp swap);
  void add(tgx::ForOp loop);
  void add(tgx::WhileOp loop);
  void add(tgx::IfOp branch);
  void addAddress(tgx::ElementOp element);
  /// A step that goes to its target, or on. Returns its number.
  uint32_t addControl(uint32_t kind, uint32_t base,
                      ArrayRef<tg_embedded_slot_t> slots, uint32_t target = 0);
  void setTarget(uint32_t step) {
    program.steps[step].target = program.steps.size();
  }
  uint32_t registerOf(Operation *op) const { return registers.lookup(op); }
  void sortNumbers();
  void addStep(uint32_t kind, uint32_t number, size_t firstSlot);
  void noteWrite(Value buffer) {
    wroteVariable |=
        bool(underlyingBuffer(buffer).getDefiningOp<tgx::SlabOp>());
  }

  const FunctionPlan &function;
  const ModelPlan &plan;
  FunctionProgram &program;
  ArenaLayout arena;
  /// The first base of each kind.
  uint32_t inputs = 0, outputs = 0, constants = 0, buffers = 0, hosts = 0,
           numbers = 0;
  /// The bases of loops and of elements of their trips.
  llvm::DenseMap<Operation *, uint32_t> registers;
  llvm::DenseMap<unsigned, uint32_t> constantOf;
  llvm::DenseMap<AffineExpr, uint32_t> numberOf;
  uint32_t taskSlots = 0;
  /// Whether the slab still has to be cleared.
  bool isToClear = false;
  /// Whether a launch or copy so far may have changed a variable.
  bool wroteVariable = false;
  /// The loops and branches around what is added, and the steps so far that
  /// tg_function_t.steps has.
  unsigned depth = 0, timed = 0;
};
} // namespace

static uint32_t wordOf(ExtentRelation relation) {
  switch (relation) {
  case ExtentRelation::equal:
    return TG_EMBEDDED_EQUAL;
  case ExtentRelation::atMost:
    return TG_EMBEDDED_AT_MOST;
  case ExtentRelation::atLeast:
    return TG_EMBEDDED_AT_LEAST;
  }
  llvm_unreachable("all relations are above");
}

/// What is computed before the first step.
void ProgramBuilder::addEntry() {
  tgx::FunctionOp op = function.op;
  SmallVector<AffineExpr> symbols;
  for (unsigned found = op.getBoundCount(); found < op.getKnownCount(); ++found)
    symbols.push_back(getAffineSymbolExpr(found, op.getContext()));
  llvm::append_range(symbols, op.getComputed().getResults());
  for (AffineExpr expr : symbols) {
    program.computed.push_back(program.expressions.add(op.mostOf(expr)));
    if (op.countFound())
      program.exact.push_back(program.expressions.add(expr));
  }
  for (const EntryCheckPlan &check : function.checks)
    program.relations.push_back({program.expressions.add(check.found),
                                 program.expressions.add(check.expected),
                                 wordOf(check.relation), /*reserved=*/0});
  program.flops = program.expressions.add(function.cost.flops);
  program.traffic = program.expressions.add(function.cost.traffic);
  for (const StepPlan &step : function.steps)
    program.costs.push_back({program.expressions.add(step.cost.flops),
                             program.expressions.add(step.cost.traffic)});
}

void ProgramBuilder::addBases() {
  tgx::FunctionOp op = function.op;
  for (auto constant : op.getBlock().getOps<tgx::ConstantOp>()) {
    unsigned number = plan.constantNumbers.lookup(constant.getValue());
    if (constantOf.try_emplace(number, program.constants.size()).second)
      program.constants.push_back(number);
  }
  inputs = TG_EMBEDDED_BASE_SYMBOLS + function.symbolCount;
  outputs = inputs + function.inputs.size();
  constants = outputs + function.outputs.size();
  buffers = constants + program.constants.size();
  uint32_t next = buffers + program.buffers.size();
  op.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<tgx::ForOp, tgx::WhileOp, tgx::ElementOp>(inner))
      registers[inner] = next++;
  });
  program.registerCount = registers.size();
  hosts = next;
  numbers = hosts + function.hostNeeds.size();
}

tg_embedded_slot_t ProgramBuilder::slotOf(Value buffer) {
  tg_embedded_slot_t slot = slotOfMemory(storageOf(buffer).getDefiningOp());
  slot.offset += offsetInMemory(buffer);
  return slot;
}

tg_embedded_slot_t ProgramBuilder::slotOfMemory(Operation *op) {
  auto slot = [](uint32_t base, int64_t offset) {
    return tg_embedded_slot_t{base, /*reserved=*/0, offset};
  };
  if (auto input = dyn_cast<tgx::InputOp>(op))
    return slot(inputs + input.getIndex(), 0);
  if (auto output = dyn_cast<tgx::OutputOp>(op))
    return slot(outputs + output.getIndex(), 0);
  if (auto variable = dyn_cast<tgx::SlabOp>(op))
    return slot(TG_EMBEDDED_BASE_SLAB,
                plan.slab.lookup(variable.getVariable()).offset);
  if (auto constant = dyn_cast<tgx::ConstantOp>(op))
    return slot(constants + constantOf.lookup(plan.constantNumbers.lookup(
                                constant.getValue())),
                0);
  if (isa<tgx::PackedOp>(op))
    return slot(TG_EMBEDDED_BASE_PACKED,
                plan.packs[plan.packNumbers.lookup(op)].offset);
  if (isa<tgx::ElementOp>(op))
    return slot(registerOf(op), 0);
  int64_t id = cast<tgx::WorkspaceOp>(op).getId();
  if (std::optional<int64_t> offset = arena.offsetOf(id))
    return slot(TG_EMBEDDED_BASE_ARENA, *offset);
  return slot(buffers + arena.numberOf(id), 0);
}

tg_embedded_slot_t ProgramBuilder::slotOf(AffineExpr number) {
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return {TG_EMBEDDED_BASE_ZERO, 0, constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return {TG_EMBEDDED_BASE_SYMBOLS + symbol.getPosition(), 0, 0};
  auto [found, isNew] = numberOf.try_emplace(number, program.numbers.size());
  if (isNew)
    program.numbers.push_back(program.expressions.add(number));
  return {numbers + found->second, 0, 0};
}

/// Puts numbers that follow from what a run finds behind the others.
void ProgramBuilder::sortNumbers() {
  tgx::FunctionOp op = function.op;
  if (!op.countFound())
    return;
  std::vector<uint32_t> order;
  SmallVector<AffineExpr> all(numberOf.size());
  for (auto [number, place] : numberOf)
    all[place] = number;
  for (bool isFound : {false, true}) {
    program.firstFoundNumber = order.size();
    for (auto [place, number] : llvm::enumerate(all))
      if ((op.mostOf(number) != number) == isFound)
        order.push_back(place);
  }
  std::vector<uint32_t> sorted(order.size()), placeOf(order.size());
  for (auto [place, old] : llvm::enumerate(order)) {
    sorted[place] = program.numbers[old];
    placeOf[old] = place;
  }
  program.numbers = std::move(sorted);
  for (tg_embedded_slot_t &slot : program.slots)
    if (slot.base >= numbers)
      slot.base = numbers + placeOf[slot.base - numbers];
}

void ProgramBuilder::addStep(uint32_t kind, uint32_t number, size_t firstSlot) {
  uint32_t count = program.slots.size() - firstSlot;
  taskSlots = std::max(taskSlots, count + TG_EMBEDDED_LAUNCH_SLOTS);
  bool isTimed = kind <= TG_EMBEDDED_HOST;
  program.steps.push_back({kind, number, uint32_t(firstSlot), count,
                           /*target=*/0, wroteVariable,
                           isTimed ? timed++ : TG_EMBEDDED_UNTIMED, depth > 0});
}

void ProgramBuilder::add(tgx::LaunchOp launch) {
  size_t first = program.slots.size();
  for (Value buffer : launch.getInputs())
    program.slots.push_back(slotOf(buffer));
  for (Value buffer : launch.getOutputs()) {
    program.slots.push_back(slotOf(buffer));
    noteWrite(buffer);
  }
  for (AffineExpr extent : launch.getExtents().getResults())
    program.slots.push_back(slotOf(extent));
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  addStep(TG_EMBEDDED_LAUNCH, plan.numberOf(kernel), first);
  if (ArrayRef<KernelCheckPlan> checks = plan.kernels.find(kernel)->second;
      !checks.empty())
    addChecks(launch, checks);
}

void ProgramBuilder::addChecks(tgx::LaunchOp launch,
                               ArrayRef<KernelCheckPlan> checks) {
  size_t first = program.slots.size();
  auto other = llvm::find_if(checks, [](const KernelCheckPlan &check) {
    return check.status != TG_ERROR_NAN;
  });
  const KernelCheckPlan &check =
      other == checks.end() ? checks.front() : *other;
  AffineExpr zero = getAffineConstantExpr(0, launch.getContext());
  program.slots.push_back(check.argument
                              ? slotOf(launch.getInputs()[*check.argument])
                              : slotOf(zero));
  program.slots.push_back(slotOf(
      check.bound ? substitute(check.bound, launch.getExtents()) : zero));
  addStep(TG_EMBEDDED_CHECK, program.checks.size(), first);
  program.steps.back().target =
      llvm::any_of(checks, [](const KernelCheckPlan &each) {
        return each.status == TG_ERROR_NAN;
      });
  for (const KernelCheckPlan &each : checks)
    program.checks.push_back(each.number);
}

void ProgramBuilder::add(tgx::CopyOp copy) {
  size_t first = program.slots.size();
  noteWrite(copy.getTarget());
  for (Value buffer : {copy.getSource(), copy.getTarget()})
    program.slots.push_back(slotOf(buffer));
  program.slots.push_back(slotOf(copy.getBytes().getResult(0)));
  addStep(TG_EMBEDDED_COPY, 0, first);
}

static uint32_t wordOf(HostAction action) {
  switch (action) {
  case HostAction::call:
    return TG_EMBEDDED_HOST_CALL;
  case HostAction::print:
    return TG_EMBEDDED_HOST_PRINT;
  case HostAction::check:
    return TG_EMBEDDED_HOST_ASSERT;
  }
  llvm_unreachable("all actions are above");
}

/// What the outputs of a call take while the host fills them.
static AffineExpr countStaging(tgx::HostOp host) {
  AffineExpr unit =
      getAffineConstantExpr(TG_EMBEDDED_GUARD_BYTES, host.getContext());
  AffineExpr bytes = unit;
  unsigned inputs = host.getInputs().size();
  for (unsigned number = 0; number < host.getOutputs().size(); ++number)
    bytes =
        bytes + host.countBytesOf(inputs + number).ceilDiv(unit) * unit + unit;
  return bytes;
}

void ProgramBuilder::add(tgx::HostOp host) {
  size_t first = program.slots.size();
  auto [location, need] = function.hostSteps.lookup(host);
  HostStep step = {
      wordOf(host.getAction()),
      location,
      host.getText().str(),
      {},
      uint32_t(host.getInputs().size()),
      uint32_t(host.getOutputs().size()),
      program.expressions.add(
          tgx::FunctionOp(function.op).mostOf(countStaging(host)))};
  bool calls = host.getAction() == HostAction::call;
  program.slots.push_back(
      {calls ? hosts + need : uint32_t(TG_EMBEDDED_BASE_ZERO), 0, 0});
  for (Value buffer : host->getOperands()) {
    auto type = cast<RankedTensorType>(buffer.getType());
    step.values.push_back({rowOf(elementOf(type.getElementType())).dtype,
                           uint32_t(type.getRank())});
    program.slots.push_back(slotOf(buffer));
  }
  for (AffineExpr extent : host.getExtents().getResults())
    program.slots.push_back(slotOf(extent));
  addStep(TG_EMBEDDED_HOST, program.hostSteps.size(), first);
  // Its tensors lie behind the slots.
  taskSlots = std::max<uint32_t>(taskSlots, program.slots.size() - first +
                                                step.values.size() *
                                                    sizeof(tg_tensor_t) / 8);
  program.hostSteps.push_back(std::move(step));
  for (Value buffer : host.getOutputs())
    noteWrite(buffer);
}

void ProgramBuilder::add(tgx::MeasureOp measure) {
  addControl(TG_EMBEDDED_MEASURE, function.requirements.lookup(measure),
             {slotOf(measure.getNumber())}, measure.getSymbol());
}

void ProgramBuilder::clear() {
  if (!std::exchange(isToClear, false))
    return;
  wroteVariable = true;
  addStep(TG_EMBEDDED_CLEAR, 0, program.slots.size());
}

void ProgramBuilder::clearBefore(Operation &op) {
  if (!isToClear || !isa<tgx::StepOpInterface>(op))
    return;
  WalkResult walk = op.walk([](tgx::StepOpInterface step) {
    bool touches = llvm::any_of(step->getOperands(), [](Value buffer) {
      return underlyingBuffer(buffer).getDefiningOp<tgx::SlabOp>();
    });
    return touches ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    clear();
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

uint32_t ProgramBuilder::addControl(uint32_t kind, uint32_t base,
                                    ArrayRef<tg_embedded_slot_t> slots,
                                    uint32_t target) {
  size_t first = program.slots.size();
  llvm::append_range(program.slots, slots);
  addStep(kind, base, first);
  program.steps.back().target = target;
  return program.steps.size() - 1;
}

/// A number that is known when the library is compiled.
static tg_embedded_slot_t constantSlot(int64_t number) {
  return {TG_EMBEDDED_BASE_ZERO, 0, number};
}

void ProgramBuilder::add(tgx::SwapOp swap) {
  addControl(TG_EMBEDDED_SWAP, 0,
             {slotOf(swap.getFirst()), slotOf(swap.getSecond())});
}

void ProgramBuilder::addAddress(tgx::ElementOp element) {
  tg_embedded_slot_t trip = {registerOf(element->getParentOp()), 0, 0};
  addControl(TG_EMBEDDED_ADDRESS, registerOf(element),
             {slotOf(element.getSource()), trip, slotOf(element.countBytes())});
}

/// The base counts trips from the first to behind the last one.
void ProgramBuilder::add(tgx::ForOp loop) {
  AffineExpr count = loop.getCount().getResult(0);
  bool isReverse = loop.getReverse();
  tg_embedded_slot_t first = isReverse ? slotOf(count - 1) : constantSlot(0);
  tg_embedded_slot_t end = isReverse ? constantSlot(-1) : slotOf(count);
  uint32_t trip = registerOf(loop);
  uint32_t begin = addControl(TG_EMBEDDED_LOOP, trip, {first, end});
  uint32_t body = program.steps.size();
  addBlock(loop.getBody().front());
  addControl(TG_EMBEDDED_NEXT, trip, {constantSlot(isReverse ? -1 : 1), end},
             body);
  setTarget(begin);
}

/// The base counts trips, which have no end: the flag says it.
void ProgramBuilder::add(tgx::WhileOp loop) {
  uint32_t trips = registerOf(loop);
  tg_embedded_slot_t never = constantSlot(-1);
  addControl(TG_EMBEDDED_LOOP, trips, {constantSlot(0), never});
  uint32_t test = addControl(TG_EMBEDDED_BRANCH, 0, {slotOf(loop.getFlag())});
  if (std::optional<uint64_t> most = loop.getMaxTrip())
    addControl(TG_EMBEDDED_LIMIT, function.requirements.lookup(loop),
               {tg_embedded_slot_t{trips, 0, 0}, constantSlot(*most)});
  addBlock(loop.getBody().front());
  addControl(TG_EMBEDDED_NEXT, trips, {constantSlot(1), never}, test);
  setTarget(test);
}

void ProgramBuilder::add(tgx::IfOp branch) {
  uint32_t test = addControl(TG_EMBEDDED_BRANCH, 0, {slotOf(branch.getFlag())});
  addBlock(branch.getThenRegion().front());
  uint32_t end = addControl(TG_EMBEDDED_JUMP, 0, {});
  setTarget(test);
  addBlock(branch.getElseRegion().front());
  setTarget(end);
}

/// Steps and what they require, in a loop behind where its elements lie.
void ProgramBuilder::addBlock(Block &block) {
  for (auto element : block.getOps<tgx::ElementOp>())
    addAddress(element);
  for (Operation &op : block) {
    if (depth == 0)
      clearBefore(op);
    if (function.requirements.contains(&op) && isa<tgx::EntryCheckOp>(op))
      addControl(TG_EMBEDDED_REQUIRE, function.requirements.lookup(&op), {});
    llvm::TypeSwitch<Operation *>(&op)
        .Case<tgx::LaunchOp, tgx::CopyOp, tgx::HostOp, tgx::SwapOp, tgx::ForOp,
              tgx::WhileOp, tgx::IfOp, tgx::MeasureOp>([&](auto step) {
          // What a loop writes is written before its next trip.
          if (step->getNumRegions())
            step->walk([&](tgx::StepOpInterface inner) {
              llvm::for_each(inner.getTargets(),
                             [&](Value target) { noteWrite(target); });
            });
          depth += step->getNumRegions() > 0;
          add(step);
          depth -= step->getNumRegions() > 0;
        });
  }
}

void ProgramBuilder::build() {
  addEntry();
  addBases();
  tgx::FunctionOp op = function.op;
  isToClear = function.flags & TG_FUNCTION_INITIALIZES && function.slabBytes;
  addBlock(op.getBlock());
  clear();
  sortNumbers();
  program.baseCount = numbers + program.numbers.size();
  program.headerBytes =
      alignUp(TG_EMBEDDED_CELL_BYTES + 8 * (program.baseCount + taskSlots));
}

LogicalResult tg::checkDepth(const ExpressionTable &expressions,
                             const FunctionPlan &function) {
  tgx::FunctionOp op = function.op;
  if (!expressions.isTooDeep())
    return success();
  return op.emitOpError() << "expected extents that need at most "
                          << unsigned(TG_EMBEDDED_MAX_DEPTH)
                          << " numbers at a time";
}

FailureOr<FunctionProgram> FunctionProgram::create(const FunctionPlan &function,
                                                   const ModelPlan &plan) {
  FunctionProgram program;
  ProgramBuilder(function, plan, program).build();
  if (failed(checkDepth(program.expressions, function)))
    return failure();
  return program;
}
