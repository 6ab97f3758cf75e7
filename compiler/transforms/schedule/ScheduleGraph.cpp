//===- ScheduleGraph.cpp - launches and copies of a function in order -----===//
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;

SmallVector<Value> Step::getInputs() const {
  if (HostOpInterface host = getHost())
    return SmallVector<Value>(host.getHostInputs());
  if (getControl())
    return usedValues(op);
  return op ? SmallVector<Value>(op->getOperands()) : SmallVector<Value>();
}

SmallVector<Value> Step::getOutputs() const {
  return op ? SmallVector<Value>(op->getResults()) : SmallVector<Value>();
}

ScheduleGraph::ScheduleGraph(func::FuncOp function, const SymbolTable &kernels,
                             const ExtentAnalysis &extents)
    : function(function), block(function.getBody().front()), kernels(kernels),
      extents(extents) {
  collect();
  graph.indexPaths();
  for (AssignOp assign : function.getOps<AssignOp>())
    addContent({BufferAssignment::slab, 0, assign.getVariableAttr()},
               assign.getValue());
  for (auto [index, value] :
       llvm::enumerate(block.getTerminator()->getOperands()))
    addReturn({BufferAssignment::output, unsigned(index)}, value);
  orderChecks();
  sort();
}

/// Returns the assignment of a value to the memory of a result.
static BufferAssignment carriedAs(Value result) {
  return {BufferAssignment::carried, 0, {}, result};
}

ScheduleGraph::ScheduleGraph(Block &block, Operation *control,
                             ScheduleGraph &parent)
    : function(parent.function), block(block), parent(&parent),
      kernels(parent.kernels), extents(parent.extents) {
  auto scan = dyn_cast<ScanOp>(control);
  unsigned carriedCount =
      scan ? scan.getInits().size() : block.getNumArguments();
  for (BlockArgument argument : block.getArguments()) {
    unsigned index = argument.getArgNumber();
    assignments[argument] =
        index < carriedCount
            ? carriedAs(control->getResult(index))
            : BufferAssignment{BufferAssignment::element,
                               0,
                               {},
                               scan.getInputs()[index - carriedCount],
                               control};
  }
  collect();
  graph.indexPaths();
  ValueRange yielded = block.getTerminator()->getOperands();
  // Stacked results go first: a value that is also carried is then computed
  // into the stacked result, and copied from it to the carried value.
  if (scan)
    for (auto [value, stacked] :
         llvm::zip_equal(yielded.drop_front(carriedCount), scan.getStacked()))
      addReturn({BufferAssignment::element, 0, {}, stacked, control}, value);
  for (auto [index, value] : llvm::enumerate(yielded)) {
    if (isa<IfOp>(control))
      addReturn(carriedAs(control->getResult(index)), value);
    else if (index < carriedCount)
      addContent(carriedAs(control->getResult(index)), value);
  }
  sort();
}

tgx::KernelOp ScheduleGraph::kernelOf(tgx::CallOp call) const {
  return kernels.lookup<tgx::KernelOp>(call.getKernel());
}

BufferAssignment ScheduleGraph::assignmentOf(Value root) const {
  auto known = assignments.find(root);
  if (known != assignments.end())
    return known->second;
  return parent ? parent->assignmentOf(root) : BufferAssignment();
}

