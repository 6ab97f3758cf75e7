//===- FunctionProgram.cpp - a function as the tables that run it ---------===//
#include "compiler/library/plan/ProgramBuilder.h"
#include "compiler/library/plan/ProgramVerifier.h"

using namespace mlir;
using namespace tg;

static uint32_t codeOf(ExtentRelation relation) {
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

/// Adds the expressions that are computed before the first step.
void ProgramBuilder::addEntry() {
  tgx::FunctionOp op = function.op;
  SmallVector<AffineExpr> symbols;
  for (unsigned i = op.getBoundCount(); i < op.countUncomputed(); ++i)
    symbols.push_back(getAffineSymbolExpr(i, op.getContext()));
  llvm::append_range(symbols, op.getComputed().getResults());
  for (AffineExpr expr : symbols) {
    program.computed.push_back(program.expressions.add(op.upperBoundOf(expr)));
    if (op.countDataDependent())
      program.exact.push_back(program.expressions.add(expr));
  }
  for (const EntryCheckPlan &check : function.checks)
    program.relations.push_back({program.expressions.add(check.found),
                                 program.expressions.add(check.expected),
                                 codeOf(check.relation), /*reserved=*/0});
  program.flops = program.expressions.add(function.cost.flops);
  program.traffic = program.expressions.add(function.cost.traffic);
  for (const StepPlan &step : function.steps)
    program.costs.push_back({program.expressions.add(step.cost.flops),
                             program.expressions.add(step.cost.traffic)});
}

void ProgramBuilder::addBases() {
  tgx::FunctionOp op = function.op;
  for (auto constant : op.getBlock().getOps<tgx::ConstantOp>()) {
    unsigned index = plan.constantIndices.lookup(constant.getValue());
    if (constantOf.try_emplace(index, program.constants.size()).second)
      program.constants.push_back(index);
  }
  ProgramBases &bases = program.bases;
  bases.inputs = TG_EMBEDDED_BASE_SYMBOLS + function.symbolCount;
  bases.outputs = bases.inputs + function.inputs.size();
  bases.constants = bases.outputs + function.outputs.size();
  bases.buffers = bases.constants + program.constants.size();
  bases.registers = bases.buffers + program.buffers.size();
  uint32_t next = bases.registers;
  op.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<tgx::ForOp, tgx::WhileOp, tgx::ElementOp>(inner))
      registers[inner] = next++;
  });
  program.registerCount = registers.size();
  bases.hosts = next;
  bases.numbers = bases.hosts + function.hostNeeds.size();
}

tg_embedded_slot_t ProgramBuilder::slotOf(Value buffer) {
  tg_embedded_slot_t slot =
      slotOfMemory(tgx::storageOf(buffer).getDefiningOp());
  slot.offset += tgx::offsetInStorage(buffer);
  return slot;
}

tg_embedded_slot_t ProgramBuilder::slotOfMemory(Operation *op) {
  auto slot = [](uint32_t base, int64_t offset) {
    return tg_embedded_slot_t{base, /*reserved=*/0, offset};
  };
  if (auto input = dyn_cast<tgx::InputOp>(op))
    return slot(program.bases.inputs + input.getIndex(), 0);
  if (auto output = dyn_cast<tgx::OutputOp>(op))
    return slot(program.bases.outputs + output.getIndex(), 0);
  if (auto variable = dyn_cast<tgx::SlabOp>(op))
    return slot(TG_EMBEDDED_BASE_SLAB,
                plan.slab.lookup(variable.getVariable()).offset);
  if (auto constant = dyn_cast<tgx::ConstantOp>(op))
    return slot(
        program.bases.constants +
            constantOf.lookup(plan.constantIndices.lookup(constant.getValue())),
        0);
  if (isa<tgx::PackedOp>(op))
    return slot(TG_EMBEDDED_BASE_PACKED,
                plan.packs[plan.packIndices.lookup(op)].offset);
  if (isa<tgx::ElementOp>(op))
    return slot(registerOf(op), 0);
  int64_t id = cast<tgx::WorkspaceOp>(op).getId();
  if (std::optional<int64_t> offset = arena.offsetOf(id))
    return slot(TG_EMBEDDED_BASE_ARENA, *offset);
  return slot(program.bases.buffers + arena.indexOf(id), 0);
}

