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
  /// A buffer, the steps that read it or write parts of it, the number of these
  /// steps that have not run, and true if one of them has run.
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
  /// For each step: the memory that it uses, whether it is ready, and whether
  /// it is done.
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
    for (Value input : step.getInputs())
      addUse(input, number);
    for (Value output : step.getOutputs())
      addUse(output, number);
  }
}

void ScheduleGraph::ReadySteps::addUse(Value value, unsigned step) {
  Value memory = placeOf(withoutViews(value)).memory;
  int64_t bytes = graph.bytesOf(memory);
  if (bytes == 0 || memory.getParentBlock() != &graph.block)
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

/// Returns true if less memory is live after a step than before it, so that the
/// step goes first. If steps keep the order of the program, only copies and
/// exchanges may go first.
bool ScheduleGraph::ReadySteps::frees(unsigned step) const {
  if (graph.isInOrder() && graph.steps[step].op)
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
        continue; // was in both queues
      finish(step);
      return step;
    }
  return std::nullopt;
}

/// Sorts the steps with Kahn's algorithm.
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
    if (steps[*step].op || steps[*step].source)
      ordered.push_back(steps[*step]);
    for (unsigned next : graph.getSuccessors(*step))
      if (--missing[next] == 0)
        ready.add(next);
  }
  assert(done == steps.size() && "edges never close a cycle");
}
