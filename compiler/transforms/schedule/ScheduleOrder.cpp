//===- ScheduleOrder.cpp - the order of the steps of a block --------------===//
#include "compiler/transforms/memory/PartPlace.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace tg;

/// The steps that are ready to run, in order of priority: first the steps that
/// reduce the live memory, then the others, each in the order of the program.
class ScheduleGraph::ReadySteps {
public:
  explicit ReadySteps(const ScheduleGraph &graph);

  void add(unsigned step);
  /// Takes the next step and marks it as done. Returns none if nothing is
  /// ready.
  std::optional<unsigned> take();

private:
  using Queue = llvm::PriorityQueue<unsigned, std::vector<unsigned>,
                                    std::greater<unsigned>>;
  /// A buffer: its users, which are the steps that read it or write parts of
  /// it, the number of users that have not run, and whether one of them has
  /// run.
  struct Memory {
    int64_t bytes;
    SmallVector<unsigned> users;
    unsigned remaining = 0;
    bool isAllocated = false;
  };

  void addUse(Value value, unsigned step);
  bool frees(unsigned step) const;
  void finish(unsigned step);

  const ScheduleGraph &graph;
  std::vector<Memory> memories;
  llvm::DenseMap<Value, unsigned> memoryIndices;
  /// For each step: the memory that it uses, whether it is ready, and whether
  /// it is done.
  std::vector<SmallVector<unsigned, 4>> uses;
  std::vector<bool> isReady, isDone;
  Queue ready, freeing;
};

ScheduleGraph::ReadySteps::ReadySteps(const ScheduleGraph &graph)
    : graph(graph), uses(graph.steps.size()), isReady(graph.steps.size()),
      isDone(graph.steps.size()) {
  for (auto [index, step] : llvm::enumerate(graph.steps)) {
    if (step.source)
      addUse(step.source, index);
    for (Value input : step.getInputs())
      addUse(input, index);
    for (Value output : step.getOutputs())
      addUse(output, index);
  }
}

void ScheduleGraph::ReadySteps::addUse(Value value, unsigned step) {
  Value memory = placeOf(withoutViews(value)).memory;
  int64_t bytes = graph.bytesOf(memory);
  if (bytes == 0 || memory.getParentBlock() != &graph.block)
    return;
  auto [entry, isNew] = memoryIndices.try_emplace(memory, memories.size());
  if (isNew)
    memories.push_back({bytes, {}});
  if (llvm::is_contained(uses[step], entry->second))
    return;
  uses[step].push_back(entry->second);
  memories[entry->second].users.push_back(step);
  ++memories[entry->second].remaining;
}

/// Returns true if less memory is live after a step than before it, so that the
/// step goes first. If steps keep the order of the program, only copies and
/// exchanges may go first.
bool ScheduleGraph::ReadySteps::frees(unsigned step) const {
  if (graph.isInOrder() && graph.steps[step].op)
    return false;
  int64_t change = 0;
  for (unsigned index : uses[step]) {
    const Memory &memory = memories[index];
    if (!memory.isAllocated)
      change += memory.bytes;
    else if (memory.remaining == 1)
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
  for (unsigned index : uses[step]) {
    Memory &memory = memories[index];
    memory.isAllocated = true;
    if (--memory.remaining != 1)
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
        continue; // was in both queues
      finish(step);
      return step;
    }
  return std::nullopt;
}

/// Sorts the steps with Kahn's algorithm.
void ScheduleGraph::sort() {
  SmallVector<unsigned> inDegrees(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned next : graph.getSuccessors(step))
      ++inDegrees[next];
  ReadySteps ready(*this);
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!inDegrees[step])
      ready.add(step);
  [[maybe_unused]] size_t doneCount = 0;
  while (std::optional<unsigned> step = ready.take()) {
    ++doneCount;
    if (steps[*step].op || steps[*step].source)
      ordered.push_back(steps[*step]);
    for (unsigned next : graph.getSuccessors(*step))
      if (--inDegrees[next] == 0)
        ready.add(next);
  }
  assert(doneCount == steps.size() && "edges never close a cycle");
}