tg_embedded_slot_t ProgramBuilder::slotOf(AffineExpr number) {
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return {TG_EMBEDDED_BASE_ZERO, 0, constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return {TG_EMBEDDED_BASE_SYMBOLS + symbol.getPosition(), 0, 0};
  auto [found, isNew] = numberOf.try_emplace(number, program.numbers.size());
  if (isNew)
    program.numbers.push_back(program.expressions.add(number));
  return {program.bases.numbers + found->second, 0, 0};
}

void ProgramBuilder::sortNumbers() {
  tgx::FunctionOp op = function.op;
  if (!op.countDataDependent())
    return;
  std::vector<uint32_t> order;
  SmallVector<AffineExpr> all(numberOf.size());
  for (auto [number, index] : numberOf)
    all[index] = number;
  for (bool isDataDependent : {false, true}) {
    program.firstDataDependentNumber = order.size();
    for (auto [index, number] : llvm::enumerate(all))
      if ((op.upperBoundOf(number) != number) == isDataDependent)
        order.push_back(index);
  }
  std::vector<uint32_t> sorted(order.size()), newIndexOf(order.size());
  for (auto [index, old] : llvm::enumerate(order)) {
    sorted[index] = program.numbers[old];
    newIndexOf[old] = index;
  }
  program.numbers = std::move(sorted);
  for (tg_embedded_slot_t &slot : program.slots)
    if (slot.base >= program.bases.numbers)
      slot.base =
          program.bases.numbers + newIndexOf[slot.base - program.bases.numbers];
}

void ProgramBuilder::addStep(uint32_t kind, uint32_t number, size_t firstSlot) {
  uint32_t count = program.slots.size() - firstSlot;
  argumentSlots = std::max(argumentSlots, count + TG_EMBEDDED_LAUNCH_SLOTS);
  bool isTimed = kind <= TG_EMBEDDED_HOST;
  if (isTimed)
    program.firstResults.push_back(program.results.size());
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
  addStep(TG_EMBEDDED_LAUNCH, plan.indexOf(kernel), first);
  addResults(launch);
  if (ArrayRef<KernelCheckPlan> checks = plan.kernels.find(kernel)->second;
      !checks.empty())
    addChecks(launch, checks);
}

void ProgramBuilder::addChecks(tgx::LaunchOp launch,
                               ArrayRef<KernelCheckPlan> checks) {
  size_t first = program.slots.size();
  AffineExpr zero = getAffineConstantExpr(0, launch.getContext());
  for (const KernelCheckPlan &check : checks)
    program.slots.push_back(slotOf(
        check.bound ? substitute(check.bound, launch.getExtents()) : zero));
  addStep(TG_EMBEDDED_CHECK, program.checks.size(), first);
  for (const KernelCheckPlan &check : checks) {
    uint32_t cellCount = check.messages.size();
    program.checks.push_back({check.index, check.firstCell, cellCount});
    program.cellCount =
        std::max(program.cellCount, check.firstCell + cellCount);
  }
}

void ProgramBuilder::addResult(unsigned slot, Type type,
                               const ResultRows &rows) {
  program.results.push_back(
      {slot, program.expressions.add(rows.count),
       program.expressions.add(rows.bytes),
       program.expressions.add(rows.stride),
       typeInfoOf(elementOf(getElementTypeOrSelf(type))).dtype});
}

void ProgramBuilder::addResults(tgx::LaunchOp launch) {
  const ModelPlan::KernelFacts &facts =
      plan.facts.find(plan.kernelOf(launch.getKernelAttr()))->second;
  unsigned slot = launch.getInputs().size();
  for (auto [buffer, rows] :
       llvm::zip_equal(launch.getOutputs(), facts.results))
    addResult(slot++, buffer.getType(),
              {substitute(rows.count, launch.getExtents()),
               substitute(rows.bytes, launch.getExtents()),
               substitute(rows.stride, launch.getExtents())});
}

void ProgramBuilder::add(tgx::CopyOp copy) {
  size_t first = program.slots.size();
  noteWrite(copy.getTarget());
  for (Value buffer : {copy.getSource(), copy.getTarget()})
    program.slots.push_back(slotOf(buffer));
  program.slots.push_back(slotOf(copy.getBytes().getResult(0)));
  addStep(TG_EMBEDDED_COPY, 0, first);
  AffineExpr bytes = copy.getBytes().getResult(0);
  addResult(1, copy.getTarget().getType(),
            {getAffineConstantExpr(1, copy.getContext()), bytes, bytes});
}

static uint32_t codeOf(HostAction action) {
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

AffineExpr tg::countStaging(tgx::HostOp host, bool isForDevice) {
  AffineExpr unit =
      getAffineConstantExpr(TG_EMBEDDED_CANARY_BYTES, host.getContext());
  AffineExpr bytes = unit;
  unsigned inputs = host.getInputs().size();
  for (unsigned i = 0; i < inputs && isForDevice; ++i)
    bytes = bytes + host.countBytesOf(i).ceilDiv(unit) * unit;
  for (unsigned i = 0; i < host.getOutputs().size(); ++i)
    bytes = bytes + host.countBytesOf(inputs + i).ceilDiv(unit) * unit + unit;
  return bytes;
}

void ProgramBuilder::addOperands(tgx::HostOp host) {
  for (Value buffer : host->getOperands())
    program.slots.push_back(slotOf(buffer));
  for (AffineExpr extent : host.getExtents().getResults())
    program.slots.push_back(slotOf(extent));
}

void ProgramBuilder::addResults(tgx::HostOp host, unsigned firstSlot) {
  unsigned operand = host.getInputs().size();
  for (Value buffer : host.getOutputs()) {
    noteWrite(buffer);
    AffineExpr bytes = host.countBytesOf(operand);
    addResult(firstSlot + operand++, buffer.getType(),
              {getAffineConstantExpr(1, host.getContext()), bytes, bytes});
  }
}

void ProgramBuilder::addGrid(tgx::HostOp host) {
  size_t first = program.slots.size();
  CudaKernelAttr kernel = host.getKernelAttr();
  auto [x, y, z] = kernel.getThreads();
  AffineExpr elements =
      productOf(host.getExtentsOf(host.getInputs().size()), host.getContext());
  for (AffineExpr blocks : kernel.countBlocks(elements))
    program.slots.push_back(slotOf(blocks));
  addOperands(host);
  addStep(TG_EMBEDDED_GRID, program.grids.size(), first);
  // The kernels of the model are in the first image.
  uint32_t image = 1 + function.hostSteps.lookup(host).need;
  program.grids.push_back(
      {image, {x, y, z}, uint32_t(kernel.getSharedBytes()), /*reserved=*/0});
  addResults(host, TG_EMBEDDED_GRID_DIMS);
}

void ProgramBuilder::add(tgx::HostOp host) {
  if (plan.launchesCustom(host))
    return addGrid(host);
  size_t first = program.slots.size();
  auto [location, need] = function.hostSteps.lookup(host);
  AffineExpr staging =
      tgx::FunctionOp(function.op)
          .upperBoundOf(countStaging(host, plan.isForDevice()));
  HostStep step = {codeOf(host.getAction()),
                   location,
                   host.getText().str(),
                   {},
                   uint32_t(host.getInputs().size()),
                   uint32_t(host.getOutputs().size()),
                   program.expressions.add(staging)};
  bool calls = host.getAction() == HostAction::call;
  program.slots.push_back(
      {calls ? program.bases.hosts + need : uint32_t(TG_EMBEDDED_BASE_ZERO), 0,
       0});
  for (Value buffer : host->getOperands()) {
    auto type = cast<RankedTensorType>(buffer.getType());
    step.values.push_back({typeInfoOf(elementOf(type.getElementType())).dtype,
                           uint32_t(type.getRank())});
  }
  addOperands(host);
  addStep(TG_EMBEDDED_HOST, program.hostSteps.size(), first);
  // The tensors of the step follow its slots in the argument block.
  argumentSlots = std::max<uint32_t>(
      argumentSlots, program.slots.size() - first +
                         step.values.size() * sizeof(tg_tensor_t) / 8);
  program.hostSteps.push_back(std::move(step));
  addResults(host, /*firstSlot=*/1); // the first one is the function
}

void ProgramBuilder::add(tgx::MeasureOp measure) {
  addControl(TG_EMBEDDED_MEASURE, function.requirements.lookup(measure),
             {slotOf(measure.getNumber())}, measure.getSymbol());
}

void ProgramBuilder::clear() {
  if (!std::exchange(mustClear, false))
    return;
  wroteVariable = true;
  addStep(TG_EMBEDDED_CLEAR, 0, program.slots.size());
}

void ProgramBuilder::clearBefore(Operation &op) {
  if (!mustClear || !isa<tgx::StepOpInterface>(op))
    return;
  WalkResult walk = op.walk([](tgx::StepOpInterface step) {
    bool touches = llvm::any_of(step->getOperands(), [](Value buffer) {
      return tgx::rootOf(buffer).getDefiningOp<tgx::SlabOp>();
    });
    return touches ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    clear();
}

void ProgramBuilder::build() {
  addEntry();
  addBases();
  tgx::FunctionOp op = function.op;
  mustClear = function.flags & TG_FUNCTION_INITIALIZES && function.slabBytes;
  addBlock(op.getBlock());
  clear();
  program.firstResults.push_back(program.results.size());
  sortNumbers();
  program.baseCount = program.bases.numbers + program.numbers.size();
  int64_t cellBytes = TG_EMBEDDED_CELL_BYTES(program.cellCount);
  int64_t stateBytes = 8 * (program.baseCount + argumentSlots);
  if (!plan.isForDevice()) {
    program.headerBytes = alignUp(cellBytes + stateBytes);
    return;
  }
  program.headerBytes = llvm::alignTo(cellBytes, program.alignment);
  // The saved bases and the initial report are at the end.
  program.hostBlockBytes =
      alignUp(2 * cellBytes + stateBytes + 8 * program.baseCount);
}

FailureOr<FunctionProgram> FunctionProgram::create(const FunctionPlan &function,
                                                   const ModelPlan &plan) {
  FunctionProgram program;
  program.alignment = tgx::FunctionOp(function.op).getAlignment();
  ProgramBuilder(function, plan, program).build();
  if (failed(checkDepth(program.expressions, function)))
    return failure();
  std::string error = verifyProgram(program, limitsOf(function, plan));
  if (!error.empty())
    return tgx::FunctionOp(function.op).emitOpError()
           << "expected valid tables, found a bug of the compiler: " << error;
  return program;
}
