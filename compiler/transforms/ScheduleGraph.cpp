//===- ScheduleGraph.cpp - launches and copies of a function in order -----===//
#include "compiler/transforms/ScheduleGraph.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/PartPlace.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace tg;

ScheduleGraph::ScheduleGraph(func::FuncOp function, const SymbolTable &kernels,
                             const ExtentAnalysis &extents)
    : function(function), kernels(kernels), extents(extents) {
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

/// The bytes that a value takes in the arena if it has a buffer there.
int64_t ScheduleGraph::bytesOf(Value memory) const {
  bool isWorkspace = assignmentOf(memory).kind == BufferAssignment::workspace;
  return isWorkspace ? plannedNumber(extents.countBytes(memory)) : 0;
}

/// The steps that can run, in the order in which they shall.
class ScheduleGraph::ReadySteps {
public:
  explicit ReadySteps(const ScheduleGraph &graph);

  void add(unsigned step);
  /// The next one, which is done then; none if nothing is ready.
  std::optional<unsigned> take();

private:
  using Queue = llvm::PriorityQueue<unsigned, std::vector<unsigned>,
                                    std::greater<unsigned>>;
  /// A buffer, the steps that read it or write parts of it, and how many of
  /// these are left.
  struct Memory {
    int64_t bytes;
    SmallVector<unsigned> users;
    unsigned left = 0;
    bool isMade = false;
  };

  void addUse(Value value, unsigned step);
  bool frees(unsigned step) const;
  void finish(unsigned step);

  const ScheduleGraph &graph;
  std::vector<Memory> memories;
  llvm::DenseMap<Value, unsigned> numbers;
  /// By step: the memory that it uses, and whether it can run and has run.
  std::vector<SmallVector<unsigned, 4>> uses;
  std::vector<bool> isReady, isDone;
  Queue ready, freeing;
};

ScheduleGraph::ReadySteps::ReadySteps(const ScheduleGraph &graph)
    : graph(graph), uses(graph.steps.size()), isReady(graph.steps.size()),
      isDone(graph.steps.size()) {
  for (auto [number, step] : llvm::enumerate(graph.steps)) {
    if (step.source)
      addUse(step.source, number);
    tgx::CallOp call = step.call;
    if (!call)
      continue;
    for (Value input : call.getInputs())
      addUse(input, number);
    for (Value output : call.getOutputs())
      addUse(output, number);
  }
}

void ScheduleGraph::ReadySteps::addUse(Value value, unsigned step) {
  Value memory = placeOf(withoutViews(value)).memory;
  int64_t bytes = graph.bytesOf(memory);
  if (bytes == 0)
    return;
  auto [entry, isNew] = numbers.try_emplace(memory, memories.size());
  if (isNew)
    memories.push_back({bytes, {}});
  if (llvm::is_contained(uses[step], entry->second))
    return;
  uses[step].push_back(entry->second);
  memories[entry->second].users.push_back(step);
  ++memories[entry->second].left;
}

/// Whether a step may come before others because less memory is live after it
/// than before.
bool ScheduleGraph::ReadySteps::frees(unsigned step) const {
  if (graph.isInOrder() && graph.steps[step].call)
    return false;
  int64_t change = 0;
  for (unsigned number : uses[step]) {
    const Memory &memory = memories[number];
    if (!memory.isMade)
      change += memory.bytes;
    else if (memory.left == 1)
      change -= memory.bytes;
  }
  return change < 0;
}

void ScheduleGraph::ReadySteps::add(unsigned step) {
  isReady[step] = true;
  (frees(step) ? freeing : ready).push(step);
}

void ScheduleGraph::ReadySteps::finish(unsigned step) {
  isDone[step] = true;
  for (unsigned number : uses[step]) {
    Memory &memory = memories[number];
    memory.isMade = true;
    if (--memory.left != 1)
      continue;
    unsigned last = *llvm::find_if(
        memory.users, [&](unsigned user) { return !isDone[user]; });
    if (isReady[last] && frees(last))
      freeing.push(last);
  }
}

std::optional<unsigned> ScheduleGraph::ReadySteps::take() {
  for (Queue *queue : {&freeing, &ready})
    while (!queue->empty()) {
      unsigned step = queue->top();
      queue->pop();
      if (isDone[step])
        continue; // was in both
      finish(step);
      return step;
    }
  return std::nullopt;
}

/// Kahn's algorithm.
void ScheduleGraph::sort() {
  SmallVector<unsigned> missing(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned next : graph.getSuccessors(step))
      ++missing[next];
  ReadySteps ready(*this);
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!missing[step])
      ready.add(step);
  [[maybe_unused]] size_t done = 0;
  while (std::optional<unsigned> step = ready.take()) {
    ++done;
    if (steps[*step].call || steps[*step].source)
      ordered.push_back(steps[*step]);
    for (unsigned next : graph.getSuccessors(*step))
      if (--missing[next] == 0)
        ready.add(next);
  }
  assert(done == steps.size() && "edges never close a cycle");
}
