//===- ScheduleGraph.cpp - launches and copies of a function in order -----===//
#include "compiler/transforms/ScheduleGraph.h"
#include "compiler/transforms/PartPlace.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace tg;

ScheduleGraph::ScheduleGraph(func::FuncOp function, const SymbolTable &kernels)
    : function(function), kernels(kernels) {
  collect();
  graph.indexPaths();
  for (AssignOp assign : function.getOps<AssignOp>())
    addAssign(assign);
  auto end = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (auto [index, value] : llvm::enumerate(end.getOperands()))
    addReturn(index, value);
  orderChecks();
  sort();
}

tgx::KernelOp ScheduleGraph::kernelOf(tgx::CallOp call) const {
  return kernels.lookup<tgx::KernelOp>(call.getKernel());
}

/// The variable that the call packs, in a function that leaves all as they are;
/// null for all other calls.
FlatSymbolRefAttr ScheduleGraph::packedVariable(tgx::CallOp call) const {
  if (!func::FuncOp(function).getOps<AssignOp>().empty() ||
      kernelOf(call).getBlock().getOps<tgx::PackOp>().empty())
    return {};
  auto read = call.getInputs().front().getDefiningOp<ReadOp>();
  return read ? read.getVariableAttr() : FlatSymbolRefAttr();
}

void ScheduleGraph::collect() {
  for (BlockArgument argument : function.getArguments())
    assignments[argument] = {
        BufferAssignment::input, argument.getArgNumber(), {}};
  for (Operation &op : function.getBody().front()) {
    if (auto read = dyn_cast<ReadOp>(op))
      assignments[read.getResult()] = {BufferAssignment::slab, 0,
                                       read.getVariableAttr()};
    if (isa<ConstantOp>(op))
      assignments[op.getResult(0)] = {BufferAssignment::constant, 0, {}};
    if (auto join = dyn_cast<tgx::JoinOp>(op)) {
      unsigned step = stepOf[join] = addStep({});
      for (Value part : join.getParts())
        addReader(part, step);
    }
    auto call = dyn_cast<tgx::CallOp>(op);
    if (!call)
      continue;
    if (FlatSymbolRefAttr variable = packedVariable(call)) {
      assignments[call.getResult(0)] = {BufferAssignment::packed, 0, variable};
      continue;
    }
    unsigned step = addStep({call, {}, {}});
    stepOf[call] = step;
    for (Value input : call.getInputs())
      addReader(input, step);
  }
}

unsigned ScheduleGraph::addStep(Step step) {
  steps.push_back(step);
  return graph.addNode();
}

/// Lets a step that reads `value` run after what computes it.
void ScheduleGraph::addReader(Value value, unsigned step) {
  Operation *source = withoutViews(value).getDefiningOp();
  if (!source)
    return;
  if (auto producer = stepOf.find(source); producer != stepOf.end())
    graph.addEdge(producer->second, step);
  if (auto read = dyn_cast<ReadOp>(source))
    readers[read.getVariableAttr()].push_back(step);
}

/// Lets all readers of the old content run before `writer`; false, and nothing
/// changed, if one of them needs what `writer` makes.
bool ScheduleGraph::orderWriter(unsigned writer, FlatSymbolRefAttr variable) {
  ArrayRef<unsigned> before = readers[variable];
  for (unsigned reader : before)
    if (reader != writer && graph.reaches(writer, reader))
      return false;
  for (unsigned reader : before)
    if (reader != writer)
      graph.addEdge(reader, writer);
  writers[variable].push_back(writer);
  slabWriters.push_back(writer);
  return true;
}

bool ScheduleGraph::canWriteInPlace(tgx::CallOp call, Value result,
                                    FlatSymbolRefAttr variable) const {
  tgx::KernelOp kernel = kernelOf(call);
  ExtentAnalysis extents(kernel.getContext());
  if (failed(kernel.analyzeExtents(extents)))
    return false;
  Value output = kernel.getOutputs()[cast<OpResult>(result).getResultNumber()];
  return llvm::all_of(
      llvm::zip_equal(call.getInputs(), kernel.getBlock().getArguments()),
      [&](auto pair) {
        auto [input, argument] = pair;
        auto read = withoutViews(input).template getDefiningOp<ReadOp>();
        return !read || read.getVariableAttr() != variable ||
               kernel.mayOverwrite(argument, output, extents);
      });
}

void ScheduleGraph::addAssign(AssignOp assign) {
  FlatSymbolRefAttr variable = assign.getVariableAttr();
  Value root = withoutViews(assign.getValue());
  BufferAssignment assignment = {BufferAssignment::slab, 0, variable};
  if (assignments.lookup(root) == assignment && root.getDefiningOp<ReadOp>())
    return; // the old content again
  auto call = root.getDefiningOp<tgx::CallOp>();
  if (call && !assignments.contains(root) && !placeOf(root).join &&
      canWriteInPlace(call, root, variable) &&
      orderWriter(stepOf[call], variable)) {
    assignments[root] = assignment;
    return;
  }
  addCopy(assign.getValue(), assignment);
}

void ScheduleGraph::addReturn(unsigned index, Value value) {
  BufferAssignment assignment = {BufferAssignment::output, index, {}};
  Value root = withoutViews(value);
  if (isa_and_nonnull<tgx::CallOp, tgx::JoinOp>(root.getDefiningOp()) &&
      !assignments.contains(root) && !placeOf(root).join) {
    assignments[root] = assignment;
    return;
  }
  addCopy(value, assignment);
}

void ScheduleGraph::addCopy(Value source, BufferAssignment target) {
  unsigned copy = addStep({{}, source, target});
  addReader(source, copy);
  if (auto read = withoutViews(source).getDefiningOp<ReadOp>())
    for (unsigned writer : writers[read.getVariableAttr()])
      graph.addEdge(copy, writer);
  if (target.kind != BufferAssignment::slab ||
      orderWriter(copy, target.variable))
    return;
  // Variables that exchange their contents: save first, write at the end.
  steps[copy].target = {BufferAssignment::workspace, temporaries, {}};
  unsigned restore = addStep({{}, source, target, temporaries++});
  graph.addEdge(copy, restore);
  orderWriter(restore, target.variable);
}

void ScheduleGraph::orderChecks() {
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (!step.call)
      continue;
    if (kernelOf(step.call)
            .getBlock()
            .getOps<RunTimeCheckOpInterface>()
            .empty())
      continue;
    for (unsigned writer : slabWriters)
      if (writer != number && !graph.reaches(writer, number))
        graph.addEdge(number, writer);
  }
}

/// Kahn's algorithm; of the steps that are ready, the first in program order.
void ScheduleGraph::sort() {
  SmallVector<unsigned> missing(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned next : graph.getSuccessors(step))
      ++missing[next];
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!missing[step])
      ready.push(step);
  [[maybe_unused]] size_t done = 0;
  while (!ready.empty()) {
    unsigned step = ready.top();
    ready.pop();
    ++done;
    if (steps[step].call || steps[step].source)
      ordered.push_back(steps[step]);
    for (unsigned next : graph.getSuccessors(step))
      if (--missing[next] == 0)
        ready.push(next);
  }
  assert(done == steps.size() && "edges never close a cycle");
}