Value ScheduleGraph::memoryOf(Value value) const {
  Value memory = placeOf(withoutViews(value)).memory;
  BufferAssignment assignment = assignmentOf(memory);
  return assignment.owner ? memoryOf(assignment.owner) : memory;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Returns the variable that a call packs. Returns null if the call packs no
/// variable, or if the function assigns variables.
FlatSymbolRefAttr ScheduleGraph::packedVariable(tgx::CallOp call) const {
  if (!func::FuncOp(function).getOps<AssignOp>().empty() ||
      kernelOf(call).getBlock().getOps<tgx::PackOp>().empty())
    return {};
  auto read = call.getInputs().front().getDefiningOp<ReadOp>();
  return read ? read.getVariableAttr() : FlatSymbolRefAttr();
}

/// Creates the steps of the block, in program order, and their dependences.
void ScheduleGraph::collect() {
  std::optional<unsigned> lastEffect;
  if (!parent)
    for (BlockArgument argument : function.getArguments())
      assignments[argument] = {BufferAssignment::input,
                               argument.getArgNumber()};
  for (Operation &op : block) {
    if (auto read = dyn_cast<ReadOp>(op))
      assignments[read.getResult()] = {BufferAssignment::slab, 0,
                                       read.getVariableAttr()};
    if (isa<ConstantOp>(op))
      assignments[op.getResult(0)] = {BufferAssignment::constant};
    if (auto join = dyn_cast<tgx::JoinOp>(op)) {
      unsigned step = stepOf[join] = addStep({nullptr, {}, {}});
      for (Value part : join.getParts())
        addReader(part, step);
    }
    if (isa<RegionOpInterface>(op))
      collectControl(&op);
    else if (isa<tgx::CallOp, HostOpInterface, tgx::MeasureOp>(op))
      collectOp(&op);
    auto step = stepOf.find(&op);
    if (step == stepOf.end())
      continue;
    if (canFail(steps[step->second]))
      checks.push_back(step->second);
    if (!hasHostEffects(&op))
      continue;
    if (lastEffect)
      graph.addEdge(*lastEffect, step->second);
    lastEffect = step->second;
  }
  orderMeasures();
}

/// Orders steps that need measured extents after the measures.
void ScheduleGraph::orderMeasures() {
  DataDependentSymbols found(block, extents);
  for (Operation &op : block)
    if (auto step = stepOf.find(&op); step != stepOf.end())
      for (Operation *measure : found.measuresFor(&op))
        graph.addEdge(stepOf.lookup(measure), step->second);
}

void ScheduleGraph::collectOp(Operation *op) {
  auto call = dyn_cast<tgx::CallOp>(op);
  if (FlatSymbolRefAttr variable =
          call ? packedVariable(call) : FlatSymbolRefAttr()) {
    assignments[call.getResult(0)] = {BufferAssignment::packed, 0, variable};
    return;
  }
  unsigned step = stepOf[op] = addStep({op, {}, {}});
  for (Value input : steps[step].getInputs())
    addReader(input, step);
}

void ScheduleGraph::collectControl(Operation *control) {
  auto loop = dyn_cast<WhileOp>(control);
  auto &graphs = regions[control];
  // The condition region of a loop computes nothing, so it needs no graph: it
  // yields a carried value, or a value from outside.
  for (Region &region : control->getRegions().drop_front(loop ? 1 : 0))
    graphs.push_back(std::unique_ptr<ScheduleGraph>(
        new ScheduleGraph(region.front(), control, *this)));
  unsigned index = stepOf[control] = addStep({control, {}, {}});
  ValueRange inits;
  if (loop)
    inits = loop.getInits();
  if (auto scan = dyn_cast<ScanOp>(control))
    inits = scan.getInits();
  for (auto [init, result] : llvm::zip(inits, control->getResults()))
    addInit(init, result, index);
  for (Value value : usedValues(control))
    addReader(value, index);
}

/// Makes the producer of a loop's initial value write to the memory of the
/// carried value, or copies the value there.
void ScheduleGraph::addInit(Value init, Value result, unsigned control) {
  Value root = withoutViews(init);
  auto call = root.getDefiningOp<tgx::CallOp>();
  if (call && init == root && root.hasOneUse() && call->getBlock() == &block &&
      !assignments.contains(root)) {
    assignments[root] = carriedAs(result);
    return;
  }
  graph.addEdge(addCopy(init, carriedAs(result)), control);
}

bool ScheduleGraph::canFail(const Step &step) const {
  // A loop may exceed its maximum number of iterations.
  if (auto loop = dyn_cast_if_present<WhileOp>(step.op);
      loop && loop.getMaxTrip())
    return true;
  if (step.getControl())
    return llvm::any_of(regionsOf(step.op), [](const auto &region) {
      return !region->checks.empty() ||
             !region->block.template getOps<tgx::ExtentCheckOpInterface>()
                  .empty();
    });
  if (HostOpInterface host = step.getHost())
    return host.canFail();
  if (isa_and_present<tgx::MeasureOp>(step.op))
    return true;
  tgx::CallOp call = step.getCall();
  return call && !kernelOf(call)
                      .getBlock()
                      .getOps<tgx::ElementCheckOpInterface>()
                      .empty();
}

bool ScheduleGraph::isCheckedLater(unsigned step) {
  return llvm::any_of(checks, [&](unsigned check) {
    return check == step || graph.reaches(step, check);
  });
}

unsigned ScheduleGraph::addStep(Step step) {
  steps.push_back(step);
  return graph.addNode();
}

/// Orders a step that reads `value` after the producer of `value`.
void ScheduleGraph::addReader(Value value, unsigned step) {
  Value root = withoutViews(value);
  valueReaders[root].push_back(step);
  if (auto swap = swaps.find(root); swap != swaps.end())
    graph.addEdge(step, swap->second);
  if (Operation *source = root.getDefiningOp())
    if (auto producer = stepOf.find(source); producer != stepOf.end())
      if (producer->second != step)
        graph.addEdge(producer->second, step);
  BufferAssignment assignment = assignments.lookup(root);
  if (root.getDefiningOp<ReadOp>() ||
      (isa<BlockArgument>(root) &&
       assignment.kind == BufferAssignment::carried))
    readers[assignment.getCell()].push_back(step);
}

/// Orders all readers of the old content of `cell` before `writer`. Returns
/// false, and changes nothing, if one of them depends on `writer`.
bool ScheduleGraph::orderWriter(unsigned writer, const BufferAssignment &cell) {
  ArrayRef<unsigned> before = readers[cell.getCell()];
  for (unsigned reader : before)
    if (reader != writer && graph.reaches(writer, reader))
      return false;
  for (unsigned reader : before)
    if (reader != writer)
      graph.addEdge(reader, writer);
  writers[cell.getCell()].push_back(writer);
  if (cell.kind == BufferAssignment::slab)
    slabWriters.push_back(writer);
  return true;
}

//===----------------------------------------------------------------------===//
// Ends of blocks
//===----------------------------------------------------------------------===//

/// Returns true if the value needs no workspace because its producer can write
/// it directly to another buffer, for example a variable or an output.
bool ScheduleGraph::canBeWrittenDirectly(Value root) const {
  Operation *source = root.getDefiningOp();
  if (!source || source->getBlock() != &block || assignments.contains(root) ||
      swaps.contains(root) || placeOf(root).join)
    return false;
  if (!isa<RegionOpInterface>(source))
    return isa<tgx::CallOp, tgx::JoinOp, HostOpInterface>(source);
  return llvm::none_of(regionsOf(source), [&](const auto &region) {
    return region->swapped.contains(root);
  });
}

/// Returns true if the kernel of `call` may write `result` to the cell, even if
/// it reads the old content there.
bool ScheduleGraph::canWriteInPlace(tgx::CallOp call, Value result,
                                    const BufferAssignment &cell) const {
  tgx::KernelOp kernel = kernelOf(call);
  ExtentAnalysis extents(kernel.getContext());
  if (failed(kernel.analyzeExtents(extents)))
    return false;
  Value output = kernel.getOutputs()[cast<OpResult>(result).getResultNumber()];
  return llvm::all_of(
      llvm::zip_equal(call.getInputs(), kernel.getBlock().getArguments()),
      [&](auto pair) {
        auto [input, argument] = pair;
        return !(assignmentOf(withoutViews(input)) == cell) ||
               kernel.mayOverwrite(argument, output, extents);
      });
}

/// Makes a cell hold `value` at the end of the block.
void ScheduleGraph::addContent(const BufferAssignment &cell, Value value) {
  Value root = withoutViews(value);
  bool isOld = root.getDefiningOp<ReadOp>() || isa<BlockArgument>(root);
  if (isOld && assignments.lookup(root) == cell)
    return; // the cell already holds the value
  auto call = root.getDefiningOp<tgx::CallOp>();
  if (call && canBeWrittenDirectly(root)) {
    bool isVariable = cell.kind == BufferAssignment::slab;
    if (canWriteInPlace(call, root, cell) &&
        !(isVariable && isCheckedLater(stepOf[call])) &&
        orderWriter(stepOf[call], cell)) {
      assignments[root] = cell;
      return;
    }
    if (!isVariable && root == value && root.getType() == cell.owner.getType())
      return addSwap(root, cell);
  }
  addCopy(value, cell);
}

/// Makes `target` hold a value that the block returns or yields.
void ScheduleGraph::addReturn(const BufferAssignment &target, Value value) {
  Value root = withoutViews(value);
  if (canBeWrittenDirectly(root))
    assignments[root] = target;
  else
    addCopy(value, target);
}

/// Adds a copy to `target`, and returns its step.
unsigned ScheduleGraph::addCopy(Value source, BufferAssignment target) {
  unsigned copy = addStep({nullptr, source, target});
  addReader(source, copy);
  Value root = withoutViews(source);
  BufferAssignment assignment = assignments.lookup(root);
  if (root.getDefiningOp<ReadOp>() || isa<BlockArgument>(root))
    for (unsigned writer : writers[assignment.getCell()])
      graph.addEdge(copy, writer);
  bool isCell = target.kind == BufferAssignment::slab ||
                (target.kind == BufferAssignment::carried &&
                 target.owner.getDefiningOp() == block.getParentOp());
  if (!isCell || orderWriter(copy, target))
    return copy;
  // A reader of the old content depends on this copy, for example if two cells
  // exchange their contents. The copy then writes to a workspace, and another
  // copy writes to the cell after all readers.
  unsigned &count = rootGraph().temporaryCount;
  steps[copy].target = {BufferAssignment::workspace, count};
  Step restoring = {nullptr, source, target};
  restoring.restored = count++;
  unsigned restore = addStep(restoring);
  graph.addEdge(copy, restore);
  orderWriter(restore, target);
  return copy;
}

/// Exchanges the buffers of the new and the old content of a cell, after the
/// step that computes the new content and all readers of either content.
void ScheduleGraph::addSwap(Value root, const BufferAssignment &cell) {
  Step step = {nullptr, root, cell};
  step.isSwap = true;
  unsigned swap = addStep(step);
  for (unsigned reader : valueReaders[root])
    graph.addEdge(reader, swap);
  graph.addEdge(stepOf[root.getDefiningOp()], swap);
  [[maybe_unused]] bool isLast = orderWriter(swap, cell);
  assert(isLast && "no reader of the old content depends on the exchange");
  swaps[root] = swap;
  swapped.insert(cell.owner);
}

ScheduleGraph &ScheduleGraph::rootGraph() {
  return parent ? parent->rootGraph() : *this;
}

/// Orders all steps that can fail before all steps that write variables.
void ScheduleGraph::orderChecks() {
  for (unsigned check : checks)
    for (unsigned writer : slabWriters) {
      [[maybe_unused]] bool isOrdered = graph.addEdge(check, writer);
      assert(isOrdered && "no check depends on a writer of a variable");
    }
}

/// Returns the bytes of a value in the arena; 0 if its buffer is elsewhere.
int64_t ScheduleGraph::bytesOf(Value memory) const {
  bool isWorkspace = assignmentOf(memory).kind == BufferAssignment::workspace;
  return isWorkspace ? plannedNumber(extents.countBytes(memory)) : 0;
}
